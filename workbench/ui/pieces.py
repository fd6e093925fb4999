"""Work of the window's thread that is done a piece at a time, so that no piece holds it up."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal


class Pieces(QObject):
    """Goes on with ``pieces`` once a turn of the loop; each yields the milliseconds to wait for the next."""

    done = Signal()

    def __init__(self, pieces: Iterator[int], parent: QObject) -> None:
        super().__init__(parent)
        self._pieces = pieces
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        """Begin; no more than once has an effect."""
        if not self._timer.isActive():
            self._timer.start(0)

    def finish(self) -> None:
        """Do the rest at once."""
        self._timer.stop()
        for _ in self._pieces:
            continue

    def stop(self) -> None:
        """Leave the rest undone."""
        self._timer.stop()
        self._pieces = iter(())

    def _go_on(self) -> None:
        pause = next(self._pieces, None)
        if pause is None:
            self.done.emit()
        else:
            self._timer.start(pause)
