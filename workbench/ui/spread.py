"""Places on a line kept apart: ports on the border of a box, labels beside a plot."""

from __future__ import annotations

from collections.abc import Sequence


def spread(wishes: Sequence[float], low: float, high: float, gap: float) -> list[float]:
    """``wishes`` (ascending) moved as little as it takes to be ``gap`` apart within ``low`` and ``high``.

    The mean of moving right only and moving left only: both keep the gaps, so their mean does.
    Where they do not all fit, the gap shrinks.
    """
    if len(wishes) < 2:
        return list(wishes)
    gap = min(gap, (high - low) / (len(wishes) - 1))
    rightward = _pushed(wishes, low, high, gap)
    leftward = [-x for x in reversed(_pushed([-wish for wish in reversed(wishes)], -high, -low, gap))]
    return [(a + b) / 2 for a, b in zip(rightward, leftward, strict=True)]


def _pushed(wishes: Sequence[float], low: float, high: float, gap: float) -> list[float]:
    """Each pushed right by the one before, then all pushed back from ``high``."""
    places: list[float] = []
    for wish in wishes:
        places.append(max(low, wish, places[-1] + gap if places else low))
    limit = high
    for place in range(len(places) - 1, -1, -1):
        places[place] = min(places[place], limit)
        limit = places[place] - gap
    return places
