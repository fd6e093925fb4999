"""Where the plane of the scene lies in the window: zoom and place. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

LEAST_ZOOM: Final = 0.02
MOST_ZOOM: Final = 4.0
_STEPS: Final = (0.02, 0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 0.7, 0.85, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)


@dataclass(frozen=True, slots=True)
class Camera:
    """``zoom`` 1.0 is 100 %; ``unit`` is the user's font scale; ``x``, ``y``: the scene's origin in the window.

    ``ratio`` is the device's pixels to one of the window. Places snap to whole device pixels, so
    that lines stay sharp and what was painted can be shifted.
    """

    zoom: float = 1.0
    unit: float = 1.0
    x: float = 0.0
    y: float = 0.0
    ratio: float = 1.0

    @property
    def scale(self) -> float:
        """Window pixels to one of the scene."""
        return self.zoom * self.unit

    def snapped(self) -> Camera:
        return replace(self, x=round(self.x * self.ratio) / self.ratio, y=round(self.y * self.ratio) / self.ratio)

    def to_scene(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.x) / self.scale, (y - self.y) / self.scale

    def to_window(self, x: float, y: float) -> tuple[float, float]:
        return x * self.scale + self.x, y * self.scale + self.y

    def panned(self, dx: float, dy: float) -> Camera:
        return replace(self, x=self.x + dx, y=self.y + dy).snapped()

    def zoomed(self, zoom: float, x: float, y: float) -> Camera:
        """``zoom`` about the window's point (x, y), which keeps showing the same place."""
        zoom = min(MOST_ZOOM, max(LEAST_ZOOM, zoom))
        factor = zoom / self.zoom
        return replace(self, zoom=zoom, x=x + (self.x - x) * factor, y=y + (self.y - y) * factor).snapped()

    def looking_at(self, x: float, y: float, width: float, height: float) -> Camera:
        """The scene's point (x, y) in the middle of a window."""
        return replace(self, x=width / 2 - x * self.scale, y=height / 2 - y * self.scale).snapped()

    def between(self, other: Camera, share: float) -> Camera:
        """On the way to ``other``: zoom in equal ratios, so that the pace looks even."""
        zoom = self.zoom * (other.zoom / self.zoom) ** share
        spread = other.zoom - self.zoom
        moved = share if abs(spread) < 1e-9 else (zoom - self.zoom) / spread
        return replace(
            other, zoom=zoom, x=self.x + (other.x - self.x) * moved, y=self.y + (other.y - self.y) * moved
        ).snapped()


def larger_zoom(zoom: float) -> float:
    """The next of the usual zooms above ``zoom``."""
    return next((step for step in _STEPS if step > zoom * 1.01), MOST_ZOOM)


def smaller_zoom(zoom: float) -> float:
    """The next of the usual zooms below ``zoom``."""
    return next((step for step in reversed(_STEPS) if step < zoom * 0.99), LEAST_ZOOM)


def fitting(width: float, height: float, margins: tuple[float, float, float, float], size: tuple[float, float],
            base: Camera) -> Camera:  # fmt: skip
    """All of a scene of ``size`` in a window of width and height, clear of ``margins`` (left, top, right, bottom).

    A small scene is not enlarged.
    """
    left, top, right, bottom = margins
    room_x, room_y = max(1.0, width - left - right), max(1.0, height - top - bottom)
    zoom = min(room_x / max(1.0, size[0]), room_y / max(1.0, size[1])) / base.unit
    zoom = min(1.0, max(LEAST_ZOOM, zoom))
    scale = zoom * base.unit
    x = left + (room_x - size[0] * scale) / 2
    y = top + (room_y - size[1] * scale) / 2
    return replace(base, zoom=zoom, x=x, y=y).snapped()
