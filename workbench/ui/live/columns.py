"""Measured values in arrays that grow by doubling, and how they are thinned out for drawing."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
_FIRST: Final = 1024


class Column:
    """Floats in the order they came; adding is constant time on average."""

    __slots__ = ("_data", "_n")

    def __init__(self) -> None:
        self._data: Values = np.empty(_FIRST)
        self._n = 0

    def __len__(self) -> int:
        return self._n

    def append(self, value: float) -> None:
        if self._n == len(self._data):
            grown = np.empty(2 * self._n)
            grown[: self._n] = self._data
            self._data = grown
        self._data[self._n] = value
        self._n += 1

    @property
    def values(self) -> Values:
        """What is there now, without a copy. Later growth does not show in it."""
        return self._data[: self._n]

    @property
    def last(self) -> float:
        """NaN where nothing came yet."""
        return float(self._data[self._n - 1]) if self._n else math.nan


class Track:
    """Values over time: ``t`` in seconds, ascending."""

    __slots__ = ("t", "v")

    def __init__(self) -> None:
        self.t = Column()
        self.v = Column()

    def __len__(self) -> int:
        return len(self.t)

    def append(self, t: float, value: float) -> None:
        """A ``t`` before the last one counts as the last: two threads may report a little out of order."""
        self.t.append(max(t, self.t.last) if len(self.t) else t)
        self.v.append(value)

    def at(self, t: float) -> float:
        """The latest value at or before ``t``; NaN before the first."""
        index = int(np.searchsorted(self.t.values, t, side="right")) - 1
        return float(self.v.values[index]) if index >= 0 else math.nan


def visible(t: Values, left: float, right: float) -> slice:
    """The part of ``t`` between ``left`` and ``right``, and one more on either side to lead lines out."""
    first, last = np.searchsorted(t, (left, right))
    return slice(max(int(first) - 1, 0), min(int(last) + 1, len(t)))


def peaks(t: Values, v: Values, part: slice, most: int) -> tuple[Values, Values]:
    """``part`` of a line thinned to about ``most`` points that keep each bucket's extremes.

    Buckets start at multiples of their size, so a line that grows does not shimmer.
    """
    count = part.stop - part.start
    if count <= most:
        return t[part], v[part]
    size = math.ceil(2 * count / most)
    start = part.start - part.start % size
    edges = np.arange(start, part.stop, size)
    out = np.empty(2 * len(edges))
    window = v[: part.stop]
    out[0::2] = np.minimum.reduceat(window, edges)
    out[1::2] = np.maximum.reduceat(window, edges)
    return np.repeat(t[edges], 2), out


def strided(t: Values, v: Values, part: slice, most: int) -> tuple[Values, Values]:
    """``part`` of a smooth line thinned to at most about ``most`` points; the last one is always there."""
    count = part.stop - part.start
    if count <= most:
        return t[part], v[part]
    step = math.ceil(count / most)
    picked = np.arange(part.start - part.start % step, part.stop, step)
    if picked[-1] != part.stop - 1:
        picked = np.append(picked, part.stop - 1)
    return t[picked], v[picked]
