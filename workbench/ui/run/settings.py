"""Run settings: what is asked of the engine and of the measurement."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QSpinBox, QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.run import RunConfig
from workbench.ui.boxes import PANEL_INSET, column, row
from workbench.ui.fields import prepare_spin
from workbench.ui.run.budget import BudgetPart
from workbench.ui.run.duration import DEFAULT_SECONDS
from workbench.ui.segments import Segments
from workbench.ui.text import tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import text_label

_LABEL: Final = 72
_THREADS: Final = (1, 2, 4, 8)
_MOST_ITERATIONS: Final = 1_000_000
_MOST_SECONDS: Final = 3600


class RunSettings(QWidget):
    """Edits ``session.state.run_config``. Locked while a run is at work."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._showing = False
        whole = column(self, gap=0)
        layout = column(gap=8, inset=(PANEL_INSET, 12, PANEL_INSET, 16))
        whole.addLayout(layout)
        self.budget = BudgetPart()
        layout.addWidget(text_label(tr("Run settings"), "strong"))
        self.threads: Segments[int] = Segments([(n, str(n)) for n in _THREADS], tr("Threads"))
        self.precision = _combo(
            [("normal", tr("Normal")), ("low", tr("Low (fp16)")), ("high", tr("High"))], tr("Precision")
        )
        self.memory = _combo(
            [("normal", tr("Normal")), ("low", tr("Low: dynamic quant.")), ("high", tr("High"))], tr("Memory")
        )
        self.warmup = _spin(0, 10_000, tr("Warm-up runs"), tr(" runs"))
        self.stop_by: Segments[bool] = Segments([(False, tr("Runs")), (True, tr("Time"))], tr("Stop after"))
        self.iterations = _spin(1, _MOST_ITERATIONS, tr("Measured runs"), tr(" runs"))
        self.seconds = _spin(1, _MOST_SECONDS, tr("Measured seconds"), " s")
        self.ops = QCheckBox(tr("Per-op times, in runs of their own"))
        amount = QWidget()
        amount_row = row(amount)
        amount_row.addWidget(self.iterations, 1)
        amount_row.addWidget(self.seconds, 1)
        backend = text_label(tr("CPU"), "")
        backend.setToolTip(tr("The portable runtime has the CPU back end only."))
        for name, control in (
            (tr("Back end"), backend),
            (tr("Threads"), self.threads),
            (tr("Precision"), self.precision),
            (tr("Memory"), self.memory),
            (tr("Warm-up"), self.warmup),
            (tr("Stop after"), self.stop_by),
            (tr("Measure"), amount),
        ):
            layout.addLayout(_line(name, control))
        layout.addWidget(self.ops)
        whole.addWidget(self.budget)
        self.budget.edited.connect(lambda budget: self._edit(replace(self._config, budget=budget)))
        self.threads.chosen.connect(lambda n: self._edit(replace(self._config, threads=n)))
        self.precision.activated.connect(
            lambda _i: self._edit(replace(self._config, precision=self.precision.currentData()))
        )
        self.memory.activated.connect(lambda _i: self._edit(replace(self._config, memory=self.memory.currentData())))
        self.warmup.valueChanged.connect(lambda n: self._edit(replace(self._config, warmup=n)))
        self.iterations.valueChanged.connect(lambda n: self._edit(replace(self._config, iterations=n)))
        self.seconds.valueChanged.connect(lambda n: self._edit(replace(self._config, seconds=float(n))))
        self.stop_by.chosen.connect(self._choose_stop)
        self.ops.clicked.connect(lambda on: self._edit(replace(self._config, ops=on)))
        session.follow(self.show_state, Topic.RUN)
        self.show_state(session.state)

    @property
    def _config(self) -> RunConfig:
        return self._session.state.run_config

    def show_state(self, state: State) -> None:
        self._showing = True
        config = state.run_config
        by_time = config.seconds > 0
        self.threads.set_value(config.threads)
        self.precision.setCurrentIndex(self.precision.findData(config.precision))
        self.memory.setCurrentIndex(self.memory.findData(config.memory))
        self.warmup.setValue(config.warmup)
        self.stop_by.set_value(by_time)
        self.iterations.setValue(config.iterations)
        if by_time:
            self.seconds.setValue(round(config.seconds))
        self.iterations.setVisible(not by_time)
        self.seconds.setVisible(by_time)
        self.ops.setChecked(config.ops)
        self.budget.show_budget(config.budget)
        self._showing = False

    def _choose_stop(self, by_time: bool) -> None:
        self._edit(replace(self._config, seconds=DEFAULT_SECONDS if by_time else 0.0))

    def _edit(self, config: RunConfig) -> None:
        if not self._showing and config != self._config:
            self._session.set_run_config(config)


def _combo(choices: list[tuple[str, str]], name: str) -> QComboBox:
    result = QComboBox()
    result.setAccessibleName(name)
    result.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    result.setMinimumContentsLength(6)
    for value, text in choices:
        result.addItem(text, value)
    return result


def _spin(least: int, most: int, name: str, suffix: str) -> QSpinBox:
    result = QSpinBox()
    result.setRange(least, most)
    result.setSuffix(suffix)
    prepare_spin(result, name)
    return result


def _line(name: str, control: QWidget) -> QHBoxLayout:
    layout = row()
    label = text_label(name, "hint")
    label.setFixedWidth(theme().px(_LABEL))
    layout.addWidget(label)
    layout.addWidget(control, 1)
    return layout
