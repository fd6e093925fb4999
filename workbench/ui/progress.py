"""Progress bars that move with real progress alone."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

_STEPS = 1000


def progress_bar(name: str) -> QProgressBar:
    """A thin bar; ``name`` is read aloud."""
    result = QProgressBar()
    result.setTextVisible(False)
    result.setAccessibleName(name)
    result.setRange(0, _STEPS)
    result.hide()
    return result


def show_fraction(bar: QProgressBar, fraction: float | None) -> None:
    """Hidden where nothing is known: a bar that runs for ever says nothing."""
    bar.setVisible(fraction is not None)
    if fraction is not None:
        bar.setValue(round(fraction * _STEPS))
