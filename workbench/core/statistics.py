"""What a series of latencies says, without assuming how it is distributed.

Latencies have a hard floor and a long upper tail, so medians and other quantiles are told, with
intervals from order statistics; mean and standard deviation come along for those who know them.

Sources: R. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages" (The American
Statistician 50, 1996), type 7, which is also numpy's default. W. Conover, "Practical
Nonparametric Statistics" (3rd ed., 1999), section 3.2: intervals for quantiles. B. Welford,
"Note on a Method for Calculating Corrected Sums of Squares and Products" (Technometrics 4,
1962). M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 26.7.5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from workbench.core.run import Latency

_CONFIDENCE: Final = 0.95
_SLOWER_RATIO: Final = 1.3
"""Medians of two runs on a phone at rest differ by a few per cent; a core that lost clock to heat
runs at half to three quarters of its speed, which is 1.3 to 2 times the time."""
LEAST_FOR_DRIFT: Final = 30
"""Ten values a third: fewer, and one interrupted run moves a third's median."""
_BLOCKS: Final = 60
"""Resolution of the place where a slowdown starts: one sixtieth of the series."""


def quantile(ordered: Sequence[float], share: float) -> float:
    """The ``share`` (0 to 1) quantile of ascending values, linear between order statistics (type 7).

    Raises ValueError where there are no values.
    """
    if len(ordered) == 0:
        raise ValueError("a quantile of nothing")
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return low + (high - low) * (position - below)


def quantile_interval(ordered: Sequence[float], share: float) -> tuple[float, float] | None:
    """Bounds that hold the ``share`` quantile with at least 95 %, whatever the distribution.

    The number of independent values below the quantile is binomial, so two order statistics bound
    it; ``ordered`` is ascending. None where there are too few values for any such bounds: under 6
    for the median, 36 for p90 and 368 for p99.
    """
    ranks = interval_ranks(len(ordered), share)
    if ranks is None:
        return None
    low, high = ranks
    return float(ordered[low - 1]), float(ordered[high - 1])


def least_runs(share: float) -> int:
    """How many values ``quantile_interval`` of a ``share`` from 0.5 up needs: 6, 36 for p90, 368 for p99.

    The largest value must lie above the quantile but for a chance of 2.5 %.
    """
    return math.ceil(math.log((1 - _CONFIDENCE) / 2) / math.log(share))


def median_interval(ordered: Sequence[float]) -> tuple[float, float] | None:
    """``quantile_interval`` of the median."""
    return quantile_interval(ordered, 0.5)


def interval_ranks(n: int, share: float) -> tuple[int, int] | None:
    """Ranks (from 1) of the two values among ``n`` that ``quantile_interval`` answers.

    r and s with P(B < r) <= tail and P(B >= s) <= tail, where B ~ Bin(n, share).
    """
    if n < 1:
        return None
    tail = (1 - _CONFIDENCE) / 2
    spread = math.sqrt(n * share * (1 - share))
    # Ten standard deviations below the mean hold less than 1e-20 of the mass.
    first = max(0, math.floor(n * share - 10 * spread) - 1)
    cumulative = 0.0
    low = 0
    for k in range(first, n + 1):
        cumulative += _binomial_mass(n, k, share)
        if cumulative <= tail:
            low = k + 1
        if cumulative >= 1 - tail:
            high = k + 1
            return (low, high) if low >= 1 and high <= n else None
    return None


def _binomial_mass(n: int, k: int, share: float) -> float:
    log_choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(log_choose + k * math.log(share) + (n - k) * math.log1p(-share))


def mean(values: Sequence[float]) -> float:
    """Raises ValueError where there are no values."""
    if len(values) == 0:
        raise ValueError("a mean of nothing")
    return math.fsum(values) / len(values)


def stdev(values: Sequence[float]) -> float:
    """The sample standard deviation (n - 1); NaN for fewer than two values."""
    if len(values) < 2:
        return math.nan
    centre = mean(values)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1))


def mean_margin(deviation: float, n: int) -> float | None:
    """Half the width of the mean's interval, by Student's t; None below 6 values.

    The t quantile is the expansion 26.7.5 around the normal one: 0.1 % off at 5 degrees of freedom.
    """
    if n < 6:
        return None
    df = n - 1
    z = NormalDist().inv_cdf(0.5 + _CONFIDENCE / 2)
    t = (
        z
        + (z**3 + z) / (4 * df)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * df**3)
    )
    return t * deviation / math.sqrt(n)


def latency(values_ms: Sequence[float]) -> Latency | None:
    """The figures of a run's steady latencies, in any order; None where there are none."""
    if len(values_ms) == 0:
        return None
    ordered = sorted(values_ms)
    return Latency(
        p50=quantile(ordered, 0.5),
        p90=quantile(ordered, 0.9),
        p99=quantile(ordered, 0.99),
        mean=mean(ordered),
        stdev=stdev(ordered),
        ci95=median_interval(ordered),
        n=len(ordered),
    )


@dataclass(frozen=True, slots=True)
class Drift:
    """How the end of a series differs from its beginning.

    ``ratio``: median of the last third over that of the first. ``start``: index from which on the
    values stay slow; None where the ratio is below 1.3.
    """

    ratio: float
    start: int | None

    @property
    def is_slower(self) -> bool:
        return self.start is not None


def drift(values: Sequence[float]) -> Drift | None:
    """Compare the last third of ``values`` (in the order measured) with the first; None below 30 values.

    A slowdown starts after the last of 60 blocks whose median is nearer to the first third's
    median than to the last third's.
    """
    n = len(values)
    if n < LEAST_FOR_DRIFT:
        return None
    third = n // 3
    begin, end = _median(values[:third]), _median(values[n - third :])
    if begin <= 0:
        return None
    ratio = end / begin
    if ratio < _SLOWER_RATIO:
        return Drift(ratio, None)
    middle = (begin + end) / 2
    size = max(3, n // _BLOCKS)
    starts = range(0, n - size + 1, size)
    fast = [start for start in starts if _median(values[start : start + size]) < middle]
    return Drift(ratio, fast[-1] + size if fast else 0)


def _median(values: Sequence[float]) -> float:
    return quantile(sorted(values), 0.5)


class Running:
    """Count, mean, deviation and extremes of values as they come, in constant memory (Welford)."""

    __slots__ = ("_squares", "high", "low", "mean", "n")

    def __init__(self) -> None:
        self.n = 0
        self.mean = math.nan
        self.low = math.inf
        self.high = -math.inf
        self._squares = 0.0

    def add(self, value: float) -> None:
        self.n += 1
        if self.n == 1:
            self.mean = value
        else:
            step = value - self.mean
            self.mean += step / self.n
            self._squares += step * (value - self.mean)
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    @property
    def stdev(self) -> float:
        """The sample standard deviation (n - 1); NaN for fewer than two values."""
        return math.sqrt(self._squares / (self.n - 1)) if self.n > 1 else math.nan
