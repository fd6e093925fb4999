"""The Live tab: the charts of the run, while the Run page is not shown."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.ui.boxes import column


class LiveHost(QWidget):
    """Holds the one chart widget of the window while nobody else does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = column(self, gap=0)

    def take(self, charts: QWidget) -> None:
        if charts.parentWidget() is not self:
            self._layout.addWidget(charts)
            charts.show()
