"""A segmented control: one of a few values, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from workbench.ui.boxes import row
from workbench.ui.widgets.labels import surface

Value = TypeVar("Value")


class Segments(QWidget, Generic[Value]):
    """``chosen`` carries the value that a person picked. Arrows move between segments."""

    chosen = Signal(object)

    def __init__(self, choices: Sequence[tuple[Value, str]], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "sunken")
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._values = tuple(value for value, _ in choices)
        self._buttons: list[QToolButton] = []
        layout = row(self, gap=2, inset=2)
        for value, text in choices:
            button = QToolButton()
            button.setText(text)
            button.setProperty("kind", "segment")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setAccessibleName(f"{name}: {text}")
            button.clicked.connect(lambda _checked=False, value=value: self._click(value))
            self._buttons.append(button)
            layout.addWidget(button)
        self._value: Value | None = None

    def value(self) -> Value | None:
        return self._value

    def set_value(self, value: Value | None) -> None:
        """None shows that the values differ: no segment is on."""
        self._value = value
        for own, button in zip(self._values, self._buttons, strict=True):
            button.setChecked(value is not None and own == value)

    def button(self, value: Value) -> QToolButton:
        return self._buttons[self._values.index(value)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        focused = next((at for at, button in enumerate(self._buttons) if button.hasFocus()), None)
        if by is None or focused is None:
            super().keyPressEvent(event)
            return
        self._buttons[(focused + by) % len(self._buttons)].setFocus(Qt.FocusReason.TabFocusReason)

    def _click(self, value: Value) -> None:
        before = self._value
        self.set_value(value)
        if value != before:
            self.chosen.emit(value)
