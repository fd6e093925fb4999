"""Mouse and wheel: turns events into what a graph view can be asked."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from workbench.ui.graph.picture import NOTHING

_DRAG_FROM: Final = 4
_NOTCH: Final = 120
_PAN_PER_NOTCH: Final = 64
_ZOOM_PER_UNIT: Final = 1.0015
"""A notch of the wheel (120 units) zooms by a fifth."""


class Pointed(Protocol):
    """What the pointer acts on."""

    def pan(self, dx: float, dy: float) -> None: ...
    def zoom_at(self, factor: float, at: QPointF) -> None: ...
    def item_under(self, at: QPointF) -> int: ...
    def is_chevron(self, item: int, at: QPointF) -> bool: ...
    def pick(self, item: int, *, more: bool) -> None: ...
    def toggle(self, item: int, *, deep: bool) -> None: ...
    def open_up(self, item: int, *, deep: bool) -> None: ...
    def hover(self, at: QPointF | None) -> None: ...
    def show_dragging(self, is_dragging: bool) -> None: ...


class Pointer:
    """Press, drag, click, double-click, wheel."""

    def __init__(self, target: Pointed) -> None:
        self._target = target
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._is_dragging = False
        self._toggled = False

    def press(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed = self._last = event.position()
            self._is_dragging = False
            self._toggled = False

    def move(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is None:
            self._target.hover(at)
            return
        if not self._is_dragging and (at - self._pressed).manhattanLength() < _DRAG_FROM:
            return
        if not self._is_dragging:
            self._is_dragging = True
            self._target.hover(None)
            self._target.show_dragging(True)
        self._target.pan(at.x() - self._last.x(), at.y() - self._last.y())
        self._last = at

    def release(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if self._is_dragging:
            self._is_dragging = False
            self._target.show_dragging(False)
            return
        if pressed is None or event.button() != Qt.MouseButton.LeftButton or self._toggled:
            return
        item = self._target.item_under(pressed)
        if item != NOTHING and self._target.is_chevron(item, pressed):
            self._toggled = True
            self._target.toggle(item, deep=_is_deep(event))
            return
        self._target.pick(item, more=bool(event.modifiers() & _MORE))

    def double_click(self, event: QMouseEvent) -> None:
        """The second press of a double-click comes here instead of to ``press``."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = None
        item = self._target.item_under(event.position())
        if item == NOTHING or self._target.is_chevron(item, event.position()):
            self.press(event)
            return
        self._target.open_up(item, deep=_is_deep(event))

    def wheel(self, event: QWheelEvent) -> None:
        """Two-finger pans give pixels; wheels give eighths of a degree."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._target.zoom_at(_ZOOM_PER_UNIT ** event.angleDelta().y(), event.position())
            return
        pixels, turned = event.pixelDelta(), event.angleDelta()
        dx, dy = float(pixels.x()), float(pixels.y())
        if pixels.isNull():
            dx, dy = turned.x() / _NOTCH * _PAN_PER_NOTCH, turned.y() / _NOTCH * _PAN_PER_NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not dx:
            dx, dy = dy, 0.0
        self._target.pan(dx, dy)


_MORE: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def _is_deep(event: QMouseEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
