"""What the profiled runs say of each operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from workbench.engines.mnn.loaded_model import OpTime

_MFLOPS_DIGITS: Final = 6  # one operation


@dataclass(slots=True)
class _Op:
    """``ns``: by profiled run, from 0. ``mflops``: summed over all of them."""

    ns: dict[int, int] = field(default_factory=dict)
    mflops: float = 0.0


class OpTimes:
    """One time an operator and run; ``runs`` counts them.

    Operators are told apart by name and type; one that a run passes more than once has their sum.
    """

    def __init__(self) -> None:
        self.runs = 0
        self._ops: dict[tuple[str, str], _Op] = {}

    def add(self, ops: Sequence[OpTime]) -> None:
        """The operators of one more run, in the engine's order."""
        for op in ops:
            kept = self._ops.setdefault((op.name, op.type), _Op())
            kept.ns[self.runs] = kept.ns.get(self.runs, 0) + op.ns
            kept.mflops += op.mflops
        self.runs += 1

    def figures(self) -> Iterator[dict[str, object]]:
        """The fields of each ``op``. Medians: a run that another program interrupted does not move them."""
        for (name, kind), op in self._ops.items():
            ns = median(op.ns.get(run, 0) for run in range(self.runs))
            mflops = round(op.mflops / self.runs, _MFLOPS_DIGITS)
            yield {"name": name, "type": kind, "ms": ns / 1e6, "n": self.runs, "mflops": mflops}
