"""Where a sequence repeats itself: the blocks of a network whose names do not tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

_LEAST: Final = 3
_MAX_PERIOD: Final = 600
_NEARLY_ALL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Repeat:
    """``count`` blocks of ``period`` elements each, from ``start`` on."""

    start: int
    period: int
    count: int

    @property
    def stop(self) -> int:
        return self.start + self.period * self.count


def find_repeats(labels: Sequence[int], crossing: Sequence[int]) -> list[Repeat]:
    """The repeats in ``labels``, left to right, each of at least three blocks.

    Of all periods that cover nearly as much as the best, the smallest is taken; then what lies
    left and right of it is searched. ``crossing[i]`` counts the values that cross the cut before
    element ``i``: blocks are cut where fewest do.
    """
    found: list[Repeat] = []
    pending = [(0, len(labels))]
    while pending:
        low, high = pending.pop()
        repeat = _best(np.asarray(labels[low:high]), np.asarray(crossing[low:high]))
        if repeat is not None:
            shifted = Repeat(low + repeat.start, repeat.period, repeat.count)
            found.append(shifted)
            pending += [(low, shifted.start), (shifted.stop, high)]
    return sorted(found, key=lambda repeat: repeat.start)


def _best(labels: NDArray[np.int64], crossing: NDArray[np.int64]) -> Repeat | None:
    runs: list[tuple[int, int, int]] = []
    for period in range(1, min(_MAX_PERIOD, len(labels) // _LEAST) + 1):
        start, length = _longest_true(labels[:-period] == labels[period:])
        if length >= period * (_LEAST - 1):
            runs.append((length + period, period, start))
    if not runs:
        return None
    most = max(covered for covered, _, _ in runs)
    covered, period, start = min((run for run in runs if run[0] >= _NEARLY_ALL * most), key=lambda run: run[1])
    spare = covered - _LEAST * period
    shifts = range(min(period, spare + 1))
    # The median: near the ends fewer values are alive, which says nothing of the blocks.
    cuts = [float(np.median(crossing[start + shift : start + covered : period])) for shift in shifts]
    shift = int(np.argmin(cuts))
    return Repeat(start + shift, period, (covered - shift) // period)


def _longest_true(mask: NDArray[np.bool_]) -> tuple[int, int]:
    """Start and length of the longest run of True."""
    breaks = np.concatenate(([-1], np.flatnonzero(~mask), [len(mask)]))
    lengths = np.diff(breaks) - 1
    longest = int(lengths.argmax())
    return int(breaks[longest]) + 1, int(lengths[longest])
