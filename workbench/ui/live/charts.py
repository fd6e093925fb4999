"""Latency, memory and temperature of a run on one time axis, while it runs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.protocol import Event
from workbench.core.run import Budget, RunSummary


class LiveCharts(QWidget):
    """The charts of one run. Fed by the window with what the run's job hands on; draws when it can.

    ``updated`` is emitted about twice a second while figures change, and once after ``finish``.
    """

    updated = Signal()

    def begin(self, title: str) -> None:
        """A run starts: what was shown is dropped, and ``phase`` counts seconds from now."""

    def phase(self, name: str, t_s: float) -> None:
        """The host starts "push" or "load", ``t_s`` seconds after ``begin``. The agent's events tell the rest."""

    def add(self, events: tuple[Event, ...]) -> None:
        """A batch of the agent's events, in the order they came."""

    def finish(self, summary: RunSummary) -> None:
        """The run ended: its last figures are shown and following stops."""

    def clear(self) -> None:
        """Back to the empty state."""

    def set_budget(self, budget: Budget) -> None:
        """Limits to draw, and to judge by."""

    def pause(self, paused: bool) -> None:
        """Hold the picture; events are still kept and shown afterwards."""

    def export_image(self, path: Path) -> None:
        """Write the charts as they are to a PNG file, at twice the size. Raises BadInput."""
