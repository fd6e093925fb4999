"""Short moves: a value from 0 to 1, slowing down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

MOVE_MS: Final = 180
"""Opening a group, and fit."""


class Motion(QObject):
    """Runs one move at a time. ``step`` gets the share done, 0.0 first and 1.0 last; a new move ends the old one."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._step: Callable[[float], None] | None = None
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._advance)

    def run(self, duration_ms: int, step: Callable[[float], None]) -> None:
        """Call ``step`` over ``duration_ms``; at once where that is 0."""
        self.finish()
        if duration_ms <= 0:
            step(1.0)
            return
        step(0.0)
        self._step = step
        self._animation.setDuration(duration_ms)
        self._animation.start()

    def finish(self) -> None:
        """Go to the end of the move that runs."""
        step, self._step = self._step, None
        self._animation.stop()
        if step is not None:
            step(1.0)

    def _advance(self, share: float) -> None:
        step = self._step
        if step is None:
            return
        if share >= 1.0:
            self._step = None
        step(float(share))
