"""Paints the lines of the layers table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.core.verdict import Status
from workbench.ui.graph.texts import count
from workbench.ui.layers.columns import LOOKS, Column
from workbench.ui.layers.model import LayersModel
from workbench.ui.layers.tree import Item
from workbench.ui.theme.fonts import REGULAR, SEMIBOLD, SMALL, TABLE, mono_font, ui_font
from workbench.ui.theme.icons import ROW, paint_icon
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.badge import HEIGHT, Badge, badge_width, bits_badge, paint_badge, plain_badge, verdict_badge

if TYPE_CHECKING:
    from workbench.ui.layers.view import LayersView

ROW_HEIGHT: Final = 28
INSET: Final = 16
INDENT: Final = 16
_CHEVRON: Final = 20
"""Width left of every name: the chevron of a group, nothing for an operator."""
_PADDING: Final = 8

Index = QModelIndex | QPersistentModelIndex


class LayerDelegate(QStyledItemDelegate):
    """Names with chevrons, chips, badges and numbers; 28 design pixels a line."""

    def __init__(self, view: LayersView, model: LayersModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(LOOKS[self._model.columns[index.column()]].width), theme().px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = self._model.item(index)
        rect: QRect = option.rect
        painter.save()
        self._background(painter, option, index, rect)
        self._cell(painter, rect, item, self._model.columns[index.column()])
        painter.restore()

    def paint_group(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The whole line: its name reaches to the first column that says something."""
        item = self._model.item(index)
        header = self._view.header()
        row: QRect = option.rect
        rect = QRect(0, row.top(), header.length(), row.height())
        if self._view.selectionModel().isSelected(index):
            option.state |= QStyle.StateFlag.State_Selected
        painter.save()
        self._background(painter, option, index, rect)
        right = rect.right()
        for at, column in enumerate(self._model.columns):
            if column is not Column.NAME and self._model.text(item, column):
                left = header.sectionViewportPosition(at)
                right = min(right, left)
                painter.save()
                self._cell(painter, QRect(left, rect.top(), header.sectionSize(at), rect.height()), item, column)
                painter.restore()
        self._name(painter, QRect(rect.left(), rect.top(), right - rect.left(), rect.height()), item)
        painter.restore()

    def _cell(self, painter: QPainter, rect: QRect, item: Item, column: Column) -> None:
        if column is Column.NAME:
            self._name(painter, rect, item)
        elif column in (Column.VERDICT, Column.BITS):
            badge = self._badge(item, column)
            if badge is not None:
                _paint_badge(painter, rect, badge)
        else:
            self._plain(painter, rect, item, column)

    def chevron_rect(self, rect: QRect, item: Item) -> QRect:
        """Where a click opens or closes the group."""
        px = theme().px
        return QRect(rect.left(), rect.top(), px(INSET + INDENT * item.depth + _CHEVRON), rect.height())

    def _background(self, painter: QPainter, option: QStyleOptionViewItem, index: Index, rect: QRect) -> None:
        tokens = theme().tokens
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, qcolor(tokens.sel if self._view.hasFocus() else tokens.sel_off))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, qcolor(tokens.hover))
        line = QRect(rect.left(), rect.bottom(), rect.width(), 1)
        painter.fillRect(line, qcolor(tokens.grid))
        current = self._view.currentIndex()
        if (
            self._view.shows_ring
            and self._view.hasFocus()
            and (current.row(), current.parent()) == (index.row(), index.parent())
        ):
            self._ring(painter, rect, index.column(), whole=self._model.item(index).is_group)

    def _ring(self, painter: QPainter, rect: QRect, column: int, *, whole: bool) -> None:
        """The row's focus ring, cell by cell: 2 px inside the row."""
        painter.setPen(Qt.PenStyle.NoPen)
        color = qcolor(theme().tokens.ring)
        painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 2), color)
        painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), color)
        if column == 0:
            painter.fillRect(QRect(rect.left(), rect.top(), 2, rect.height()), color)
        if column == len(self._model.columns) - 1 or whole:
            painter.fillRect(QRect(rect.right() - 1, rect.top(), 2, rect.height()), color)

    def _name(self, painter: QPainter, rect: QRect, item: Item) -> None:
        px, tokens = theme().px, theme().tokens
        left = rect.left() + px(INSET + INDENT * item.depth)
        if item.is_group:
            side = px(ROW)
            opened = self._view.isExpanded(self._model.index_of_item(item))
            name = "chevron-down" if opened else "chevron-right"
            paint_icon(painter, name, QRectF(left, rect.center().y() - side // 2, side, side), tokens.text2, ROW)
        left += px(_CHEVRON) if item.is_group else px(_CHEVRON - INDENT * bool(item.depth))
        font = ui_font(TABLE, SEMIBOLD if item.is_group else REGULAR)
        space = QRect(left, rect.top(), rect.right() - left - px(_PADDING), rect.height())
        used = _text(painter, space, item.title, font, tokens.text, Qt.TextElideMode.ElideMiddle)
        if item.is_group:
            words = count(len(item.leaves))
            rest = space.adjusted(used + px(8), 0, 0, 0)
            _text(painter, rest, words, ui_font(TABLE), tokens.text2, Qt.TextElideMode.ElideRight)

    def _plain(self, painter: QPainter, rect: QRect, item: Item, column: Column) -> None:
        px, tokens = theme().px, theme().tokens
        font = mono_font(SMALL) if column is Column.OUTPUT else ui_font(TABLE)
        color = tokens.text2 if item.row is not None else tokens.text3
        right = px(INSET) if column is self._model.columns[-1] else px(_PADDING)
        space = rect.adjusted(px(_PADDING), 0, -right, 0)
        side = Qt.AlignmentFlag.AlignRight if LOOKS[column].is_number else Qt.AlignmentFlag.AlignLeft
        _text(painter, space, self._model.text(item, column), font, color, Qt.TextElideMode.ElideRight, side)

    def _badge(self, item: Item, column: Column) -> Badge | None:
        tokens = theme().tokens
        if column is Column.VERDICT:
            worst = self._model.worst(item)
            text = "" if item.row is not None or worst is Status.RIGHT else self._model.text(item, column)
            return verdict_badge(tokens, worst, fixable=self._model.has_fix(item), text=text)
        quants = self._model.quants(item)
        if not quants:
            return None
        text = self._model.text(item, column)
        if len({quant.bits for quant in quants}) > 1:
            return plain_badge(tokens, text)
        return bits_badge(tokens, next(iter(quants)).bits, text)


def _paint_badge(painter: QPainter, rect: QRect, badge: Badge) -> None:
    scale = theme().scale
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    missing = max(0, badge_room(badge) - rect.width())  # the count of a group: its other cells are empty
    painter.setClipRect(rect.adjusted(-missing, 0, 0, 0))
    painter.translate(rect.left() - missing + theme().px(_PADDING), rect.top())
    painter.scale(scale, scale)
    paint_badge(painter, 0, (ROW_HEIGHT - HEIGHT) / 2, badge)


def badge_room(badge: Badge) -> int:
    """Pixels that a column needs for ``badge``."""
    return theme().px(badge_width(badge) + 2 * _PADDING)


def _text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    color: str,
    elide: Qt.TextElideMode,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> int:
    """Draw one line; returns the pixels used."""
    if rect.width() <= 0:
        return 0
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, elide, rect.width())
    painter.setFont(font)
    painter.setPen(QPen(QColor(color)))
    painter.drawText(rect, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
    return metrics.horizontalAdvance(shown)
