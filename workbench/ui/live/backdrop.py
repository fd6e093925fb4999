"""What lies behind the curves: phases, throttling, grid, axes and titles. Drawn once per layout and kept."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from workbench.ui.live import ink
from workbench.ui.live.bands import PADDING, Band, flags
from workbench.ui.live.frame import LaneFrame, Layout
from workbench.ui.live.headings import paint_headings
from workbench.ui.live.recording import STEADY, Slowdown
from workbench.ui.live.scale import decimals_of
from workbench.ui.live.words import number, phase_word
from workbench.ui.text import listed, tr
from workbench.ui.theme.theme import qcolor, theme

ROW: Final = 18
"""Height of a row of phase words; there are two."""
_TICK_GAP: Final = 8
_HATCH_GAP: Final = 9


class Backdrop(QGraphicsItem):
    """Repainted when its layout is another than before, which is now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._layout: Layout | None = None
        self.setZValue(-100)
        self.set_kept(True)

    def set_kept(self, kept: bool) -> None:
        """Keep what is drawn, as pixels of the screen; or draw it every time, at the painter's own resolution."""
        modes = QGraphicsItem.CacheMode
        self.setCacheMode(modes.DeviceCoordinateCache if kept else modes.NoCache)

    def set_layout(self, layout: Layout) -> None:
        if layout != self._layout:
            self.prepareGeometryChange()
            self._layout = layout
            self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, *self._layout.size) if self._layout else QRectF()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        layout = self._layout
        if layout is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_bands(painter, layout)
        if layout.slowdown is not None:
            _paint_slowdown(painter, layout, layout.slowdown)
        for lane in layout.lanes:
            _paint_grid(painter, lane)
        _paint_time_axis(painter, layout)
        _paint_words(painter, layout)
        paint_headings(painter, layout)


def _paint_bands(painter: QPainter, layout: Layout) -> None:
    """What comes before the steady phase has a fill of its own; every phase starts at a line."""
    tokens = theme().tokens
    for band, phase in zip(_bands(layout), layout.phases, strict=True):
        box = QRectF(band.left, layout.top, band.right - band.left, layout.bottom - layout.top)
        if phase.name != STEADY and box.width() > 0:
            painter.fillRect(box, qcolor(tokens.canvas))
    for phase in layout.phases:
        x = layout.x(phase.start)
        if layout.left <= x <= layout.right:
            ink.hairline(painter, x, layout.top, x, layout.bottom, qcolor(tokens.border))


def _bands(layout: Layout) -> list[Band]:
    starts = [min(max(layout.x(phase.start), layout.left), layout.right) for phase in layout.phases]
    ends = [*starts[1:], layout.right][: len(starts)]
    return [
        Band(phase_word(phase.name), start, end) for phase, start, end in zip(layout.phases, starts, ends, strict=True)
    ]


def _paint_slowdown(painter: QPainter, layout: Layout, slowdown: Slowdown) -> None:
    left = min(max(layout.x(slowdown.start), layout.left), layout.right)
    box = QRectF(left, layout.top, layout.right - left, layout.bottom - layout.top)
    amber = theme().tokens.condition
    painter.fillRect(box, qcolor(amber.bg, 0.45))
    painter.save()
    painter.setClipRect(box)
    painter.setPen(qcolor(amber.fg, 0.16))
    gap = theme().px(_HATCH_GAP)
    reach = int(box.width() + box.height())
    for offset in range(0, reach, gap):
        painter.drawLine(
            QPointF(box.left() + offset - box.height(), box.bottom()), QPointF(box.left() + offset, box.top())
        )
    painter.restore()
    ink.hairline(painter, left, layout.top, left, layout.bottom, qcolor(amber.fg, 0.35))


def _paint_words(painter: QPainter, layout: Layout) -> None:
    tokens = theme().tokens
    bands = [band for band in _bands(layout) if band.right > band.left]
    slowdown = layout.slowdown
    if slowdown is not None:
        left = min(max(layout.x(slowdown.start), layout.left), layout.right)
        word = _slowdown_word(slowdown)
        left = min(left, layout.right - ink.width(word, ink.WORDS) - 2 * PADDING)
        first_row = layout.top + theme().px(ROW) / 2 + 2
        ink.write(painter, left + PADDING, first_row, word, ink.WORDS, qcolor(tokens.condition.fg))
        bands = [Band(band.word, band.left, min(band.right, left)) for band in bands if band.left < left]
    for flag in flags(bands, lambda word: ink.width(word, ink.WORDS), layout.right, listed):
        y = layout.top + theme().px(ROW) * (flag.row + 0.5) + 2
        if flag.row:
            ink.hairline(painter, flag.x, layout.top, flag.x, y + theme().px(7), qcolor(tokens.text3))
        ink.write(painter, flag.x + PADDING, y, flag.word, ink.WORDS, qcolor(tokens.text2))


def _slowdown_word(slowdown: Slowdown) -> str:
    """ "Throttle" only where the device says so; otherwise what was measured."""
    if slowdown.told or slowdown.ratio is None:
        return tr("Throttle")
    return tr("Slower, ×{ratio}", ratio=number(slowdown.ratio, 2))


def _paint_grid(painter: QPainter, lane: LaneFrame) -> None:
    tokens = theme().tokens
    gap = theme().px(_TICK_GAP)
    if lane.scale is not None:
        for tick in lane.scale.ticks:
            y = lane.y(tick)
            ink.hairline(painter, lane.box.left(), y, lane.box.right(), y, qcolor(tokens.grid))
            text = number(tick, lane.scale.decimals)
            ink.write(painter, lane.box.left() - gap, y, text, ink.TICK, qcolor(tokens.text3), ink.RIGHT)
    if lane.right is not None:
        for tick in lane.right.ticks:
            text = number(tick, lane.right.decimals)
            y = lane.right_y(tick)
            ink.write(painter, lane.box.right() + gap, y, text, ink.WORDS, qcolor(tokens.series[3]))


def _paint_time_axis(painter: QPainter, layout: Layout) -> None:
    tokens = theme().tokens
    bottom = layout.bottom
    ink.hairline(painter, layout.left, bottom, layout.right, bottom, qcolor(tokens.border2))
    decimals = decimals_of(layout.step_s)
    first = -int((layout.span.origin - layout.span.left) / layout.step_s)
    last = int((layout.span.right - layout.span.origin) / layout.step_s + 1e-9)
    middle = bottom + theme().px(14)
    taken = 0.0
    for index in range(first, last + 1):
        seconds = index * layout.step_s
        x = layout.x(layout.span.origin + seconds)
        text = tr("{t} s", t=number(seconds, decimals))
        half = ink.width(text, ink.TICK) / 2
        if x - half < taken or x + half > layout.size[0]:
            continue
        ink.hairline(painter, x, bottom, x, bottom + theme().px(4), qcolor(tokens.border2))
        box = ink.write(painter, x, middle, text, ink.TICK, qcolor(tokens.text3), ink.CENTRE)
        taken = box.right() + theme().px(8)
    painter.setBrush(Qt.BrushStyle.NoBrush)
