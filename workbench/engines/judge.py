"""From compared outputs to a figure: what counts as right, in one place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from workbench.core.verdict import Figure
from workbench.engines.compare import EXACT, MISSING, SHAPE, Comparison
from workbench.engines.mnn.run import Failure, Row

TOLERANCE: Final = 2e-3
"""Largest absolute error, relative to the largest reference value of the same output and input."""
NOISE_FACTOR: Final = 4.0
"""Or so many times what the reference itself moves under 1-ulp weight noise, where that is larger."""
MOST_EXCUSED: Final = 0.25
"""But never more than this: a model whose reference moves further is not determined by its weights,
and no comparison can call it right."""
RESOLUTION: Final = 2.0**-23
"""Float's unit, relative to the output's largest value over all ordinary inputs. onnxruntime's sigmoid answers 0
below about -18, where MNN answers 1e-8: on an input for which a detector finds nothing the
reference is all zeros, and a relative error means nothing."""
TELLING: Final = 0.05
"""Outputs smaller than this part of their largest value over all inputs tell no direction: they do
not count for ``relative_l2`` and ``cosine``."""

Changes = Mapping[tuple[int, str], float]
"""Absolute change of (case, output) under noise."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One row with what it is allowed. ``error`` and ``allowed`` are relative to the same value."""

    row: Row
    error: float
    allowed: float
    telling: bool

    @property
    def right(self) -> bool:
        return not self.row.comparison.fault and self.error <= self.allowed

    @property
    def closeness(self) -> float:
        """The error in units of what is allowed; infinite for a fault."""
        if self.row.comparison.fault:
            return math.inf
        return self.error / self.allowed


def judge(
    rows: Sequence[Row], changes: Changes | None = None, ranges: Mapping[str, float] | None = None
) -> tuple[Judged, ...]:
    """Each row against its tolerance.

    ``changes``: measured noise, where the default did not suffice. ``ranges``: as ``ranges_of`` gives
    them, where ``rows`` are only some of the inputs.
    """
    widest = ranges_of(rows) if ranges is None else ranges
    return tuple(_judged(row, widest[row.output], (changes or {}).get((row.case, row.output), 0.0)) for row in rows)


def ranges_of(rows: Iterable[Row]) -> dict[str, float]:
    """Every output's largest absolute reference value over all inputs; 1 where it is always zero."""
    ranges: dict[str, float] = {}
    for row in rows:
        ranges[row.output] = max(ranges.get(row.output, 0.0), row.comparison.largest)
    return {output: largest or 1.0 for output, largest in ranges.items()}


def _judged(row: Row, widest: float, change: float) -> Judged:
    found = row.comparison
    if found.fault in (MISSING, SHAPE):  # no error can be told
        return Judged(row, math.inf, TOLERANCE, telling=True)
    telling = found.largest >= TELLING * widest
    if TOLERANCE * found.largest < RESOLUTION * widest:
        return Judged(row, found.max_abs / widest, max(RESOLUTION, _excused(change, widest)), telling)
    return Judged(row, found.max_abs / found.largest, max(TOLERANCE, _excused(change, found.largest)), telling)


def _excused(change: float, largest: float) -> float:
    return min(NOISE_FACTOR * change / largest, MOST_EXCUSED)


def engine_figure(judged: Sequence[Judged], failures: Sequence[Failure], inputs: int, sizes: int) -> Figure:
    """The engine's figure: wrong by its worst row; right by the worst of those held to the default tolerance."""
    faults = sum(bool(j.row.comparison.fault) for j in judged)
    right = not failures and all(j.right for j in judged)
    worst = _worst(judged, right=right)
    return Figure(
        max_rel_error=math.inf if failures or worst is None else worst.error,
        relative_l2=max((j.row.comparison.relative_l2 for j in judged if j.telling), default=0.0),
        cosine=min((j.row.comparison.cosine for j in judged if j.telling), default=1.0),
        inputs=inputs,
        sizes=sizes,
        tolerance=TOLERANCE if worst is None else worst.allowed,
        exact_failures=faults + len(failures),
        right=right and worst is not None,
    )


def _worst(judged: Sequence[Judged], *, right: bool) -> Judged | None:
    usual = [j for j in judged if j.allowed == TOLERANCE] if right else []
    return max(usual or judged, key=lambda j: (j.closeness, j.error), default=None)


def price_figure(rows: Sequence[Row], failures: Sequence[Failure], inputs: int, sizes: int, max_error: float) -> Figure:
    """What the plan costs: relative L2 of the worst input, which may be at most ``max_error``."""
    judged = judge(rows)
    telling = [j.row.comparison for j in judged if j.telling]
    worst = max((found.relative_l2 for found in telling), default=0.0)
    exact = sum(bool(row.comparison.fault) for row in rows)
    broken = any(_is_broken(row.comparison) for row in rows)
    return Figure(
        max_rel_error=max((j.error for j in judged if j.telling), default=0.0),
        relative_l2=worst,
        cosine=min((found.cosine for found in telling), default=1.0),
        inputs=inputs,
        sizes=sizes,
        tolerance=max_error,
        exact_failures=exact + len(failures),
        right=bool(rows) and not failures and not broken and worst <= max_error,
    )


def _is_broken(found: Comparison) -> bool:
    """A shape or a NaN that quantization does not excuse; an integer that it moved counts in the L2."""
    return bool(found.fault) and found.fault != EXACT
