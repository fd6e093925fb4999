"""Text fields with an icon before the text and something after it."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.ui.boxes import row
from workbench.ui.icon_label import IconLabel
from workbench.ui.theme.icons import CONTROL
from workbench.ui.theme.theme import theme


def furnish(field: QLineEdit, icon_name: str, trailing: QWidget | None = None) -> None:
    """Qt sets the icon of an action off the middle of a styled field, so a label does it."""
    inside = row(field, inset=(8, 0, 6, 0))
    inside.addWidget(IconLabel(icon_name))
    inside.addStretch(1)
    if trailing is not None:
        inside.addWidget(trailing)
    field.setTextMargins(theme().px(CONTROL + 6), 0, 0, 0)
