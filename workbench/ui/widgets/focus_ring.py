"""The ring around the control that has the keyboard: 2 pixels wide, outside its border.

Style sheets cannot paint outside a control, so one widget above the window does. It shows where
focus came by a key or by the program, not where the mouse was used last: a click that disables its
button hands the focus on. Widgets that paint their own focus set ``paints_focus``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QApplication, QMenu, QMenuBar, QWidget
from shiboken6 import isValid

from workbench.ui.theme.theme import qcolor, theme

_AWAY: Final = 3
_WIDTH: Final = 2
_RADIUS: Final = 6
_MOVES: Final = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)
_BY_MOUSE: Final = {
    QEvent.Type.MouseButtonPress: True,
    QEvent.Type.KeyPress: False,
    QEvent.Type.ShortcutOverride: False,
}
_OWN: Final = (QAbstractItemView, QMenu, QMenuBar)


class FocusRing(QWidget):
    """Follows the focus within one window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._watched: list[QWidget] = []
        self._focused: QWidget | None = None
        self._by_mouse = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def target(self) -> QWidget | None:
        """The widget that the ring is around."""
        return self._watched[0] if self._watched and self.isVisible() else None

    def _follow(self, _old: QWidget | None, now: QWidget | None) -> None:
        for known in self._watched:
            if isValid(known):
                known.removeEventFilter(self)
        if self._focused is not None and isValid(self._focused):
            self._focused.removeEventFilter(self)
        self._watched = []
        self.hide()
        self._focused = now
        if now is None or now.window() is not self.window():
            return
        now.installEventFilter(self)
        self._by_mouse |= QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if self._by_mouse or _paints_own(now):
            return
        widget: QWidget | None = now
        while widget is not None and widget is not self.window():
            self._watched.append(widget)
            widget.installEventFilter(self)
            widget = widget.parentWidget()
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._focused and event.type() in _BY_MOUSE:
            self._by_mouse = _BY_MOUSE[event.type()]
        if event.type() in _MOVES:
            self._place()
        return False

    def _place(self) -> None:
        if not self._watched or not isValid(self._watched[0]) or not self._watched[0].isVisible():
            self.hide()
            return
        around = _in_window(self._watched[0]).adjusted(-_AWAY, -_AWAY, _AWAY, _AWAY)
        for widget in self._watched[1:]:
            if isinstance(widget.parentWidget(), QAbstractScrollArea):
                around = around.intersected(_in_window(widget))
        self.setGeometry(around)
        self.setVisible(not around.isEmpty())
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(qcolor(theme().tokens.ring), _WIDTH))
        inside = _WIDTH / 2
        box = QRectF(self.rect()).adjusted(inside, inside, -inside, -inside)
        painter.drawRoundedRect(box, theme().px(_RADIUS) + _AWAY - inside, theme().px(_RADIUS) + _AWAY - inside)


def _in_window(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def _paints_own(widget: QWidget) -> bool:
    return isinstance(widget, _OWN) or getattr(widget, "paints_focus", False)
