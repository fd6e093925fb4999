"""What is known of nodes, counted for every group at once. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.core.plan import BITS
from workbench.core.verdict import Status, Verdict
from workbench.ui.graph.hierarchy import Hierarchy
from workbench.ui.theme.tokens import SEVERITY

UNKNOWN: Final = -1


@dataclass(frozen=True, slots=True)
class Tally:
    """A kind for every item (an index, UNKNOWN where there is none), and sums over the items before."""

    kind: NDArray[np.int64]
    sums: NDArray[np.int64]

    def inside(self, low: int, high: int) -> list[int]:
        """How many items of each kind there are from ``low`` up to ``high``."""
        counts: list[int] = (self.sums[high] - self.sums[low]).tolist()
        return counts


def _tally(kinds: Mapping[int, int], items: int, number: int) -> Tally:
    """``kinds`` by item, of ``number`` kinds."""
    kind = np.full(items, UNKNOWN, dtype=np.int64)
    for item, value in kinds.items():
        kind[item] = value
    ones = np.zeros((items + 1, number), dtype=np.int64)
    known = np.flatnonzero(kind != UNKNOWN)
    ones[known + 1, kind[known]] = 1
    return Tally(kind, ones.cumsum(axis=0))


@dataclass(frozen=True, slots=True)
class Support:
    """Verdicts by item: kinds index SEVERITY, the worst first."""

    verdicts: Tally
    fixable: Tally

    def status(self, item: int) -> Status | None:
        kind = int(self.verdicts.kind[item])
        return None if kind == UNKNOWN else SEVERITY[kind]

    def is_fixable(self, item: int) -> bool:
        return bool(self.fixable.kind[item] != UNKNOWN)

    def counts(self, low: int, high: int) -> dict[Status, int]:
        """Statuses that occur, worst first."""
        counts = self.verdicts.inside(low, high)
        return {status: count for status, count in zip(SEVERITY, counts, strict=True) if count}

    def fixable_in(self, low: int, high: int) -> bool:
        """Whether any item of the range has an exact fix."""
        return self.fixable.inside(low, high)[0] > 0


@dataclass(frozen=True, slots=True)
class Widths:
    """Bits by item: kinds index ``core.plan.BITS``."""

    bits: Tally

    def of(self, item: int) -> int | None:
        kind = int(self.bits.kind[item])
        return None if kind == UNKNOWN else BITS[kind]

    def counts(self, low: int, high: int) -> dict[int, int]:
        """Bits that occur: float first, then 8 to 2."""
        return {bits: count for bits, count in zip(BITS, self.bits.inside(low, high), strict=True) if count}


def support(hierarchy: Hierarchy, verdicts: Mapping[str, Verdict]) -> Support:
    """Verdicts of nodes that are in the graph."""
    known = {hierarchy.index[key]: verdict for key, verdict in verdicts.items() if key in hierarchy.index}
    order = {status: place for place, status in enumerate(SEVERITY)}
    count = len(hierarchy.items)
    kinds = {item: order[verdict.status] for item, verdict in known.items()}
    fixable = {item: 0 for item, verdict in known.items() if verdict.fix is not None}
    return Support(_tally(kinds, count, len(SEVERITY)), _tally(fixable, count, 1))


def widths(hierarchy: Hierarchy, bits: Mapping[str, int]) -> Widths:
    """Bits of the nodes that can be quantized."""
    places = {value: place for place, value in enumerate(BITS)}
    kinds = {hierarchy.index[key]: places[value] for key, value in bits.items() if key in hierarchy.index}
    return Widths(_tally(kinds, len(hierarchy.items), len(BITS)))
