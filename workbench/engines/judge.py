"""From compared outputs to a figure: what counts as right, in one place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from workbench.core.verdict import Figure
from workbench.engines.comparison import EXACT, MISSING, SHAPE, Comparison, Slices
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
SLICE_TOLERANCE: Final = 0.1
"""Largest absolute error within a slice, relative to the slice's own largest value over all ordinary inputs. It binds
only slices below a fiftieth of the output, where ``TOLERANCE`` allows an error as large as what the slice holds."""
SLICE_RESOLUTION: Final = 2.0**-20
"""An error below this part of the output's largest value is rounding: eight of float's units."""
LEAST_IN_SLICE: Final = 3
"""Values that a slice must have over all ordinary inputs: one alone may be small by chance."""
LARGEST_INDEX: Final = 4096.0
"""A slice of whole numbers up to this holds indices, such as the classes in a detector's rows: an error of a half is
another one. Above, they may be sums."""
TELLING: Final = 0.05
"""Outputs smaller than this part of their largest value over all inputs tell no direction: they do
not count for ``relative_l2`` and ``cosine``."""


@dataclass(frozen=True, slots=True)
class Change:
    """How far an output moves under noise, absolutely: the whole, and every slice by its axis."""

    whole: float
    slices: Mapping[int, Sequence[float]] = field(default_factory=dict)


Changes = Mapping[tuple[int, str], Change]
"""By case and output."""
_STILL: Final = Change(0.0)


@dataclass(frozen=True, slots=True)
class SliceRange:
    """Of every slice along an axis over all ordinary inputs: values in each, the largest, whether all are whole."""

    count: int
    largest: tuple[float, ...]
    whole: tuple[bool, ...]

    def widened(self, cut: Slices) -> SliceRange:
        """With those of one more input."""
        return SliceRange(
            self.count + cut.count,
            tuple(map(max, self.largest, cut.largest)),
            tuple(map(min, self.whole, cut.whole)),
        )


@dataclass(frozen=True, slots=True)
class Ranges:
    """Every output's largest absolute reference value over all ordinary inputs; 1 where it is always zero.

    ``slices``: by output and axis; no axes of several sizes.
    """

    outputs: Mapping[str, float]
    slices: Mapping[tuple[str, int], SliceRange] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """One row with what it is allowed. ``error`` and ``allowed`` are relative to the same value.

    ``place``: axis and index of the slice that they are of; None where they are of the whole output.
    """

    row: Row
    error: float
    allowed: float
    telling: bool
    place: tuple[int, int] | None = None

    @property
    def right(self) -> bool:
        return not self.row.comparison.fault and self.error <= self.allowed

    @property
    def closeness(self) -> float:
        """The error in units of what is allowed; infinite for a fault."""
        if self.row.comparison.fault:
            return math.inf
        return self.error / self.allowed


def judge(rows: Sequence[Row], changes: Changes | None = None, ranges: Ranges | None = None) -> tuple[Judged, ...]:
    """Each row against its tolerance: the whole output's, then that of each of its slices.

    ``changes``: measured noise, where the default did not suffice. ``ranges``: as ``ranges_of`` gives
    them, where ``rows`` are only some of the inputs.
    """
    known = ranges_of(rows) if ranges is None else ranges
    return tuple(_judged(row, known, (changes or {}).get((row.case, row.output), _STILL)) for row in rows)


def ranges_of(rows: Iterable[Row]) -> Ranges:
    """The ranges of the outputs of ``rows``, which are those of the ordinary inputs."""
    outputs: dict[str, float] = {}
    slices: dict[tuple[str, int], SliceRange] = {}
    open_axes: set[tuple[str, int]] = set()
    for row in rows:
        outputs[row.output] = max(outputs.get(row.output, 0.0), row.comparison.largest)
        for cut in row.comparison.slices:
            key = (row.output, cut.axis)
            known = slices.get(key, SliceRange(0, cut.largest, cut.whole))
            if len(known.largest) != len(cut.largest):
                open_axes.add(key)
            slices[key] = known.widened(cut)
    slices = {key: slice_range for key, slice_range in slices.items() if key not in open_axes}
    return Ranges({output: largest or 1.0 for output, largest in outputs.items()}, slices)


def _judged(row: Row, ranges: Ranges, change: Change) -> Judged:
    found = row.comparison
    if found.fault in (MISSING, SHAPE):  # no error can be told
        return Judged(row, math.inf, TOLERANCE, telling=True)
    widest = ranges.outputs[row.output]
    telling = found.largest >= TELLING * widest
    if TOLERANCE * found.largest < RESOLUTION * widest:
        allowed = max(RESOLUTION, _excused(change.whole, widest))
        return Judged(row, found.max_abs / widest, allowed, telling)
    whole = Judged(row, found.max_abs / found.largest, max(TOLERANCE, _excused(change.whole, found.largest)), telling)
    return (whole.right and _worst_slice(whole, ranges, change)) or whole


def _worst_slice(whole: Judged, ranges: Ranges, change: Change) -> Judged | None:
    """The slice that is the furthest off; None where all are right."""
    row = whole.row
    least = SLICE_RESOLUTION * max(row.comparison.largest, ranges.outputs[row.output])
    wrong: list[Judged] = []
    for cut in row.comparison.slices:
        known = ranges.slices.get((row.output, cut.axis))
        if known is None or known.count < LEAST_IN_SLICE or len(known.largest) != len(cut.largest):
            continue
        moved = change.slices.get(cut.axis, (0.0,) * len(known.largest))
        for index, (error, usual) in enumerate(zip(cut.errors, known.largest, strict=True)):
            if usual > least and error > least:
                largest = max(cut.largest[index], usual)
                indices = known.whole[index] and cut.whole[index] and largest <= LARGEST_INDEX
                tolerance = min(SLICE_TOLERANCE, 0.5 / largest) if indices else SLICE_TOLERANCE
                allowed = max(tolerance, NOISE_FACTOR * moved[index] / largest)
                wrong.append(Judged(row, error / largest, allowed, whole.telling, (cut.axis, index)))
    return max((found for found in wrong if not found.right), key=lambda found: found.closeness, default=None)


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
