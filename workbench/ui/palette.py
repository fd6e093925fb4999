"""The command palette: every command by name, with its keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.ui.boxes import column
from workbench.ui.commands import CommandSet
from workbench.ui.fields import furnish
from workbench.ui.text import say, tr
from workbench.ui.theme.fonts import BODY, TABLE, ui_font
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.badge import HEIGHT, badge_width, paint_badge, plain_badge
from workbench.ui.widgets.labels import surface, text_label

_WIDTH, _ROWS, _ROW = 560, 12, 32
_COMMAND: Final = Qt.ItemDataRole.UserRole
_MENU: Final = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex
_KEYS: Final = Qt.ItemDataRole.UserRole + 2


class Palette(QFrame):
    """Floats over its window. Typing filters, arrows move, Enter runs, Esc closes."""

    def __init__(self, commands: CommandSet, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._commands = commands
        surface(self, "raised")
        self.setAccessibleName(tr("Commands"))
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Type a command"))
        self.field.setAccessibleName(tr("Type a command"))
        furnish(self.field, "search")
        self.list = QListView()
        self.list.setProperty("surface", "bare")
        self.list.setAccessibleName(tr("Commands"))
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self._model = QStandardItemModel(self)
        self.list.setModel(self._model)
        self.nothing = text_label(tr("No command has this name."), "hint")
        layout = column(self, gap=8, inset=8)
        for widget in (self.field, self.list, self.nothing):
            layout.addWidget(widget)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.clicked.connect(lambda _index: self.run_current())
        self.hide()

    def open(self) -> None:
        """Every command, the field empty and ready to type into."""
        self.field.clear()
        self._fill("")
        window = self._window
        px = theme().px
        width = min(px(_WIDTH), window.width() - px(32))
        height = min(px(_ROWS * _ROW + 64), window.height() - px(96))
        self.setGeometry(QRect(QPoint((window.width() - width) // 2, px(52)), QSize(width, height)))
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def titles(self) -> list[str]:
        """What is listed now."""
        return [self._model.item(row).text() for row in range(self._model.rowCount())]

    def current(self) -> str:
        """Id of the command that is marked."""
        return str(self.list.currentIndex().data(_COMMAND))

    def run_current(self) -> None:
        """Run the command that is marked, where it can be run now."""
        command = self.list.currentIndex().data(_COMMAND)
        if command is not None and self._commands[command].isEnabled():
            self.hide()
            self._window.setFocus(Qt.FocusReason.PopupFocusReason)
            self._commands[command].trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self._move(1 if event.key() == Qt.Key.Key_Down else -1)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run_current()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.hide()
                self._window.setFocus(Qt.FocusReason.PopupFocusReason)
                return True
        if watched is self.field and event.type() == QEvent.Type.FocusOut:
            self.hide()
        return super().eventFilter(watched, event)

    def _fill(self, text: str) -> None:
        words = text.casefold().split()
        self._model.clear()
        for command in self._commands.commands:
            action = self._commands[command.id]
            title = action.text()
            if command.id == "commands" or not all(word in _searched(title, command.title.template) for word in words):
                continue
            item = QStandardItem(title)
            item.setData(command.id, _COMMAND)
            item.setData(say(command.menu), _MENU)
            item.setData(_keys(action), _KEYS)
            item.setEditable(False)
            item.setEnabled(action.isEnabled())
            self._model.appendRow(item)
        found = self._model.rowCount() > 0
        self.list.setVisible(found)
        self.nothing.setVisible(not found)
        self._move(1)

    def _move(self, by: int) -> None:
        """To the next command that can be run."""
        count = self._model.rowCount()
        at = self.list.currentIndex().row()
        for _ in range(count):
            at = (at + by) % count
            if self._model.item(at).isEnabled():
                self.list.setCurrentIndex(self._model.index(at, 0))
                return


def _searched(title: str, english: str) -> str:
    """The English name is found in every language."""
    return f"{title} {english}".casefold()


def _keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, theme().px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        px, tokens = theme().px, theme().tokens
        rect: QRect = option.rect
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qcolor(tokens.sel))
            painter.drawRoundedRect(rect, px(6), px(6))
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.setFont(ui_font(TABLE))
        painter.setPen(qcolor(tokens.text3 if enabled else tokens.border2))
        painter.drawText(rect.adjusted(px(12), 0, 0, 0), flags, index.data(_MENU))
        painter.setFont(ui_font(BODY))
        painter.setPen(qcolor(tokens.text if enabled else tokens.border2))
        painter.drawText(rect.adjusted(px(84), 0, 0, 0), flags, index.data(Qt.ItemDataRole.DisplayRole))
        keys = index.data(_KEYS)
        if keys:
            badge = plain_badge(tokens, keys)
            painter.translate(rect.right() - px(12) - px(badge_width(badge)), rect.top())
            painter.scale(theme().scale, theme().scale)
            paint_badge(painter, 0, (_ROW - HEIGHT) / 2, badge)
        painter.restore()
