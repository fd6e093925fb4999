"""Colours as people with colour-blindness see them, and how far apart two colours look.

Simulation: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency" (2009), severity 1.0. Distance: CIE76 in CIELAB (D65).
"""

from __future__ import annotations

from math import sqrt

from workbench.ui.theme.contrast import channels, linear

MACHADO = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)

Triple = tuple[float, float, float]


def _apply(matrix: tuple[Triple, Triple, Triple], v: Triple) -> Triple:
    a, b, c = (sum(m * x for m, x in zip(row, v, strict=True)) for row in matrix)
    return a, b, c


def seen(color: str, vision: str) -> Triple:
    """``color`` in CIELAB as ``vision`` sees it."""
    red, green, blue = (linear(channel) for channel in channels(color))
    light = _apply(MACHADO[vision], (red, green, blue))
    clipped = tuple(min(1.0, max(0.0, value)) for value in light)
    x, y, z = (value / white for value, white in zip(_apply(_XYZ, clipped), _WHITE, strict=True))

    def f(t: float) -> float:
        return t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116

    return 116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))


def delta_e(one: Triple, other: Triple) -> float:
    """CIE76: the distance in CIELAB."""
    return sqrt(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)))
