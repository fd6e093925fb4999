"""The pages behind the start page. They carry numpy and pyqtgraph, so they are made after the window shows."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.app.session import Session
from workbench.ui.commands import CommandSet
from workbench.ui.convert.page import ConvertPage
from workbench.ui.dock.dock import Dock
from workbench.ui.dock.jobs import JobsTab
from workbench.ui.dock.live import LiveHost
from workbench.ui.dock.log import LogView
from workbench.ui.dock.tab import Tab
from workbench.ui.flow import Flow
from workbench.ui.log_lines import LogLines
from workbench.ui.palette import Palette
from workbench.ui.phones import Phones
from workbench.ui.report.page import ReportPage
from workbench.ui.run.page import RunPage
from workbench.ui.step import Step
from workbench.ui.workspace.page import Workspace


class Rooms:
    """One set a window: pages, dock and palette. Three calls make them, each in the time of a picture or two."""

    def __init__(self, session: Session, flow: Flow, phones: Phones, log: LogLines, commands: CommandSet) -> None:
        self._session, self._flow, self._phones, self._log, self._commands = session, flow, phones, log, commands

    def make_workspace(self) -> None:
        self.convert_page = ConvertPage(self._session, self._flow)
        self.workspace = Workspace(self._session, self._flow, self.convert_page)

    def make_run(self) -> None:
        self.run_page = RunPage(self._session, self._flow, self._phones)

    def make_rest(self, window: QWidget) -> None:
        """After the others: the dock has the run's charts."""
        self.report_page = ReportPage(self._session, self._flow)
        self.live_host = LiveHost()
        self.live_host.take(self.run_page.charts)
        self.jobs_tab = JobsTab(self._flow.work)
        self.dock = Dock({Tab.LIVE: self.live_host, Tab.JOBS: self.jobs_tab, Tab.LOG: LogView(self._log)})
        self.palette = Palette(self._commands, window)

    def page(self, step: Step) -> QWidget:
        """The page that shows ``step``."""
        return {Step.RUN: self.run_page, Step.REPORT: self.report_page}.get(step, self.workspace)

    def pages(self) -> tuple[QWidget, ...]:
        return (self.workspace, self.run_page, self.report_page)
