"""Titles, units and keys of the plots, each over its upper left corner."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter, QPen

from workbench.ui.live import ink
from workbench.ui.live.frame import LaneFrame, Layout
from workbench.ui.live.lanes import LINES, line_pen
from workbench.ui.text import tr
from workbench.ui.theme.theme import qcolor, theme

INSET: Final = 16
_RAISED: Final = 17
"""How far the middle of a title is over its plot."""
_SWATCH: Final = 20
_GAP: Final = 8


def paint_headings(painter: QPainter, layout: Layout) -> None:
    """The headings of every lane in ``layout``."""
    climate = _paint_simulated_climate if layout.simulated else _paint_climate
    painters = (_paint_latency, _paint_memory, climate)
    for paint, lane, state in zip(painters, layout.lanes, layout.states, strict=False):
        paint(painter, lane, state)


def _paint_latency(painter: QPainter, lane: LaneFrame, state: str) -> None:
    end = _title(painter, lane, tr("Latency, ms"), state)
    if lane.scale is None:
        return
    color = theme().tokens.series[0]
    pens = [line_pen(color, width, dashes) for width, dashes in LINES]
    entries = [*zip(("p50", "p90", "p99"), pens, strict=True), (tr("each run"), line_pen(color, 1.0, alpha=0.5))]
    px = theme().px
    gap = px(2 * _GAP)
    widths = [px(_SWATCH) + px(_GAP) + ink.width(word, ink.TICK) for word, _ in entries]
    x = lane.box.right() - sum(widths) - gap * (len(entries) - 1)
    if x < end + gap:
        return
    for (word, pen), wide in zip(entries, widths, strict=True):
        _entry(painter, x, _middle(lane), word, pen)
        x += wide + gap


def _paint_memory(painter: QPainter, lane: LaneFrame, state: str) -> None:
    _title(painter, lane, tr("Memory above baseline, MB"), state)


def _paint_climate(painter: QPainter, lane: LaneFrame, state: str) -> None:
    _write_climate(painter, lane, state, tr("Temperature, °C"), tr("Fastest core's clock, GHz"))


def _paint_simulated_climate(painter: QPainter, lane: LaneFrame, state: str) -> None:
    _write_climate(painter, lane, state, tr("Temperature, °C, simulated"), tr("Fastest core's clock, GHz, simulated"))


def _write_climate(painter: QPainter, lane: LaneFrame, state: str, temperature: str, clock: str) -> None:
    tokens = theme().tokens
    px = theme().px
    end = _title(painter, lane, temperature, state)
    if lane.scale is not None:
        end = _swatch(painter, end + px(_GAP) + px(2), _middle(lane), line_pen(tokens.series[1], 2.0))
    if lane.right is not None:
        box = ink.write(painter, end + px(24), _middle(lane), clock, ink.TITLE, qcolor(tokens.text))
        _swatch(painter, box.right() + px(10), _middle(lane), line_pen(tokens.series[3], 1.75, (4.5, 2.5)))


def _title(painter: QPainter, lane: LaneFrame, title: str, state: str) -> float:
    """The title, and beside it why there are no data; returns where they end."""
    tokens = theme().tokens
    px = theme().px
    box = ink.write(painter, px(INSET), _middle(lane), title, ink.TITLE, qcolor(tokens.text))
    if not state:
        return box.right()
    box = ink.write(painter, box.right() + px(12), _middle(lane), state, ink.NOTE, qcolor(tokens.text3))
    return box.right()


def _middle(lane: LaneFrame) -> float:
    return lane.box.top() - theme().px(_RAISED)


def _entry(painter: QPainter, x: float, y: float, word: str, pen: QPen) -> None:
    end = _swatch(painter, x, y, pen)
    ink.write(painter, end + theme().px(_GAP), y, word, ink.TICK, qcolor(theme().tokens.text2))


def _swatch(painter: QPainter, x: float, y: float, pen: QPen) -> float:
    """A piece of the line; returns where it ends."""
    end = x + theme().px(_SWATCH)
    painter.setPen(pen)
    painter.drawLine(QLineF(round(x), round(y), round(end), round(y)))
    return end
