"""The plots above each other: who has room, and how high each is."""

from __future__ import annotations

from typing import Final

import pyqtgraph as pg
from PySide6.QtWidgets import QGraphicsGridLayout

from workbench.core.run import Budget
from workbench.ui.live.backdrop import ROW
from workbench.ui.live.frame import LaneFrame
from workbench.ui.live.lanes import ClimateLane, Lane, LatencyLane, MemoryLane
from workbench.ui.live.recording import Reading, Recording
from workbench.ui.live.scale import TimeSpan
from workbench.ui.theme.theme import theme

LEFT: Final = 62
TOP: Final = 8
_RIGHT: Final = 32
_HEADING: Final = 34
_AXIS: Final = 28
_ABSENT: Final = 10
_SHARES: Final = (46, 24, 24)
_ROOM: Final = (0, 300, 420)
"""Heights from which the second and the third plot are shown."""


class Plots:
    """Latency, memory and climate in a grid of pyqtgraph's."""

    def __init__(self) -> None:
        self.grid = pg.GraphicsLayout()
        self._lanes: tuple[Lane, ...] = (LatencyLane(), MemoryLane(), ClimateLane())
        self._shown: tuple[Lane, ...] = ()
        self._arranged: tuple[object, ...] = ()

    @property
    def width(self) -> float:
        """Pixels of the time axis."""
        return max(float(self._lanes[0].box.sceneBoundingRect().width()), 1.0)

    def reset(self) -> None:
        for lane in self._lanes:
            lane.reset()

    def restyle(self, ratio: float) -> None:
        for lane in self._lanes:
            lane.restyle(ratio)

    def draw(self, recording: Recording, budget: Budget, span: TimeSpan) -> tuple[LaneFrame, ...]:
        """Give the curves what ``span`` shows; where the plots lie comes back."""
        for lane in self._shown:
            lane.rescale(recording, budget)
            lane.draw(recording, span)
        return tuple(lane.frame() for lane in self._shown)

    def arrange(self, height: float, recording: Recording) -> None:
        """Rows for the plots that ``height`` has room for; those without data on this device shrink to a line."""
        px = theme().px
        absent = (False, recording.memory_reading is Reading.ABSENT, not _has_climate(recording))
        shown = sum(height >= px(least) for least in _ROOM)
        wanted = (height, shown, absent, theme().scale)
        if wanted == self._arranged:
            return
        self._arranged = wanted
        grid: QGraphicsGridLayout = self.grid.layout
        self._shown = self._lanes[:shown]
        for lane in self._lanes:
            if lane.box.parentLayoutItem() is not None:
                grid.removeItem(lane.box)
            lane.box.setVisible(lane in self._shown)
        for row in range(grid.rowCount()):
            _set_row(grid, row, 0, 0)
        grid.setContentsMargins(px(LEFT), px(TOP) + 2 * px(ROW), px(_RIGHT), px(_AXIS))
        grid.setSpacing(0)
        for index, lane in enumerate(self._shown):
            _set_row(grid, 2 * index, px(_HEADING), 0)
            if absent[index]:
                _set_row(grid, 2 * index + 1, px(_ABSENT), 0)
            else:
                _set_row(grid, 2 * index + 1, None, _SHARES[index])
            grid.addItem(lane.box, 2 * index + 1, 0)
        grid.activate()


def _has_climate(recording: Recording) -> bool:
    return recording.temperature_reading is not Reading.ABSENT or len(recording.frequency) > 0


def _set_row(grid: QGraphicsGridLayout, row: int, height: float | None, stretch: int) -> None:
    """A row of fixed ``height``, or one that takes its share of what is left."""
    grid.setRowMinimumHeight(row, 1 if height is None else height)
    grid.setRowMaximumHeight(row, 1e6 if height is None else height)
    grid.setRowPreferredHeight(row, 1 if height is None else height)
    grid.setRowStretchFactor(row, stretch)
