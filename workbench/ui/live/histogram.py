"""The steady latencies as a histogram; heights are on a square-root scale, so that rare ones show."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.live import ink
from workbench.ui.live.figures import Figures
from workbench.ui.live.lanes import LINES, P50, P90, line_pen
from workbench.ui.live.words import milliseconds, number
from workbench.ui.text import tr
from workbench.ui.theme.theme import qcolor, theme

_HEIGHT: Final = 124
_WORDS: Final = 18
_AXIS: Final = 20


class HistogramView(QWidget):
    """Bars, with lines at p50 and p90."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures: Figures | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Histogram of the latencies"))

    def set_figures(self, figures: Figures | None) -> None:
        self._figures = figures
        if figures is not None:
            shape = tr(
                "from {low} to {high}, p50 {p50}, p90 {p90}",
                low=milliseconds(figures.histogram.low),
                high=milliseconds(figures.histogram.high),
                p50=milliseconds(figures.p50.value),
                p90=milliseconds(figures.p90.value),
            )
            self.setAccessibleDescription(shape)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(260), theme().px(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        figures = self._figures
        if figures is None:
            return
        painter = QPainter(self)
        px = theme().px
        box = QRectF(self.rect()).adjusted(0, px(_WORDS), 0, -px(_AXIS))
        _paint_bars(painter, box, figures)
        _paint_axis(painter, box, figures)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_lines(painter, box, figures)


def _paint_bars(painter: QPainter, box: QRectF, figures: Figures) -> None:
    """Edges snap to pixels, so all gaps are one pixel wide."""
    counts = figures.histogram.counts
    tallest = math.sqrt(max(counts))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qcolor(theme().tokens.series[0]))
    for index, count in enumerate(counts):
        if count:
            left = round(box.left() + index * box.width() / len(counts))
            right = round(box.left() + (index + 1) * box.width() / len(counts))
            height = max(1.0, math.sqrt(count) / tallest * box.height())
            painter.drawRect(QRectF(left, round(box.bottom() - height), max(right - left - 1, 1), round(height)))


def _paint_axis(painter: QPainter, box: QRectF, figures: Figures) -> None:
    tokens = theme().tokens
    histogram = figures.histogram
    ink.hairline(painter, box.left(), box.bottom(), box.right(), box.bottom(), qcolor(tokens.border2))
    y = box.bottom() + theme().px(11)
    taken = -math.inf
    limit = box.right() - (ink.width("99+", ink.TICK) + theme().px(8) if histogram.overflow else 0)
    for tick in histogram.ticks:
        text = number(tick, histogram.decimals)
        half = ink.width(text, ink.TICK) / 2
        x = min(max(_x(box, figures, tick), box.left() + half), box.right() - half)
        if x - half > taken and x + half <= limit:
            ink.write(painter, x, y, text, ink.TICK, qcolor(tokens.text3), ink.CENTRE)
            taken = x + half + theme().px(6)
    if histogram.overflow:
        text = f"{number(histogram.high, histogram.decimals)}+"
        ink.write(painter, box.right(), y, text, ink.TICK, qcolor(tokens.text3), ink.RIGHT)


def _paint_lines(painter: QPainter, box: QRectF, figures: Figures) -> None:
    """p50's word stands left of its line and p90's right of it, so they never meet."""
    tokens = theme().tokens
    top = box.top() - theme().px(_WORDS) + theme().px(7)
    gap = theme().px(4)
    for name, quantity, which in (("p50", figures.p50, P50), ("p90", figures.p90, P90)):
        x = round(min(max(_x(box, figures, quantity.value), box.left()), box.right() - 1)) + 0.5
        wide = ink.width(name, ink.WORDS)
        right_of = (which == P90 and x + gap + wide <= box.right()) or x - gap - wide < box.left()
        painter.setPen(line_pen(tokens.text, 1.0, LINES[which][1]))
        painter.drawLine(QLineF(x, box.top() - theme().px(_WORDS) + 2, x, box.bottom()))
        anchor = ink.LEFT if right_of else ink.RIGHT
        ink.write(painter, x + gap if right_of else x - gap, top, name, ink.WORDS, qcolor(tokens.text), anchor)


def _x(box: QRectF, figures: Figures, value: float) -> float:
    histogram = figures.histogram
    return box.left() + (value - histogram.low) / (histogram.high - histogram.low) * box.width()
