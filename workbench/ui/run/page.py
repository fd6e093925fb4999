"""The Run page: device and settings, live charts, steady figures."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.messages import plain
from workbench.core.protocol import Event, Hello, Warn
from workbench.core.run import RunSummary
from workbench.ui.boxes import column, row
from workbench.ui.buttons import button
from workbench.ui.flow import Flow
from workbench.ui.icon_tile import IconTile
from workbench.ui.jobbook import JobKind, JobRecord
from workbench.ui.live.charts import LiveCharts
from workbench.ui.live.recording import LOAD, PUSH
from workbench.ui.live.steady import SteadyPanel
from workbench.ui.notice import Notice, warning_title
from workbench.ui.phones import Phones
from workbench.ui.run.answer import RunAnswer
from workbench.ui.run.device import DevicePart
from workbench.ui.run.settings import RunSettings
from workbench.ui.scrolling import scrolled
from workbench.ui.splitter import Splitter
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import ElidedLabel, surface, text_label

_LEFT, _CENTRE, _RIGHT = 304, 760, 304
_PHASES: Final = {"Pushing {megabytes} MB": PUSH, "Running on {device}": LOAD}
"""What a run's progress says when it reaches a phase."""


class RunPage(QWidget):
    """``wanted`` carries a window command's id. ``charts`` move to the dock while another step is shown."""

    wanted = Signal(str)

    def __init__(
        self,
        session: Session,
        flow: Flow,
        phones: Phones,
        charts: LiveCharts,
        steady: SteadyPanel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._flow, self._phones = session, flow, phones
        self.charts, self.steady = charts, steady
        self.device = DevicePart(session)
        self.settings = RunSettings(session)
        self._told: list[str] = []
        self._phases: set[str] = set()
        self.notices = column(gap=8, inset=(16, 12, 16, 12))
        self.device.wanted.connect(self.wanted)
        self.progress = ElidedLabel("", "hint")
        self.charts.failed.connect(flow.work.tell)
        self.start_button = button(tr("Start a simulated phone"), "play", "main", page=True)
        self.start_button.clicked.connect(lambda: self.wanted.emit("start-phone"))
        self.connect_button = button(tr("Connect by address"), "", page=True)
        self.connect_button.clicked.connect(lambda: self.wanted.emit("connect"))
        self.reason = text_label("", "hint", wrap=True)
        self.host_box = QWidget()
        self._charts_place = column(self.host_box, gap=0)
        self.take_charts()
        self.answer = RunAnswer()
        self._summary: RunSummary | None = None
        self.centre = QStackedWidget()
        self.centre.addWidget(self.host_box)
        self.centre.addWidget(self._no_device())
        self.splitter = Splitter(Qt.Orientation.Horizontal, (_LEFT, _CENTRE, _RIGHT))
        self._build()
        flow.run_began.connect(self._began)
        flow.run_events.connect(self._events)
        flow.run_ended.connect(self._ended)
        flow.work.changed.connect(self._job_changed)
        phones.listed.connect(self._devices_changed)
        session.follow(lambda _state: self._devices_changed(), Topic.DEVICES)
        session.follow(self._model_changed, Topic.MODEL)
        session.follow(self._budget_changed, Topic.RUN, Topic.MODEL)
        self._budget_changed(session.state)
        self._devices_changed()

    def _build(self) -> None:
        inside = QWidget()
        surface(inside, "panel")
        left = column(inside, gap=0)
        left.addWidget(self.device)
        left.addWidget(self.settings)
        left.addLayout(self.notices)
        left.addStretch(1)
        area = scrolled(inside, tr("Device and run settings"))
        area.setMinimumWidth(theme().px(_LEFT - 4))
        middle = QWidget()
        surface(middle, "panel")
        centre = column(middle, gap=0)
        centre.addWidget(self.answer)
        centre.addWidget(self.centre, 1)
        self.working = QWidget()
        surface(self.working, "panel", line="top")
        working = row(self.working, inset=(16, 6, 16, 6))
        working.addWidget(self.progress, 1)
        self.cancel = button(tr("Cancel"), "x")
        self.cancel.clicked.connect(lambda: self.wanted.emit("stop"))
        working.addWidget(self.cancel)
        self.working.hide()
        centre.addWidget(self.working)
        for widget in (area, middle, self.steady):
            self.splitter.addWidget(widget)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setStretchFactor(2, 0)
        self.splitter.restore_default()
        column(self, gap=0).addWidget(self.splitter)

    def take_charts(self) -> None:
        """The charts come back from the dock."""
        if self.charts.parentWidget() is not self.host_box:
            self._charts_place.addWidget(self.charts)
            self.charts.show()

    def _no_device(self) -> QWidget:
        page = QWidget()
        surface(page, "panel")
        layout = column(page, gap=8, inset=32)
        layout.addStretch(2)
        centre = Qt.AlignmentFlag.AlignHCenter
        layout.addWidget(IconTile("smartphone"), alignment=centre)
        layout.addWidget(text_label(tr("No phone connected"), "page"), alignment=centre)
        about = text_label(tr("Plug in a phone with USB debugging on, or start a simulated one."), "", wrap=True)
        about.setAlignment(centre)
        layout.addWidget(about)
        acts = row(inset=(0, 12, 0, 12))
        acts.addStretch(1)
        acts.addWidget(self.start_button)
        acts.addWidget(self.connect_button)
        acts.addStretch(1)
        layout.addLayout(acts)
        self.reason.setAlignment(centre)
        layout.addWidget(self.reason)
        layout.addStretch(3)
        return page

    # Following a run

    def _began(self, title: str) -> None:
        self._clear_notices()
        self._phases = set()
        self._show_answer(None)
        self.charts.begin(title, simulated=self._flow.run_is_simulated)
        self.steady.set_config(self._session.state.run_config)
        self._devices_changed()

    def replay(self, title: str, events: tuple[Event, ...]) -> None:
        """Show a run that another window began."""
        self._began(title)
        self._events(events)
        runs = self._session.state.runs
        if self._flow.work.live(JobKind.RUN) is None and runs:
            self._ended(runs[-1].summary)

    def _events(self, events: tuple[Event, ...]) -> None:
        self.working.hide()  # the charts say the rest
        self.charts.add(events)
        for event in events:
            if isinstance(event, Warn):
                self._told.append(event.text)
                self.add_notice(warning_title(event.code), event.text)
            elif isinstance(event, Hello):
                self.device.show_hello(event)

    def _ended(self, summary: RunSummary | None) -> None:
        self.charts.finish(summary)
        self._show_answer(summary)
        if summary is None:
            return
        for warning in summary.warnings:
            text = say(warning)
            if not any(told in text for told in self._told):
                self.add_notice("", text)
        if summary.outputs is not None and not summary.outputs.right:
            self.add_notice(tr("Outputs wrong"), tr("No speed is given for a run whose numbers are wrong."))

    def _job_changed(self, record: JobRecord) -> None:
        if record.kind is JobKind.PHONE:
            starting = not record.state.is_over
            self.start_button.setEnabled(not starting)
            self.start_button.setText(tr("Starting a simulated phone") if starting else tr("Start a simulated phone"))
        if record.kind in (JobKind.RUN, JobKind.CONVERT):
            work = self._flow.work
            running = work.live(JobKind.RUN) or work.live(JobKind.CONVERT)
            self.settings.setEnabled(work.live(JobKind.RUN) is None)
            self.working.setVisible(running is not None)
            if record.kind is JobKind.RUN and not record.state.is_over:
                self._tell_phases(record)
            if running is not None:
                self.cancel.setEnabled(not running.is_stopping)
                text = running.text if running.text is not None else running.title
                self.progress.set_text(tr("Stopping") if running.is_stopping else say(text))

    def _tell_phases(self, record: JobRecord) -> None:
        """What the host does before the agent speaks, on the charts' time axis."""
        for stage in record.stages:
            phase = _PHASES.get(stage.text.template)
            if phase is not None and phase not in self._phases:
                self._phases.add(phase)
                self.charts.phase(phase, stage.began)

    def _devices_changed(self) -> None:
        state = self._session.state
        has_run = bool(state.runs) or self._flow.work.live(JobKind.RUN) is not None
        empty = state.chosen_device is None and not has_run
        self.centre.setCurrentIndex(1 if empty else 0)
        self.reason.setVisible(bool(self._phones.note))
        self.reason.setText(plain(self._phones.note))

    def _show_answer(self, summary: RunSummary | None) -> None:
        self._summary = summary
        self.answer.show_run(summary, self._session.state.run_config.budget)

    def _budget_changed(self, state: State) -> None:
        budget = state.run_config.budget
        if budget != self.charts.budget:
            self.charts.set_budget(budget)
            self._show_answer(self._summary)

    def _model_changed(self, state: State) -> None:
        self.charts.clear()
        self._show_answer(None)
        self._clear_notices()

    def add_notice(self, title: str, text: str) -> None:
        """Something that changes what the numbers mean."""
        self.notices.addWidget(Notice(title, text))

    def _clear_notices(self) -> None:
        self._told = []
        while (item := self.notices.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
