"""Where everything of one picture lies: pixels of the time axis and of each lane."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from workbench.core.run import Budget
from workbench.ui.live.recording import Phase, Recording, Slowdown
from workbench.ui.live.scale import Scale, TimeSpan


@dataclass(frozen=True, slots=True)
class LaneFrame:
    """One plot. ``scale`` is None where it has no data; ``right`` is a second scale with its own axis."""

    box: QRectF
    scale: Scale | None
    right: Scale | None = None

    def y(self, value: float) -> float:
        """Pixels of ``value``; below or above the box where it is off the scale."""
        return _y(self.box, self.scale, value)

    def right_y(self, value: float) -> float:
        return _y(self.box, self.right, value)


def _y(box: QRectF, scale: Scale | None, value: float) -> float:
    if scale is None:
        return box.bottom()
    return box.bottom() - (value - scale.low) / (scale.high - scale.low) * box.height()


@dataclass(frozen=True, slots=True)
class Layout:
    """What only changes now and then: the backdrop is drawn from it and kept.

    ``lanes`` are latency, memory, climate, or fewer where there is no room. ``top`` is where the
    phases' words begin.
    """

    size: tuple[float, float]
    top: float
    span: TimeSpan
    step_s: float
    lanes: tuple[LaneFrame, ...]
    phases: tuple[Phase, ...]
    slowdown: Slowdown | None
    states: tuple[str, ...]
    simulated: bool = False

    def x(self, t: float) -> float:
        """Pixels of ``t`` seconds after the run's beginning."""
        box = self.lanes[0].box
        return box.left() + (t - self.span.left) / self.span.width * box.width()

    def t(self, x: float) -> float:
        """The time at pixel ``x``."""
        box = self.lanes[0].box
        return self.span.left + (x - box.left()) / box.width() * self.span.width

    @property
    def seconds_a_pixel(self) -> float:
        return self.span.width / max(self.right - self.left, 1.0)

    @property
    def left(self) -> float:
        return self.lanes[0].box.left()

    @property
    def right(self) -> float:
        return self.lanes[0].box.right()

    @property
    def bottom(self) -> float:
        return self.lanes[-1].box.bottom()


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: the layout, and the run that it shows."""

    layout: Layout
    recording: Recording
    budget: Budget
