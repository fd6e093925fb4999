"""The numbers of a run's steady phase, its budget, and which back end ran."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.ui.live.charts import LiveCharts


class SteadyPanel(QWidget):
    """The figures of the run that ``charts`` shows; follows it by itself. About 300 px wide."""

    def __init__(self, charts: LiveCharts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._charts = charts
