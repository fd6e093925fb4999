"""Numbers as people read them: with a unit, and no more digits than they carry."""

from __future__ import annotations

from typing import Final

from workbench.core.numbers import three_digits

_BYTE_UNITS: Final = ("B", "KB", "MB", "GB", "TB")


def bytes_text(count: int) -> str:
    """ "812 B", "18.4 KB", "1.42 MB": decimal units, three digits."""
    value = float(count)
    for unit in _BYTE_UNITS:
        if value < 999.5 or unit == _BYTE_UNITS[-1]:
            return f"{count} B" if unit == "B" else f"{three_digits(value)} {unit}"
        value /= 1000
    raise AssertionError("the last unit returns")


def count_text(count: int) -> str:
    """ "47", "565,248"."""
    return f"{count:,}"


def error_text(value: float) -> str:
    """A relative error: "3e-6" below a thousandth, else two digits: "0.44"."""
    if value == 0:
        return "0"
    if value < 1e-3:
        mantissa, exponent = f"{value:.0e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def seconds_text(seconds: float) -> str:
    """ "0.4 s", "12 s", "3 min 20 s"."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def ms_text(ms: float) -> str:
    """ "38.5 ms", "2.14 ms"."""
    return f"{three_digits(ms)} ms"
