"""The figures of the steady runs so far, quick enough to be made while they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from workbench.core.statistics import mean_margin, quantile, quantile_interval
from workbench.ui.live.columns import Values
from workbench.ui.live.recording import Recording
from workbench.ui.live.scale import nice_scale

_BINS: Final = 36
_HISTOGRAM_INTERVALS: Final = 4
_REACH: Final = 2.5
"""The histogram ends this many times the distance from the least to p90; its last bar has the rest."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """Milliseconds. ``interval`` holds the true value with 95 % confidence; None with too few runs."""

    value: float
    interval: tuple[float, float] | None

    @property
    def uncertainty(self) -> float | None:
        """Width of the interval."""
        return self.interval[1] - self.interval[0] if self.interval else None


@dataclass(frozen=True, slots=True)
class Histogram:
    """``counts`` of equal bins from ``low`` to ``high`` ms. ``overflow``: the last one has all above it too."""

    low: float
    high: float
    counts: tuple[int, ...]
    ticks: tuple[float, ...]
    decimals: int
    overflow: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """Of ``n`` steady runs. ``margin`` is half the interval of the mean."""

    n: int
    p50: Quantity
    p90: Quantity
    p99: Quantity
    mean: float
    margin: float | None
    histogram: Histogram


def figures(recording: Recording) -> Figures | None:
    """The figures of ``recording``; None before the first steady run. Sorting 60,000 runs takes about 1 ms."""
    start = recording.steady_from
    if start is None:
        return None
    sorted_ms = np.sort(recording.runs.v.values[start:])
    ordered = cast(Sequence[float], sorted_ms)
    p50, p90, p99 = (Quantity(quantile(ordered, q), quantile_interval(ordered, q)) for q in (0.5, 0.9, 0.99))
    n = len(sorted_ms)
    return Figures(
        n=n,
        p50=p50,
        p90=p90,
        p99=p99,
        mean=recording.steady.mean,
        margin=mean_margin(recording.steady.stdev, n),
        histogram=_histogram(sorted_ms, p90.value),
    )


def p90_from(recording: Recording, start: float) -> float | None:
    """p90 of the steady runs that began at ``start`` or later; None where there are none."""
    runs = recording.runs
    first = int(np.searchsorted(runs.t.values, start))
    late = np.sort(runs.v.values[max(first, recording.steady_from or 0) :])
    return quantile(cast(Sequence[float], late), 0.9) if len(late) else None


def _histogram(ordered: Values, p90: float) -> Histogram:
    """Bins over the bulk of ascending values, on a scale with round ticks."""
    least, most = float(ordered[0]), float(ordered[-1])
    reach = min(most, least + _REACH * (p90 - least)) if p90 > least else most
    scale = nice_scale(least, reach, _HISTOGRAM_INTERVALS)
    ticks = tuple(tick for tick in scale.ticks if least <= tick <= reach) or scale.ticks
    low, high = (least, reach) if reach > least else (scale.low, scale.high)
    width = (high - low) / _BINS
    indices = np.clip(((ordered - low) / width).astype(np.int64), 0, _BINS - 1)
    counts = np.bincount(indices, minlength=_BINS)
    return Histogram(low, high, tuple(counts.tolist()), ticks, scale.decimals, overflow=most > high)
