"""Which of a device's many thermal zones tells how warm a run makes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_FAMILIES: Final = (
    ("cpu", ("cpu", "big", "mid", "little", "x86_pkg_temp", "coretemp")),
    ("soc", ("soc", "ap", "tsens")),
    ("skin", ("skin", "quiet", "xo-therm")),
    ("battery", ("batt",)),
)
"""Beginnings of zone types, nearest to the cores first. Vendors name zones freely: "cpu-1-3",
"cpuss-0" (Qualcomm), "BIG", "LITTLE" (Exynos, Tensor), "soc_thermal", "mtktscpu" (MediaTek)."""


@dataclass(frozen=True, slots=True)
class Zones:
    """The zones followed: the hottest of them counts. ``family`` names them in a few letters."""

    family: str
    names: tuple[str, ...]

    def hottest(self, temperatures: Mapping[str, float]) -> float | None:
        """Degrees Celsius; None where none of the zones was read this time."""
        return max((temperatures[name] for name in self.names if name in temperatures), default=None)


def choose(names: Iterable[str]) -> Zones | None:
    """The zones to follow among those readable; None where there are none."""
    readable = tuple(names)
    for family, beginnings in _FAMILIES:
        found = tuple(name for name in readable if _is_of(name.lower(), beginnings))
        if found:
            return Zones(family, found)
    return Zones(readable[0], readable[:1]) if readable else None


def _is_of(name: str, beginnings: tuple[str, ...]) -> bool:
    return name.removeprefix("mtkts").startswith(beginnings)
