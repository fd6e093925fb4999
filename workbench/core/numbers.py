"""Measured numbers as text: no more digits than they carry, and no exponent."""

from __future__ import annotations

import math
from typing import Final

_MOST_DECIMALS: Final = 5


def decimals_of(value: float) -> int:
    """Decimals that give ``value`` three significant digits, at most 5."""
    if value == 0 or not math.isfinite(value):
        return 1
    rounded = float(f"{value:.3g}")  # 9.996 is 10.0
    return min(max(2 - math.floor(math.log10(abs(rounded))), 0), _MOST_DECIMALS)


def three_digits(value: float) -> str:
    """Three significant digits without an exponent: "0.0184", "0.184", "1.42", "18.4", "276", "1234"."""
    return f"{value:.{decimals_of(value)}f}"
