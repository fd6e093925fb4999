"""What the delegates of tables and trees share: the row's background, its selection, its focus."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.ui.theme.theme import qcolor, theme

ROW_HEIGHT: Final = 28
Index = QModelIndex | QPersistentModelIndex


class RowDelegate(QStyledItemDelegate):
    """Paints selection, the line under a row and the focus ring of the current row, then the cell.

    Subclasses paint the cell in ``paint_cell``: the painter is in design pixels.
    """

    height = ROW_HEIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens = theme().tokens
        view = option.widget
        painter.save()
        box = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            active = bool(option.state & QStyle.StateFlag.State_Active) and view is not None and view.hasFocus()
            painter.fillRect(box, qcolor(tokens.sel if active else tokens.sel_off))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, qcolor(tokens.hover))
        painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), qcolor(tokens.grid))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit = theme().scale
        painter.translate(box.topLeft())
        painter.scale(unit, unit)
        self.paint_cell(painter, QRectF(0, 0, box.width() / unit, box.height() / unit), option, index)
        painter.restore()
        if isinstance(view, QAbstractItemView) and view.hasFocus() and view.currentIndex().row() == index.row():
            self._ring(painter, box, index, view)

    def paint_cell(self, painter: QPainter, box: QRectF, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the content of ``index`` into ``box``, (0, 0) being the cell's corner."""
        raise NotImplementedError

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), theme().px(self.height))

    @staticmethod
    def _ring(painter: QPainter, box: QRectF, index: Index, view: QAbstractItemView) -> None:
        """The ring goes around the whole row: each cell paints its part."""
        if view.currentIndex().parent() != index.parent():
            return
        painter.save()
        pen = QPen(qcolor(theme().tokens.ring), 2)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        painter.setPen(pen)
        top, bottom = box.top() + 1, box.bottom() - 1
        left, right = box.left(), box.right()
        painter.drawLine(QPointF(left, top), QPointF(right, top))
        painter.drawLine(QPointF(left, bottom), QPointF(right, bottom))
        if index.column() == 0:
            painter.drawLine(QPointF(left + 1, top), QPointF(left + 1, bottom))
        if index.column() == index.model().columnCount(index.parent()) - 1:
            painter.drawLine(QPointF(right - 1, top), QPointF(right - 1, bottom))
        painter.restore()
