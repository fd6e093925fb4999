"""Round numbers for axes, and ranges that grow in steps instead of at every value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

_STEPS: Final = (1.0, 2.0, 5.0, 10.0)
_SPANS: Final = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
"""A time axis grows from one of these (times a power of ten) to the next: at most a quarter stays empty."""
LIVE_SPAN_S: Final = 2.0
"""Least span of the steady phase while it grows: shorter ones would be redrawn several times a second."""
_SPAN_EPSILON: Final = 1e-9
_LEAD_SHARE: Final = 0.25
"""What lies before the steady phase gets at most this share of the steady phase's span."""
_OVER: Final = 0.01
"""Share of a step by which a value may lie over the last tick: a limit of 300 MB is 300.0003 in kB of /proc."""
_HEADROOM: Final = 0.06
_LEAST_FILL: Final = 0.2
"""Values that shrank to a fifth of their scale (a slow first run is behind them) get a new one."""
_INTERVALS: Final = 4
"""Four or fewer gaps are five or fewer ticks."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A value axis from ``low`` to ``high``, both on ticks ``step`` apart."""

    low: float
    high: float
    step: float

    @property
    def ticks(self) -> tuple[float, ...]:
        count = round((self.high - self.low) / self.step)
        return tuple(self.low + index * self.step for index in range(count + 1))

    @property
    def decimals(self) -> int:
        return decimals_of(self.step)

    def holds(self, low: float, high: float) -> bool:
        return self.low <= low and high <= self.high


def nice_scale(low: float, high: float, intervals: int = _INTERVALS) -> Scale:
    """The tightest scale on round numbers for ``low`` to ``high`` in at most ``intervals`` steps."""
    if not high > low:
        low, high = low - 0.1 * abs(low), high + (0.1 * abs(high) or 1.0)
    for step in _round_steps((high - low) / intervals):
        bottom = math.floor(low / step + _OVER) * step
        top = math.ceil(high / step - _OVER) * step
        if round((top - bottom) / step) <= intervals:
            return Scale(bottom, top, step)
    raise AssertionError("the last step is ten times the first")


def grown(scale: Scale | None, low: float, high: float, intervals: int = _INTERVALS) -> Scale:
    """``scale`` itself while it holds the values and they fill a good part of it, else a new one."""
    if scale is not None and scale.holds(low, high) and high - low > _LEAST_FILL * (scale.high - scale.low):
        return scale
    return nice_scale(low, high, intervals)


def roomy(low: float, high: float) -> float:
    """``high`` with room above the data to grow into."""
    return high + _HEADROOM * (high - low)


def decimals_of(step: float) -> int:
    """Decimals that write every multiple of a round ``step``."""
    return next((digits for digits in range(9) if abs(round(step, digits) - step) < step * 1e-6), 9)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """What the time axis shows, in seconds after the run's beginning; ``origin`` is its zero."""

    left: float
    right: float
    origin: float

    @property
    def width(self) -> float:
        return self.right - self.left


def time_span(origin: float, elapsed: float, *, steady: bool, ended: bool, room: float = 0.06) -> TimeSpan:
    """The span for a run of ``elapsed`` seconds whose steady phase, if ``steady``, began at ``origin``.

    ``room``: the share of the width that stays free right of the newest value, for its labels.
    """
    least = 0.0 if ended else LIVE_SPAN_S
    needed = max((elapsed - origin) / (1 - room), least, 1e-4)
    span = _round_span(needed)
    left = max(0.0, origin - _LEAD_SHARE * span) if steady else 0.0
    return TimeSpan(left, origin + span, origin)


def time_step(width_s: float, pixels: float, least_gap: float) -> float:
    """Seconds between ticks at least ``least_gap`` pixels apart."""
    return next(iter(_round_steps(width_s * least_gap / max(pixels, 1.0))))


def _round_span(needed: float) -> float:
    power = 10.0 ** math.floor(math.log10(needed))
    return next(factor * power for factor in _SPANS if factor * power >= needed * (1 - _SPAN_EPSILON))


def _round_steps(least: float) -> tuple[float, ...]:
    """Round steps from ``least`` up over more than one power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    steps = (factor * scale for scale in (power, 10 * power) for factor in _STEPS)
    return tuple(step for step in steps if step >= least * (1 - _SPAN_EPSILON))
