"""Buttons in the forms of the style sheet."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QToolButton

from workbench.ui.theme.icons import CONTROL, icon, icon_size
from workbench.ui.theme.theme import theme

_GAP: Final = 6
"""Fusion sets icon and text 4 apart; a wider icon keeps them 8 apart, its drawing in the middle."""
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
    target.setIcon(icon(icon_name, CONTROL, _ICON_TOKENS.get(target.property("kind") or "", "text")))
    target.setIconSize(QSize(theme().px(CONTROL + _GAP), theme().px(CONTROL)))


def set_kind(target: QPushButton, kind: str) -> None:
    """Change the form of a button that is there already."""
    target.setProperty("kind", kind)
    target.style().unpolish(target)
    target.style().polish(target)


def icon_button(icon_name: str, name: str, shortcut: str = "") -> QToolButton:
    """An icon alone, with a tooltip and an accessible name."""
    result = QToolButton()
    result.setIcon(icon(icon_name))
    result.setIconSize(icon_size())
    result.setToolTip(f"{name} ({shortcut})" if shortcut else name)
    result.setAccessibleName(name)
    result.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    result.setFixedSize(theme().px(28), theme().px(28))
    return result
