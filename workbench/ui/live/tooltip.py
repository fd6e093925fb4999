"""What the crosshair says: the run at a time, in a box that stays inside the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from workbench.ui.live import ink
from workbench.ui.live.frame import Frame, Layout
from workbench.ui.live.recording import Reading, Recording
from workbench.ui.live.words import milliseconds, number, signed
from workbench.ui.text import tr
from workbench.ui.theme.fonts import REGULAR, SEMIBOLD, TABLE
from workbench.ui.theme.theme import qcolor, theme

_SNAP_PX: Final = 8
_PADDING: Final = 12
_ROW: Final = 22
_RADIUS: Final = 8
_LABEL: Final[tuple[int, QFont.Weight]] = (TABLE, REGULAR)
_VALUE: Final[tuple[int, QFont.Weight]] = (TABLE, SEMIBOLD)


@dataclass(frozen=True, slots=True)
class Tip:
    """``t`` is where the crosshair stands, ``rows`` are labels and values."""

    t: float
    title: str
    rows: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The same as one line, for screen readers."""
        return "; ".join((self.title, *(f"{label} {value}" for label, value in self.rows)))


def tip_at(frame: Frame, t: float) -> Tip:
    """The readings at ``t``, or at the run next to it where one is within a few pixels."""
    recording = frame.recording
    seconds_a_pixel = frame.layout.seconds_a_pixel
    index = nearest_run(recording, t)
    if index is not None and abs(recording.runs.t.values[index] - t) > _SNAP_PX * seconds_a_pixel:
        index = None
    where = float(recording.runs.t.values[index]) if index is not None else t
    seconds = number(where - frame.layout.span.origin, _time_decimals(seconds_a_pixel))
    title = (
        tr("{t} s", t=seconds) if index is None else tr("{t} s, run {number}", t=seconds, number=number(index + 1, 0))
    )
    latency = milliseconds(float(recording.runs.v.values[index])) if index is not None else tr("no run here")
    rows = [(tr("Latency"), latency), (tr("Memory"), _memory(recording, where))]
    heat, speed = (
        (tr("Temperature, simulated"), tr("Clock, simulated"))
        if recording.simulated
        else (tr("Temperature"), tr("Clock"))
    )
    rows.append((heat, _temperature(recording, where)))
    clock = recording.frequency.at(where)
    if not math.isnan(clock):
        rows.append((speed, f"{number(clock, 2)} GHz"))
    return Tip(where, title, tuple(rows))


def nearest_run(recording: Recording, t: float) -> int | None:
    """The index of the run that began nearest to ``t``; None where there was none."""
    times = recording.runs.t.values
    if len(times) == 0:
        return None
    after = int(np.searchsorted(times, t))
    if after == 0:
        return 0
    if after == len(times) or t - times[after - 1] <= times[after] - t:
        return after - 1
    return after


def _memory(recording: Recording, t: float) -> str:
    value = recording.memory.at(t)
    return _absent(recording.memory_reading) if math.isnan(value) else f"{signed(value, 1)} MB"


def _temperature(recording: Recording, t: float) -> str:
    value = recording.temperature.at(t)
    return _absent(recording.temperature_reading) if math.isnan(value) else f"{number(value, 1)} °C"


def _absent(reading: Reading) -> str:
    return tr("not available") if reading is Reading.ABSENT else tr("not measured")


def _time_decimals(seconds_a_pixel: float) -> int:
    return min(max(math.floor(-math.log10(seconds_a_pixel)), 1), 5)


def paint_tip(painter: QPainter, tip: Tip, x: float, layout: Layout) -> None:
    """Beside the crosshair at pixel ``x``, on the side where there is room."""
    px = theme().px
    ink_on = theme().tokens.crash_solid
    labels = max(ink.width(label, _LABEL) for label, _ in tip.rows)
    values = max(ink.width(value, _VALUE) for _, value in tip.rows)
    inner = max(labels + px(24) + values, ink.width(tip.title, _VALUE))
    box = QRectF(0, 0, inner + 2 * px(_PADDING), px(_ROW) * (len(tip.rows) + 1) + px(_PADDING))
    left = x - px(10) - box.width()
    if left < layout.left:
        left = min(x + px(10), layout.size[0] - box.width() - 4)
    lowest = layout.size[1] - box.height() - 4
    box.moveTo(round(left), round(max(min(layout.lanes[0].box.top() + px(12), lowest), 4)))
    painter.setPen(Qt.PenStyle.NoPen)
    for spread, alpha in ((4, 0.04), (2, 0.07), (1, 0.10)):
        painter.setBrush(qcolor(theme().tokens.shadow, alpha))
        painter.drawRoundedRect(box.adjusted(-spread, 1 - spread, spread, 1 + spread), px(_RADIUS), px(_RADIUS))
    painter.setBrush(qcolor(ink_on.bg))
    painter.drawRoundedRect(box, px(_RADIUS), px(_RADIUS))
    y = box.top() + px(_PADDING) / 2 + px(_ROW) / 2
    ink.write(painter, box.left() + px(_PADDING), y, tip.title, _VALUE, qcolor(ink_on.fg))
    for label, value in tip.rows:
        y += px(_ROW)
        ink.write(painter, box.left() + px(_PADDING), y, label, _LABEL, qcolor(ink_on.fg))
        ink.write(painter, box.right() - px(_PADDING), y, value, _VALUE, qcolor(ink_on.fg), ink.RIGHT)
