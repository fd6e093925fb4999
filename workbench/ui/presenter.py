"""Keeps bars, rail and buttons in step with the state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from workbench.app.session import State
from workbench.ui.fault import op_at_fault
from workbench.ui.flow import Flow
from workbench.ui.jobbook import JobKind, JobRecord
from workbench.ui.main_action import main_action
from workbench.ui.node_search import graph_of
from workbench.ui.remedies import kept_of, remedy_of
from workbench.ui.step import Step
from workbench.ui.steps_done import path_of, status_facts, step_states, window_title
from workbench.ui.text import say, tr
from workbench.ui.work import Trouble

if TYPE_CHECKING:
    from workbench.ui.window import Window


class Presenter:
    """``refresh`` after anything has changed: it is cheap, and shows the state as it is."""

    def __init__(self, window: Window, flow: Flow) -> None:
        self._window, self._flow = window, flow
        self._session, self._work = flow.session, flow.work

    def refresh(self) -> None:
        """Bars, rail and buttons from the state."""
        state, work = self._session.state, self._work
        is_open = state.model is not None
        self._window.setWindowTitle(window_title(state, unsaved=self._flow.is_unsaved))
        self._window.rail.set_states(step_states(state))
        self._window.rail.set_current(self._window.step)
        self._window.topbar.crumbs.show_path(*(path_of(state) if self._window.step is not None else ("", "", "")))
        self._window.topbar.crumbs.show_rewriting(state.is_rewriting and self._window.step is not None)
        self._window.topbar.crumbs.show_unsaved(self._flow.is_unsaved)
        self._window.topbar.show_editing(is_open and self._window.step is not None)
        self._window.topbar.device.show_device(state.chosen_device)
        self._show_main(state)
        self._enable_commands(state)
        ops = len(self._flow.outline_for(state).rows) if is_open else 0
        if self._window.is_furnished:  # looking up versions is not worth a wait before the first picture
            self._window.strip.show_facts(status_facts(state, work, ops))
        self._window.start_page.devices.show_starting(work.live(JobKind.PHONE) is not None)
        if self._window.step is not None and is_open:
            outline = self._flow.outline_for(state)
            answer = self._window.workspace.graph_page.answer
            answer.show_state(self._window.step, state, outline, work.live(JobKind.CHECK))

    def _show_main(self, state: State) -> None:
        if self._window.step is None:
            self._window.topbar.show_main("", "play", enabled=False)
            return
        action = main_action(self._window.step, state, self._work)
        quiet = action.stops or bool(self._window.error_bar.remedy)
        self._window.topbar.show_main(say(action.title), action.icon, enabled=action.is_enabled, quiet=quiet)

    def _enable_commands(self, state: State) -> None:
        is_open = state.model is not None
        for command in (
            "check",
            "convert",
            "run",
            "inputs",
            "save-project",
            "write-report",
            "find",
            "copy-csv",
            "open-netron",
        ):
            self._window.commands.enable(command, is_open)
        self._window.commands.enable("fix-all", state.is_rewritable and not state.is_rewriting)
        self._window.commands.enable("rewrites-off", state.is_rewriting)
        self._window.commands.enable("export", is_open and bool(self._window.projects.exporters()))
        for step in Step:
            self._window.commands.enable(f"step-{step}", is_open)
        fault = op_at_fault(state.report) if state.report is not None else None
        self._window.commands.enable("show-fault", fault is not None)
        self._window.commands.enable("save-artifact", state.artifact is not None)
        running = self._work.live(JobKind.RUN) or self._work.live(JobKind.CONVERT)
        self._window.commands.enable("stop", running is not None)
        for command, label, plain in (
            ("undo", state.history.undo_label, tr("Undo")),
            ("redo", state.history.redo_label, tr("Redo")),
        ):
            self._window.commands.enable(command, label is not None)
            action = self._window.commands[command]
            action.setText(tr("{act}: {what}", act=plain, what=say(label)) if label is not None else plain)
            key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(tr("{act} ({key})", act=action.text(), key=key))

    def job_changed(self, record: JobRecord) -> None:
        """The count of jobs at work; and the page of a first model that is read."""
        window = self._window
        window.strip.show_jobs(sum(not listed.state.is_over for listed in self._work.book.listed()))
        if record.kind is JobKind.OPEN and self._session.state.model is None:
            window.pages.setCurrentWidget(window.start_page if record.state.is_over else window.opening)
        self.refresh()

    def checked(self) -> None:
        """After a no the operator at fault is shown, unless somebody looks at another or is elsewhere."""
        state = self._session.state
        node = op_at_fault(state.report) if state.report is not None and not state.is_ready else None
        if node is not None and not state.selection and self._window.step is Step.CHECK:
            self._window.show_node(node)

    def job_ended(self, record: JobRecord) -> None:
        """What a bar complained of is solved when the same kind of job has gone well."""
        bar = self._window.error_bar
        if bar.trouble is not None and bar.trouble.kind is record.kind and record.error is None:
            bar.dismiss()

    def show_trouble(self, trouble: Trouble) -> None:
        """What went wrong, with the way out, and the operator it is about."""
        state = self._session.state
        where = trouble.error.where
        is_node = state.model is not None and bool(where) and graph_of(state.model.graph, where) is not None
        remedy = remedy_of(trouble, has_device=state.chosen_device is not None)
        self._window.error_bar.show_trouble(trouble, remedy, kept_of(trouble), where if is_node else "")
        self.refresh()
