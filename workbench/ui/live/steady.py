"""The numbers of a run's steady phase, its budget, and which back end ran."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from workbench.core.numbers import decimals_of
from workbench.core.run import RunConfig
from workbench.core.statistics import least_runs
from workbench.ui.live.backend import BackendSection
from workbench.ui.live.charts import LiveCharts
from workbench.ui.live.figures import Figures, Quantity, figures
from workbench.ui.live.histogram import HistogramView
from workbench.ui.live.judge import BudgetRow, judge
from workbench.ui.live.recording import Recording
from workbench.ui.live.rows import FigureRow, Mark, Section, ValueLabel, rule
from workbench.ui.live.words import decimals_for, number
from workbench.ui.text import tr
from workbench.ui.theme.fonts import HERO
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface, text_label

WIDTH: Final = 320
_LEAST_FOR_HISTOGRAM: Final = 10
_GROWTH: Final = 1.02
"""Figures are made anew when there are 2 % more runs: sorting a million takes longer than a picture."""


class SteadyPanel(QWidget):
    """The figures of the run that ``charts`` shows; follows it by itself. ``WIDTH`` design pixels wide."""

    def __init__(self, charts: LiveCharts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel")
        self._charts = charts
        self._config: RunConfig | None = None
        self._figures: Figures | None = None
        self._of: Recording | None = None
        self._count = text_label(role="hint")
        self._latency = _LatencySection()
        self.budget = _BudgetSection()
        self.backend = BackendSection()
        self._budget_rule = rule()
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._latency, self._budget_rule, self.budget, rule(), self.backend):
            column.addWidget(widget)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setAccessibleName(tr("Steady state"))
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self._header = self._make_header()
        outer.addWidget(self._header)
        outer.addWidget(scroll, 1)
        charts.updated.connect(self.refresh)
        self._restyle()
        self.refresh()

    def set_config(self, config: RunConfig) -> None:
        """What is asked of the device, to show before the run's summary tells it."""
        self._config = config
        self.refresh()

    def refresh(self) -> None:
        """Show the run as it is now. Called by the charts about twice a second."""
        recording = self._charts.recording
        self._take_figures(recording)
        n = self._figures.n if self._figures is not None else 0
        self._count.setText(tr("n = {n}", n=number(n, 0)) if n else "")
        self._latency.show_run(recording, self._figures)
        rows = judge(self._charts.budget, recording, self._figures) if recording is not None else ()
        self.budget.show_rows(rows)
        self.budget.setVisible(bool(rows))
        self._budget_rule.setVisible(bool(rows))
        self.backend.show_run(recording, self._config)

    def _take_figures(self, recording: Recording | None) -> None:
        if recording is None or recording is not self._of:
            self._figures = None
        self._of = recording
        if recording is None:
            return
        known = self._figures.n if self._figures is not None else 0
        if recording.steady.n > known * _GROWTH or recording.ended:
            self._figures = figures(recording)

    def _make_header(self) -> QWidget:
        header = QWidget()
        surface(header, "panel", line="bottom")
        row = QHBoxLayout(header)
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(text_label(tr("Steady state"), "strong"), 1)
        row.addWidget(self._count)
        return header

    def sizeHint(self) -> QSize:
        return QSize(theme().px(WIDTH), theme().px(680))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_header"):
            self._restyle()

    def _restyle(self) -> None:
        self._header.setFixedHeight(theme().px(40))
        self.setMinimumWidth(theme().px(264))


class _LatencySection(QWidget):
    """The one number with its interval, the others under it, and the histogram. Wrong outputs get none."""

    def __init__(self) -> None:
        super().__init__()
        self._p50 = ValueLabel(HERO)
        self._unit = text_label("ms", "hint")
        self._interval = text_label(role="hint")
        self._note = text_label(role="hint", wrap=True)
        self.simulated = text_label(tr("Simulated: this computer's processor"), "hint", wrap=True)
        self._alarm = Mark("octagon-x", "wrong")
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        names = ("p90", "p99", tr("Mean"), tr("First run"))
        self._p90, self._p99, self._mean, self._first = (FigureRow(grid, i, name) for i, name in enumerate(names))
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(2, 3)
        self._histogram = HistogramView()
        self._table, self._graph = QWidget(), Section(tr("Histogram"), tr("ms, square-root scale"))
        table = QVBoxLayout(self._table)
        table.setContentsMargins(16, 0, 16, 12)
        table.addLayout(grid)
        self._graph.body.setContentsMargins(16, 0, 16, 12)
        self._graph.body.addWidget(self._histogram)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(16, 0, 16, 8)
        head.setSpacing(0)
        head.addWidget(text_label(tr("Latency p50"), "hint"))
        head.addLayout(self._hero())
        head.addWidget(self.simulated)
        note = QHBoxLayout()
        note.setSpacing(8)
        note.addWidget(self._alarm)
        note.addWidget(self._note, 1)
        head.addLayout(note)
        column.addLayout(head)
        column.addWidget(self._table)
        column.addWidget(self._graph)

    def _hero(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        bottom = Qt.AlignmentFlag.AlignBottom
        row.addWidget(self._p50, 0, bottom)
        for label, gap in ((self._unit, 1), (self._interval, 0)):
            label.setContentsMargins(0, 0, 0, 6)
            row.addWidget(label, gap, bottom)
        return row

    def show_run(self, recording: Recording | None, found: Figures | None) -> None:
        wrong = recording is not None and recording.outputs_are_wrong
        shown = found if not wrong else None
        self.simulated.setVisible(recording is not None and recording.simulated)
        for widget in (self._p50, self._unit, self._interval, self._table):
            widget.setVisible(shown is not None)
        self._graph.setVisible(shown is not None and shown.n >= _LEAST_FOR_HISTOGRAM)
        self._alarm.setVisible(wrong)
        self._note.setText(_note(recording, shown))
        self._note.setVisible(bool(self._note.text()))
        if shown is None or recording is None:
            return
        decimals = decimals_for(shown.p50.uncertainty, shown.p50.value)
        self._p50.setText(number(shown.p50.value, decimals))
        bounds = _interval(shown.p50)
        self._interval.setText(tr("95 %: {interval}", interval=bounds) if bounds else "")
        for row, quantity, share in ((self._p90, shown.p90, 0.9), (self._p99, shown.p99, 0.99)):
            row.show(_ms(quantity), _interval(quantity) or tr("needs {n} runs", n=least_runs(share)))
        mean_decimals = decimals_for(shown.margin, shown.mean)
        margin = f"± {number(shown.margin, mean_decimals)}" if shown.margin is not None else ""
        self._mean.show(f"{number(shown.mean, mean_decimals)} ms", margin)
        first = recording.first_ms
        self._first.show(
            tr("not measured") if first is None else f"{number(first, decimals_of(first))} ms",
            "" if first is None else tr("once"),
        )
        self._histogram.set_figures(shown)


def _note(recording: Recording | None, shown: Figures | None) -> str:
    if recording is None:
        return tr("No run yet. The figures of the steady phase appear here.")
    if recording.outputs_are_wrong:
        return tr("The outputs are wrong, so no speed is given.")
    if shown is None:
        return tr("not measured") if recording.ended else tr("not measured yet")
    return tr("Too few runs for an interval.") if shown.p50.interval is None else ""


def _ms(quantity: Quantity) -> str:
    return f"{number(quantity.value, decimals_for(quantity.uncertainty, quantity.value))} ms"


def _interval(quantity: Quantity) -> str:
    if quantity.interval is None:
        return ""
    decimals = decimals_for(quantity.uncertainty, quantity.value)
    low, high = (number(bound, decimals) for bound in quantity.interval)
    return tr("{low} to {high}", low=low, high=high)


class _BudgetSection(Section):
    """A row for every limit: within, over, or not known."""

    def __init__(self) -> None:
        super().__init__(tr("Budget"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self.body.addLayout(self._grid)
        self._rows: list[tuple[Mark, FigureRow]] = []

    def show_rows(self, rows: tuple[BudgetRow, ...]) -> None:
        while len(self._rows) < len(rows):
            self._add_row()
        for index, (mark, row) in enumerate(self._rows):
            used = index < len(rows)
            for widget in (mark, row.name, row.value, row.note):
                widget.setVisible(used)
            if used:
                _show_row(mark, row, rows[index])

    def _add_row(self) -> None:
        at = len(self._rows)
        mark = Mark()
        self._grid.addWidget(mark, at, 0)
        self._rows.append((mark, FigureRow(self._grid, at, "", first=1)))


def _show_row(mark: Mark, row: FigureRow, judged: BudgetRow) -> None:
    mark.set_mark(*_FORMS[judged.within])
    row.name.setText(judged.name)
    row.value.set_ink(_VALUES[judged.within])
    row.show(judged.value, judged.limit)


_FORMS: Final[dict[bool | None, tuple[str, str]]] = {
    True: ("circle-check", "right"),
    False: ("circle-x", "wrong"),
    None: ("circle-dashed", "text3"),
}
_VALUES: Final[dict[bool | None, str]] = {True: "text", False: "wrong", None: "text3"}
