"""Buttons in the forms of the style sheet."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtWidgets import QPushButton, QToolButton

from workbench.ui.theme.icons import CONTROL, icon, icon_size
from workbench.ui.theme.theme import theme

_GAP: Final = 4
"""Fusion sets icon and text 4 apart, whatever the style sheet says: a wider icon makes it 8."""
_ICON_TOKENS = {"main": "onaccent", "soft": "accent_text", "link": "accent_text", "flat": "text2"}


def button(text: str, icon_name: str = "", kind: str = "", *, page: bool = False) -> QPushButton:
    """``kind``: "" (outlined), "main" (one a region), "soft", "flat" or "link". ``page``: 32 high."""
    result = QPushButton(text)
    result.setAutoDefault(False)
    if kind:
        result.setProperty("kind", kind)
    if page:
        result.setProperty("large", True)
    if icon_name:
        set_button_icon(result, icon_name)
    return result


def set_button_icon(target: QPushButton, icon_name: str) -> None:
    """An icon in the ink of the button's kind."""
    base = icon(icon_name, CONTROL, _ICON_TOKENS.get(target.property("kind") or "", "text"))
    target.setIcon(QIcon(_SpacedIcon(base)))
    target.setIconSize(QSize(theme().px(CONTROL + _GAP), theme().px(CONTROL)))


def set_kind(target: QPushButton, kind: str) -> None:
    """Change the form of a button that is there already."""
    if (target.property("kind") or "") == kind:
        return
    target.setProperty("kind", kind)
    if not target.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        return  # it will be
    target.style().unpolish(target)
    target.style().polish(target)


def icon_button(icon_name: str, name: str, shortcut: str = "", *, size: int = CONTROL) -> QToolButton:
    """An icon alone, with a tooltip and an accessible name."""
    result = QToolButton()
    result.setIcon(icon(icon_name, size))
    result.setIconSize(icon_size(size))
    result.setToolTip(f"{name} ({shortcut})" if shortcut else name)
    result.setAccessibleName(name)
    result.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    result.setFixedSize(theme().px(size + 12), theme().px(size + 12))
    return result


class _SpacedIcon(QIconEngine):
    """``base`` at the left of a wider box."""

    def __init__(self, base: QIcon) -> None:
        super().__init__()
        self._base = base

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        square = QRect(rect.left(), rect.top(), rect.height(), rect.height())
        self._base.paint(painter, square, Qt.AlignmentFlag.AlignCenter, mode, state)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        result = QPixmap(size * scale)  # Qt sets its ratio
        result.fill(Qt.GlobalColor.transparent)
        painter = QPainter(result)
        self.paint(painter, result.rect(), mode, state)
        painter.end()
        return result

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def clone(self) -> QIconEngine:
        return _SpacedIcon(self._base)
