"""What lies over the curves: budgets, the live end, the peak, runs off the scale, crosshair and tooltip."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from workbench.core.numbers import decimals_of
from workbench.ui.live import ink
from workbench.ui.live.columns import visible
from workbench.ui.live.frame import Frame, LaneFrame
from workbench.ui.live.lanes import LEAST_FOR_LINES, LINES, P99, line_pen, peak_budget_mb
from workbench.ui.live.tooltip import Tip, paint_tip, tip_at
from workbench.ui.live.words import milliseconds, number
from workbench.ui.spread import spread
from workbench.ui.text import tr
from workbench.ui.theme.theme import qcolor, theme

_LABEL_GAP: Final = 16
_FEW_RUNS: Final = 60
"""Up to this many visible runs each is a dot: a line through one or two of them would hardly show."""
_MOST_MARKS: Final = 40
_SEEN_PX: Final = 4


class Marks(QGraphicsItem):
    """Painted with every picture. ``cursor`` is the crosshair's time, None where there is none."""

    def __init__(self) -> None:
        super().__init__()
        self._frame: Frame | None = None
        self._size = QRectF()
        self.tip: Tip | None = None
        self.setZValue(100)

    def set_frame(self, frame: Frame, cursor: float | None) -> None:
        size = QRectF(0, 0, *frame.layout.size)
        if size != self._size:
            self.prepareGeometryChange()
            self._size = size
        self._frame = frame
        self.tip = None if cursor is None else tip_at(frame, cursor)
        self.update()

    def boundingRect(self) -> QRectF:
        return self._size

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        frame = self._frame
        if frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_latency_marks(painter, frame)
        if len(frame.layout.lanes) > 1:
            _paint_memory_marks(painter, frame, frame.layout.lanes[1])
        if len(frame.layout.lanes) > 2:
            _paint_heating_budget(painter, frame, frame.layout.lanes[2])
        if self.tip is not None:
            x = frame.layout.x(self.tip.t)
            ink.hairline(painter, x, frame.layout.top, x, frame.layout.bottom, qcolor(theme().tokens.text2))
            paint_tip(painter, self.tip, x, frame.layout)


def _paint_latency_marks(painter: QPainter, frame: Frame) -> None:
    lane = frame.layout.lanes[0]
    if lane.scale is None:
        return
    painter.save()
    painter.setClipRect(lane.box.adjusted(-3, -3, 3, 3))
    _paint_few_runs(painter, frame, lane)
    painter.restore()
    _paint_off_scale(painter, frame, lane)
    _paint_latency_budgets(painter, frame, lane)
    if not frame.recording.outputs_are_wrong:
        _paint_live_end(painter, frame, lane)


def _paint_latency_budgets(painter: QPainter, frame: Frame, lane: LaneFrame) -> None:
    """Each with its label, side by side: limits of percentiles lie close together."""
    budget, moved = frame.budget, 0.0
    for name, limit in (("p50", budget.p50_ms), ("p90", budget.p90_ms), ("p99", budget.p99_ms)):
        if limit is not None:
            told = _trimmed(number(limit, decimals_of(limit) if limit < 100 else 0))
            text = tr("budget {percentile} {limit}", percentile=name, limit=told)
            _paint_budget(painter, frame, lane, limit, text, moved)
            moved += ink.width(text, ink.WORDS) + theme().px(24)


def _trimmed(digits: str) -> str:
    """ "50.0" as "50": a limit is written as it was set."""
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _paint_few_runs(painter: QPainter, frame: Frame, lane: LaneFrame) -> None:
    runs = frame.recording.runs
    span = frame.layout.span
    part = visible(runs.t.values, span.left, span.right)
    if part.stop - part.start > _FEW_RUNS:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qcolor(theme().tokens.series[0], 0.75))
    for t, ms in zip(runs.t.values[part].tolist(), runs.v.values[part].tolist(), strict=True):
        painter.drawEllipse(QPointF(frame.layout.x(t), lane.y(ms)), 2.0, 2.0)


def _paint_off_scale(painter: QPainter, frame: Frame, lane: LaneFrame) -> None:
    """Runs above the scale: a small triangle at the upper edge each, the figure at the largest."""
    if lane.scale is None:
        return
    runs = frame.recording.runs
    part = visible(runs.t.values, frame.layout.span.left, frame.layout.span.right)
    times, values = runs.t.values[part], runs.v.values[part]
    over = np.flatnonzero((values > lane.scale.high) & (times >= frame.layout.span.left))
    if len(over) == 0:
        return
    largest = int(over[int(np.argmax(values[over]))])
    color = qcolor(theme().tokens.series[0])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    top = lane.box.top()
    shown = over if len(over) <= _MOST_MARKS else over[np.argsort(values[over])[-_MOST_MARKS:]]
    for x in sorted({round(frame.layout.x(t)) for t in times[shown].tolist()}):
        if lane.box.left() <= x <= lane.box.right():
            painter.drawPolygon(QPolygonF([QPointF(x - 3.5, top + 5), QPointF(x + 3.5, top + 5), QPointF(x, top)]))
    place = min(max(frame.layout.x(float(times[largest])), lane.box.left()), lane.box.right())
    text = milliseconds(float(values[largest]))
    wide = ink.width(text, ink.WORDS)
    left = place + 7 if place + 7 + wide < lane.box.right() else place - 7 - wide
    _on_panel(painter, left, top + theme().px(6), text, color)


def _paint_budget(
    painter: QPainter, frame: Frame, lane: LaneFrame, limit: float, text: str, moved: float = 0.0
) -> None:
    """A dashed line with its label on it, ``moved`` to the right; off the scale it is named at that edge."""
    if lane.scale is None:
        return
    color = theme().tokens.wrong.fg
    left = lane.box.left() + theme().px(16)
    steady = frame.layout.x(frame.layout.span.origin)
    if lane.box.left() < steady < lane.box.center().x():
        left = steady + theme().px(16)
    left += moved
    if limit > lane.scale.high or limit < lane.scale.low:
        above = limit > lane.scale.high
        edge = lane.box.top() + theme().px(8) if above else lane.box.bottom() - theme().px(8)
        _on_panel(painter, left, edge, f"{text} {'↑' if above else '↓'}", qcolor(color))
        return
    y = lane.y(limit)
    painter.setPen(line_pen(color, 1.5, (5.0, 3.5)))
    painter.drawLine(QLineF(lane.box.left(), round(y), lane.box.right(), round(y)).translated(0, 0.5))
    over, under = y - theme().px(12), y + theme().px(12)
    _on_panel(painter, left, over if over > lane.box.top() else under, text, qcolor(color))


def _paint_live_end(painter: QPainter, frame: Frame, lane: LaneFrame) -> None:
    recording = frame.recording
    if recording.steady.n < LEAST_FOR_LINES:
        return
    layout = frame.layout
    x = layout.x(recording.runs.t.last)
    if not lane.box.left() <= x <= lane.box.right():
        return
    tokens = theme().tokens
    ends = [lane.y(column.last) for column in recording.percentiles]
    p50 = min(max(ends[0], lane.box.top()), lane.box.bottom())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qcolor(tokens.panel))
    painter.drawEllipse(QPointF(x, p50), 5.0, 5.0)
    painter.setBrush(qcolor(tokens.series[0]))
    painter.drawEllipse(QPointF(x, p50), 3.5, 3.5)
    half = theme().px(_LABEL_GAP) / 2
    places = spread(sorted(ends), lane.box.top() + half, lane.box.bottom() - half, 2 * half)
    left = min(x + theme().px(10), layout.size[0] - ink.width("p99", ink.WORDS) - 6)
    for name, y in zip(("p99", "p90", "p50"), places, strict=True):
        _on_panel(painter, left, y, name, qcolor(tokens.series[0]))


def _paint_memory_marks(painter: QPainter, frame: Frame, lane: LaneFrame) -> None:
    recording = frame.recording
    if lane.scale is None:
        return
    if not math.isnan(recording.peak_mb):
        values = recording.memory.v.values
        t = float(recording.memory.t.values[int(np.argmax(values))])
        x = min(max(frame.layout.x(t), lane.box.left()), lane.box.right())
        text = tr("peak {mb}", mb=number(recording.peak_mb, decimals_of(recording.peak_mb)))
        left = min(x + 4, lane.box.right() - ink.width(text, ink.WORDS) - 4)
        peak_y = lane.y(recording.peak_mb)
        if peak_y < lane.y(float(values.max())) - _SEEN_PX:  # between two readings: the system kept it, not the line
            painter.setPen(line_pen(theme().tokens.series[2], 1.5, LINES[P99][1]))
            painter.drawLine(QLineF(lane.box.left(), round(peak_y), frame.layout.x(recording.last_t), round(peak_y)))
        y = max(peak_y - theme().px(9), lane.box.top() + theme().px(2))
        _on_panel(painter, left, y, text, qcolor(theme().tokens.series[2]))
    limit = peak_budget_mb(frame.budget)
    if limit is not None:
        told = _trimmed(number(limit, decimals_of(limit) if limit < 100 else 0))
        _paint_budget(painter, frame, lane, limit, tr("budget {limit}", limit=told))


def _paint_heating_budget(painter: QPainter, frame: Frame, lane: LaneFrame) -> None:
    budget, moved = frame.budget, 0.0
    if lane.scale is None:
        return
    if budget.heating_c is not None:
        limit = float(frame.recording.temperature.v.values[0]) + budget.heating_c
        text = tr("budget +{limit} K", limit=_trimmed(number(budget.heating_c, 1)))
        _paint_budget(painter, frame, lane, limit, text)
        moved = ink.width(text, ink.WORDS) + theme().px(24)
    if budget.temperature_c is not None:
        text = tr("budget {limit} °C", limit=_trimmed(number(budget.temperature_c, 1)))
        _paint_budget(painter, frame, lane, budget.temperature_c, text, moved)


def _on_panel(painter: QPainter, x: float, y: float, text: str, color: QColor) -> None:
    """A label that stays readable over curves: on a patch of the panel's colour."""
    wide = ink.width(text, ink.WORDS)
    half = theme().px(7)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qcolor(theme().tokens.panel, 0.82))
    painter.drawRoundedRect(QRectF(x - 3, y - half, wide + 6, 2 * half), 3, 3)
    ink.write(painter, x, y, text, ink.WORDS, color)
