"""The size of the whole model under the plan."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.app.session import State
from workbench.quantize.forecast import Forecast
from workbench.ui.boxes import PANEL_INSET, column, row
from workbench.ui.inspector.section import HeadLine
from workbench.ui.numbers import bytes_text
from workbench.ui.text import tr
from workbench.ui.widgets.labels import surface, text_label


class ForecastPart(QWidget):
    """File size now, and against the model file; says whether it is exact."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel", line="top")
        layout = column(self, gap=8, inset=(PANEL_INSET, 12, PANEL_INSET, 16))
        self.head = HeadLine(tr("Forecast for the whole model"))
        self.caption = HeadLine(tr("File size"))
        self.caption.text.setProperty("role", "hint")
        self.value = text_label("", "page")
        self.change = text_label("", "hint")
        figures = row()
        figures.addWidget(self.value)
        figures.addStretch(1)
        figures.addWidget(self.change)
        layout.addWidget(self.head)
        layout.addWidget(self.caption)
        layout.addLayout(figures)

    def show_state(self, state: State, forecast: Forecast | None) -> None:
        """The artifact's size where it is of this plan, else the forecast; None while there is none yet."""
        assert state.model is not None
        if state.artifact_is_current and state.artifact is not None:
            size, source = state.artifact.bytes, tr("exact, as converted")
        elif forecast is not None:
            size, source = forecast.bytes, tr("exact") if forecast.exact else tr("estimate from the weights")
        else:
            return
        self.caption.fact.setText(source)
        self.value.setText(bytes_text(size))
        delta = size - state.model.bytes
        sign = "+" if delta > 0 else "\N{MINUS SIGN}"
        self.change.setText(tr("{change} against the model file", change=f"{sign}{bytes_text(abs(delta))}"))
