"""The ring around the control that has the keyboard: 2 pixels wide, outside its border.

Style sheets cannot paint outside a control, so one widget above the window does. It shows where
focus came by a key or by the program, not where the mouse was used last: a click that disables its
button hands the focus on. Widgets that paint their own focus set ``paints_focus``.

The ring looks where its control is on a timer, while it shows: only the control itself is listened
to, and only for keys and clicks, not everything around it for its moves.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QApplication, QMenu, QMenuBar, QWidget
from shiboken6 import isValid

from workbench.ui.theme.theme import qcolor, theme

_AWAY: Final = 3
_WIDTH: Final = 2
_RADIUS: Final = 6
_PERIOD_MS: Final = 16
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
        self._focused: QWidget | None = None
        self._target: QWidget | None = None
        self._by_mouse = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        self._timer = QTimer(self)
        self._timer.setInterval(_PERIOD_MS)
        self._timer.timeout.connect(self._place)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def target(self) -> QWidget | None:
        """The widget that the ring is around."""
        return self._target if self.isVisible() else None

    def _follow(self, _old: QWidget | None, now: QWidget | None) -> None:
        if self._focused is not None and isValid(self._focused):
            self._focused.removeEventFilter(self)
        self._focused = self._target = None
        self._timer.stop()
        self.hide()
        if now is None or now.window() is not self.window():
            return
        self._focused = now
        now.installEventFilter(self)
        self._by_mouse |= QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if self._by_mouse or now is self.window() or _paints_own(now):
            return
        self._target = now
        self._place()
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _BY_MOUSE:
            self._by_mouse = _BY_MOUSE[event.type()]
        return False

    def _place(self) -> None:
        around = QRect() if self._target is None or not isValid(self._target) else _around(self._target)
        if around.isEmpty():
            self.hide()
        elif around != self.geometry() or self.isHidden():
            self.setGeometry(around)
            self.raise_()
            self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(qcolor(theme().tokens.ring), _WIDTH))
        inside = _WIDTH / 2
        box = QRectF(self.rect()).adjusted(inside, inside, -inside, -inside)
        painter.drawRoundedRect(box, theme().px(_RADIUS) + _AWAY - inside, theme().px(_RADIUS) + _AWAY - inside)


def _around(target: QWidget) -> QRect:
    """Where the ring goes, in the window: no further than the scrolled views that the control is in."""
    if not target.isVisible():
        return QRect()
    around = _in_window(target).adjusted(-_AWAY, -_AWAY, _AWAY, _AWAY)
    view = target.parentWidget()
    while view is not None and not view.isWindow():
        if isinstance(view.parentWidget(), QAbstractScrollArea):
            around = around.intersected(_in_window(view))
        view = view.parentWidget()
    return around


def _in_window(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def _paints_own(widget: QWidget) -> bool:
    return isinstance(widget, _OWN) or getattr(widget, "paints_focus", False)
