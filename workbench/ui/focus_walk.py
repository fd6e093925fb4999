"""F6 and Shift+F6: from region to region."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

_TAB = Qt.FocusPolicy.TabFocus


class FocusWalk:
    """Moves the focus to the first thing that takes it in the next region."""

    def __init__(self, window: QWidget, regions: Callable[[], tuple[QWidget, ...]]) -> None:
        self._regions = regions
        for key, by in (("F6", 1), ("Shift+F6", -1)):
            shortcut = QShortcut(QKeySequence(key), window)
            shortcut.activated.connect(lambda by=by: self.step(by))

    def step(self, by: int) -> None:
        """To the next region, around the ends; regions with nothing to focus are passed over."""
        regions = self._regions()
        focus = QApplication.focusWidget()
        at = next((i for i, region in enumerate(regions) if focus is not None and _holds(region, focus)), -1)
        for distance in range(1, len(regions) + 1):
            target = first_focusable(regions[(at + by * distance) % len(regions)])
            if target is not None:
                target.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return


def _holds(region: QWidget, widget: QWidget) -> bool:
    return region is widget or region.isAncestorOf(widget)


def first_focusable(region: QWidget) -> QWidget | None:
    """The region itself, or the first widget in it, in the order of Tab, that takes the keyboard."""
    if _takes(region):
        return region
    widget = region.nextInFocusChain()
    while widget is not None and widget is not region:
        if region.isAncestorOf(widget) and _takes(widget):
            return widget
        widget = widget.nextInFocusChain()
    return None


def _takes(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & _TAB) and widget.isVisible() and widget.isEnabled()
