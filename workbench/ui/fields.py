"""Fields: text with an icon before it and something after it, and numbers."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QWidget

from workbench.ui.boxes import row
from workbench.ui.icon_label import IconLabel
from workbench.ui.theme.icons import CONTROL
from workbench.ui.theme.theme import theme

_HEIGHT: Final = 28
_SPIN_MARGIN: Final = 6


def furnish(field: QLineEdit, icon_name: str, trailing: QWidget | None = None) -> None:
    """Qt sets the icon of an action off the middle of a styled field, so a label does it."""
    inside = row(field, inset=(8, 0, 6, 0))
    inside.addWidget(IconLabel(icon_name))
    inside.addStretch(1)
    if trailing is not None:
        inside.addWidget(trailing)
    field.setTextMargins(theme().px(CONTROL + 6), 0, 0, 0)


def prepare_spin(spin: QAbstractSpinBox, name: str) -> None:
    """A number as the others: told when it is entered, not at each key; ``name`` for who hears it."""
    spin.setKeyboardTracking(False)
    spin.setGroupSeparatorShown(True)
    spin.setAccessibleName(name)
    spin.lineEdit().setAccessibleName(name)
    spin.setFixedHeight(theme().px(_HEIGHT))
    spin.lineEdit().setTextMargins(theme().px(_SPIN_MARGIN), 0, 0, 0)  # the style sheet's padding does not reach it
