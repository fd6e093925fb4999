"""Percentiles over the latest runs, kept up to date run by run."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import deque
from typing import Final

WINDOW_S: Final = 2.0
LEAST: Final = 20
MOST: Final = 2000
"""The window is two seconds, but never under 20 runs (slow models) nor over 2,000 (a run of 50 us)."""
SHARES: Final = (0.5, 0.9, 0.99)


class Rolling:
    """The percentiles ``SHARES`` of a sliding window (nearest rank), some 3 us a run."""

    __slots__ = ("_arrived", "_ordered")

    def __init__(self) -> None:
        self._arrived: deque[tuple[float, float]] = deque()
        self._ordered: list[float] = []

    def add(self, t: float, value: float) -> tuple[float, ...]:
        """Take a run at ``t`` seconds in and answer the percentiles of the window that it ends."""
        arrived, ordered = self._arrived, self._ordered
        arrived.append((t, value))
        insort(ordered, value)
        while len(ordered) > LEAST and (len(ordered) > MOST or t - arrived[0][0] > WINDOW_S):
            del ordered[bisect_left(ordered, arrived.popleft()[1])]
        n = len(ordered)
        return tuple(ordered[math.ceil(share * n) - 1] for share in SHARES)
