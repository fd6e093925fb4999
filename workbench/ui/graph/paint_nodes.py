"""Painting nodes, groups, inputs and outputs in three levels of detail."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.ui.graph import texts
from workbench.ui.graph.colors import GROUP_ALPHA, canvas_colors
from workbench.ui.graph.decor import Decor
from workbench.ui.graph.hierarchy import Item
from workbench.ui.graph.lettering import (
    COUNT,
    LINE,
    MONO,
    SMALL_TITLE,
    TITLE,
    VALUE,
    Face,
    advance,
    draw_text,
    elided,
)
from workbench.ui.graph.picture import ONE_LINE_BELOW, RECTANGLE_BELOW, Picture
from workbench.ui.graph.sizes import EDGE_INSET, HEADER, PADDING, PILL_GAP, TITLE_LEFT
from workbench.ui.theme.icons import BADGE, ROW, paint_icon
from workbench.ui.theme.theme import qcolor
from workbench.ui.widgets.badge import NODE_HEIGHT, badge_width, paint_badge, plain_badge
from workbench.ui.widgets.share_strip import paint_shares

_RADIUS: Final = 6
_GROUP_RADIUS: Final = 8
_RING: Final = 2
_RING_AWAY: Final = 3
_SHEET: Final = 3
_FIRST_LINE: Final = 16
_SECOND_LINE: Final = 33
_CLOSED_TITLE: Final = 24
_CHEVRON_MIDDLE: Final = 14
_STRIP: Final = (8, 3, 8)
"""The strip of shares: from the sides, its height, its top from the border below."""
_LEAST_TITLE: Final = 40
_TITLE_FROM: Final = 0.3
"""Zoom from which the header of an open group is as high as a title."""
_SMALL_PADDING: Final = 6
_LEAST_PILL_SCALE: Final = 0.8
_MIDDLE: Final = Qt.TextElideMode.ElideMiddle


class NodePainter:
    """Paints the boxes of one picture. Boxes come in window pixels, snapped."""

    def __init__(self, painter: QPainter, picture: Picture, area: QRectF) -> None:
        self._painter = painter
        self._picture = picture
        self._area = area
        self._tokens = picture.tokens
        self._colors = canvas_colors(picture.tokens)
        self._scale = picture.camera.scale
        self._unit = picture.camera.unit

    def paint_open(self, number: int, box: QRectF) -> None:
        """The body of an open group. Its header comes after the edges."""
        fill, outline = qcolor(self._tokens.raised, GROUP_ALPHA), self._outline(number)
        corner = _GROUP_RADIUS * self._scale + 1
        middle = box.adjusted(corner, corner, -corner, -corner)
        if middle.contains(self._area):
            self._painter.fillRect(self._area, fill)
        else:
            self._rounded(box, _GROUP_RADIUS, outline, fill)

    def paint_header(self, number: int, box: QRectF) -> None:
        """Chevron, title, count and badge of an open group, and the ring around it."""
        item = self._picture.hierarchy.items[number]
        decor = self._picture.decorator.decor(number)
        self._ring(number, box, _GROUP_RADIUS)
        if box.top() + HEADER * self._scale < self._area.top():
            return
        if self._picture.zoom < ONE_LINE_BELOW:
            self._small_header(number, decor, box)
            return
        painter = self._begin(box)
        width = box.width() / self._scale
        self._chevron("chevron-down", self._tokens.text2)
        entries = self._picture.scene.entries[number]
        right = width - EDGE_INSET
        if decor.badge is not None:
            right -= badge_width(decor.badge)
            paint_badge(painter, right, (HEADER - NODE_HEIGHT) / 2, decor.badge, NODE_HEIGHT)
            right -= EDGE_INSET
        room = min([entry - EDGE_INSET for entry in entries[:1]] + [right])
        title = elided(decor.title, TITLE, max(_LEAST_TITLE, room - TITLE_LEFT))
        draw_text(painter, TITLE_LEFT, HEADER / 2, title, TITLE, self._tokens.text)
        left = TITLE_LEFT + advance(title, TITLE) + EDGE_INSET
        bare = texts.contents(item)
        for text, face in self._remarks(item, decor.line if decor.line != bare else texts.count(item.ops)):
            wide = advance(text, face)
            if left + wide <= room:
                draw_text(painter, left, HEADER / 2, text, face, self._tokens.text2)
                left += wide + EDGE_INSET
            elif right - wide > max((left, *(entry + EDGE_INSET for entry in entries))):
                right -= wide
                draw_text(painter, right, HEADER / 2, text, face, self._tokens.text2)
                right -= EDGE_INSET
        painter.restore()

    @staticmethod
    def _remarks(item: Item, line: str) -> list[tuple[str, Face]]:
        """What stands beside a group's title while there is room."""
        remarks: list[tuple[str, Face]] = [(line, COUNT)]
        return [*remarks, (texts.identical(item), COUNT)] if item.identical else remarks

    def paint_closed(self, number: int, box: QRectF) -> None:
        """An op, a closed group, an input or an output."""
        item = self._picture.hierarchy.items[number]
        decor = self._picture.decorator.decor(number)
        if item.is_pill:
            self._pill(number, decor, box)
            return
        if item.identical and self._picture.zoom >= RECTANGLE_BELOW:
            self._sheets(box)
        self._body(number, box, decor)
        self._ring(number, box, _RADIUS)
        if self._picture.zoom < RECTANGLE_BELOW:
            return
        if self._picture.zoom < ONE_LINE_BELOW:
            self._one_line(decor, box, is_group=item.is_group)
        elif item.is_group:
            self._group(item, decor, box)
        else:
            self._op(decor, box)

    def _op(self, decor: Decor, box: QRectF) -> None:
        painter = self._begin(box)
        width = box.width() / self._scale
        right = self._right(decor, width)
        room = right - EDGE_INSET - PADDING
        draw_text(painter, PADDING, _FIRST_LINE, elided(decor.title, TITLE, room), TITLE, decor.ink)
        name = elided(decor.line, MONO, width - 2 * PADDING, _MIDDLE)
        draw_text(painter, PADDING, _SECOND_LINE, name, MONO, decor.ink2)
        painter.restore()

    def _group(self, item: Item, decor: Decor, box: QRectF) -> None:
        painter = self._begin(box)
        width, height = box.width() / self._scale, box.height() / self._scale
        self._chevron("chevron-right", decor.ink)
        right = self._right(decor, width) - EDGE_INSET
        title = elided(decor.title, TITLE, right - _CLOSED_TITLE)
        draw_text(painter, _CLOSED_TITLE, _FIRST_LINE, title, TITLE, decor.ink)
        if item.identical:
            tag = plain_badge(self._tokens, texts.identical(item))
            left = _CLOSED_TITLE + advance(title, TITLE) + EDGE_INSET
            if left + badge_width(tag) <= right:
                paint_badge(painter, left, _FIRST_LINE - NODE_HEIGHT / 2, tag, NODE_HEIGHT)
        line = elided(decor.line, LINE, width - _CLOSED_TITLE - EDGE_INSET)
        draw_text(painter, _CLOSED_TITLE, _SECOND_LINE, line, LINE, decor.ink2)
        self._strip(decor, width, height)
        painter.restore()

    def _right(self, decor: Decor, width: float) -> float:
        """Paint badge or value at the right of the first line; where it begins."""
        right = width - EDGE_INSET
        if decor.badge is not None:
            right -= badge_width(decor.badge)
            paint_badge(self._painter, right, _FIRST_LINE - NODE_HEIGHT / 2, decor.badge, NODE_HEIGHT)
        elif decor.value:
            right -= advance(decor.value, VALUE) + (PADDING - EDGE_INSET)
            draw_text(self._painter, right, _FIRST_LINE, decor.value, VALUE, decor.ink)
        return right

    def _one_line(self, decor: Decor, box: QRectF, *, is_group: bool) -> None:
        """The title at a size that can be read, whatever the zoom."""
        painter = self._begin(box, self._unit)
        width, middle = box.width() / self._unit, box.height() / self._unit / 2
        right = self._small_badge(decor, width - _SMALL_PADDING, middle, is_group=is_group)
        title = elided(decor.title, SMALL_TITLE, right - _SMALL_PADDING)
        draw_text(painter, _SMALL_PADDING, middle, title, SMALL_TITLE, decor.ink)
        painter.restore()

    def _small_header(self, number: int, decor: Decor, box: QRectF) -> None:
        """The title of an open group, left of the first edge that comes in."""
        if self._picture.zoom < _TITLE_FROM:
            return
        painter = self._begin(box, self._unit)
        zoom = self._picture.zoom
        middle = HEADER * zoom / 2
        right = self._small_badge(decor, box.width() / self._unit - _SMALL_PADDING, middle, is_group=True)
        first = min((entry * zoom for entry in self._picture.scene.entries[number]), default=right)
        title = elided(decor.title, SMALL_TITLE, min(right, first) - 2 - _SMALL_PADDING)
        if len(title) > 1 or title == decor.title:
            draw_text(painter, _SMALL_PADDING, middle, title, SMALL_TITLE, self._tokens.text)
        painter.restore()

    def _small_badge(self, decor: Decor, right: float, middle: float, *, is_group: bool) -> float:
        """The badge's shape alone, where it says more than right; where it begins."""
        badge = decor.badge
        if badge is None or not badge.icon or not (badge.fill or is_group):
            return right
        square = QRectF(right - BADGE, middle - BADGE / 2, BADGE, BADGE)
        paint_icon(self._painter, badge.icon, square, decor.plain if badge.fill else badge.ink, BADGE)
        return right - BADGE - 2

    def _pill(self, number: int, decor: Decor, box: QRectF) -> None:
        self._rounded(box, box.height() / 2 / self._scale, self._outline(number), qcolor(self._tokens.sunken))
        self._ring(number, box, box.height() / 2 / self._scale)
        if self._picture.zoom < RECTANGLE_BELOW:
            return
        if self._picture.zoom < ONE_LINE_BELOW:
            self._small_pill(decor, box)
            return
        painter = self._begin(box)
        width, middle = box.width() / self._scale, box.height() / self._scale / 2
        kind = decor.line
        beside = advance(kind, MONO) + PILL_GAP if kind else 0.0
        name = elided(decor.title, TITLE, max(_LEAST_TITLE, width - 2 * PADDING - beside), _MIDDLE)
        draw_text(painter, PADDING, middle, name, TITLE, self._tokens.text)
        left = PADDING + advance(name, TITLE) + PILL_GAP
        kind = elided(kind, MONO, width - PADDING - left)
        draw_text(painter, left, middle, kind, MONO, self._tokens.text2)
        painter.restore()

    def _small_pill(self, decor: Decor, box: QRectF) -> None:
        """The name alone, as large as the pill allows."""
        scale = max(self._scale, _LEAST_PILL_SCALE * self._unit)
        painter = self._begin(box, scale)
        width, middle = box.width() / scale, box.height() / scale / 2
        name = elided(decor.title, SMALL_TITLE, width - 2 * _SMALL_PADDING, _MIDDLE)
        draw_text(painter, (width - advance(name, SMALL_TITLE)) / 2, middle, name, SMALL_TITLE, self._tokens.text)
        painter.restore()

    def _begin(self, box: QRectF, scale: float = 0.0) -> QPainter:
        """Design pixels from the corner of ``box``, zoomed unless ``scale`` says; the caller restores."""
        self._painter.save()
        self._painter.translate(box.topLeft())
        self._painter.scale(scale or self._scale, scale or self._scale)
        return self._painter

    def _chevron(self, name: str, color: str) -> None:
        square = QRectF(_CHEVRON_MIDDLE - ROW / 2, _FIRST_LINE - ROW / 2, ROW, ROW)
        paint_icon(self._painter, name, square, color, ROW)

    def _strip(self, decor: Decor, width: float, height: float) -> None:
        side, thick, above = _STRIP
        paint_shares(self._painter, QRectF(side, height - above, width - 2 * side, thick), decor.shares)

    def _body(self, number: int, box: QRectF, decor: Decor) -> None:
        is_far = self._picture.zoom < RECTANGLE_BELOW
        fill = qcolor(decor.plain if is_far else decor.fill)
        if decor.alarm:
            thick = max(1.0, 2 * min(1.0, self._picture.zoom)) * self._picture.camera.unit
            self._rounded(box, _RADIUS, decor.alarm, fill, thick)
        else:
            self._rounded(box, _RADIUS, self._outline(number), fill)

    def _sheets(self, box: QRectF) -> None:
        step = round(_SHEET * self._scale)
        for away in (2 * step, step):
            sheet = box.translated(away, away)
            self._rounded(sheet, _RADIUS, self._colors.outline, qcolor(self._colors.sheet))

    def _outline(self, number: int) -> str:
        return self._tokens.border2 if number == self._picture.marks.hover else self._colors.outline

    def _ring(self, number: int, box: QRectF, radius: float) -> None:
        if number not in self._picture.marks.selected:
            return
        unit = self._picture.camera.unit
        away = (_RING_AWAY - _RING / 2) * unit
        self._painter.setPen(QPen(qcolor(self._tokens.ring), _RING * unit))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        outside = box.adjusted(-away, -away, away, away)
        self._painter.drawRoundedRect(outside, radius * self._scale + away, radius * self._scale + away)

    def _rounded(self, box: QRectF, radius: float, outline: str, fill: QColor, thick: float = 1.0) -> None:
        half = thick / 2
        self._painter.setPen(QPen(qcolor(outline), thick))
        self._painter.setBrush(fill)
        corner = max(0.0, radius * self._scale - half)
        self._painter.drawRoundedRect(box.adjusted(half, half, -half, -half), corner, corner)
