"""How a phone warms, throttles and charges: first-order models with round constants of no particular phone.

Each part's temperature follows its target with a time constant: dT/dt = (target - T) / tau, where
target = surroundings + rise * busy cores. The surroundings wander by 0.4 degrees a minute, so an
idle phone is not a constant either. The battery integrates the current. All of it is driven by
the processor time that the phone's own programs really use.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

_AMBIENT_C: Final = 27.0
_THROTTLE_BEGIN_C: Final = 60.0
_THROTTLE_SPAN_C: Final = 50.0
_SLOWEST_SHARE: Final = 0.5
_STATUS_STEPS_C: Final = (60.0, 70.0, 80.0)
"""Thermal status 1 (light), 2 (moderate), 3 (severe)."""
_CAPACITY_MAH: Final = 4500.0
_USB_MA: Final = 900.0
_IDLE_MA: Final = 250.0
_BUSY_CORE_MA: Final = 650.0
_EMPTY_MV: Final = 3500.0
_FULL_MV: Final = 4350.0


@dataclass(frozen=True, slots=True)
class Part:
    """``kind``: Android's TemperatureType. ``rise``: degrees a busy core, ``tau`` in seconds."""

    zone: str
    name: str
    kind: int
    idle: float
    rise: float
    tau: float


PARTS: Final = (
    Part("cpu-0-0", "CPU0", 0, 7.0, 14.0, 6.0),
    Part("cpu-1-0", "CPU1", 0, 8.0, 16.0, 5.0),
    Part("gpu", "GPU0", 1, 5.0, 5.0, 12.0),
    Part("battery", "battery", 2, 2.5, 2.0, 300.0),
    Part("skin", "skin", 3, 4.0, 3.0, 60.0),
)


@dataclass(frozen=True, slots=True)
class Climate:
    """``temperatures`` in degrees Celsius in the order of PARTS; ``busy`` cores; ``charge_mah`` in the battery."""

    seconds: float = 0.0
    temperatures: tuple[float, ...] = tuple(_AMBIENT_C + part.idle for part in PARTS)
    busy: float = 0.0
    charge_mah: float = _CAPACITY_MAH * 0.76
    current_ma: float = _USB_MA - _IDLE_MA

    def after(self, seconds: float, busy: float) -> Climate:
        """The state after ``seconds`` with ``busy`` cores at work."""
        now = self.seconds + seconds
        ambient = _AMBIENT_C + 0.4 * math.sin(now * math.tau / 60.0)
        temperatures = tuple(
            old + (ambient + part.idle + part.rise * busy - old) * -math.expm1(-seconds / part.tau)
            for part, old in zip(PARTS, self.temperatures, strict=True)
        )
        current = _USB_MA - _IDLE_MA - _BUSY_CORE_MA * busy
        charge = min(max(self.charge_mah + current * seconds / 3600.0, 0.0), _CAPACITY_MAH)
        return replace(self, seconds=now, temperatures=temperatures, busy=busy, charge_mah=charge, current_ma=current)

    @property
    def hottest(self) -> float:
        return max(self.temperatures)

    @property
    def status(self) -> int:
        """Android's thermal status, 0 (none) to 3 (severe)."""
        return status_of(self.hottest)

    @property
    def clock_share(self) -> float:
        """The share of the top clock that throttling leaves."""
        return min(1.0, max(_SLOWEST_SHARE, 1.0 - (self.hottest - _THROTTLE_BEGIN_C) / _THROTTLE_SPAN_C))

    @property
    def level(self) -> int:
        """The battery's charge in per cent."""
        return round(100.0 * self.charge_mah / _CAPACITY_MAH)

    @property
    def millivolts(self) -> int:
        share = self.charge_mah / _CAPACITY_MAH
        return round(_EMPTY_MV + (_FULL_MV - _EMPTY_MV) * share + 0.05 * self.current_ma)

    @property
    def battery_c(self) -> float:
        return next(t for part, t in zip(PARTS, self.temperatures, strict=True) if part.name == "battery")


def status_of(celsius: float) -> int:
    """The thermal status that one temperature calls for."""
    return sum(celsius >= step for step in _STATUS_STEPS_C)
