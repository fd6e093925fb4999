"""Contrast of colours as WCAG 2 defines it; colours are "#RRGGBB"."""

from __future__ import annotations

from functools import lru_cache

from workbench.ui.theme.tokens import ON_DATA


def channels(color: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def linear(channel: int) -> float:
    """One sRGB channel (0 to 255) as linear light, 0 to 1 (IEC 61966-2-1)."""
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


@lru_cache(maxsize=1024)
def luminance(color: str) -> float:
    """Relative luminance, 0 (black) to 1 (white)."""
    red, green, blue = channels(color)
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def contrast(one: str, other: str) -> float:
    """Contrast ratio, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def on_data(fill: str) -> str:
    """The text colour for a data fill: near black or white, whichever contrasts more."""
    return max(ON_DATA, key=lambda ink: contrast(ink, fill))


def mix(one: str, other: str, share: float) -> str:
    """``one`` with ``share`` (0 to 1) of ``other`` over it, as painting at that opacity gives."""
    pairs = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)
