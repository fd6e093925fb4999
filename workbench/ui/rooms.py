"""The pages behind the start page. They carry numpy and pyqtgraph, so they are made after the window shows."""

from __future__ import annotations

from collections.abc import Iterator

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
from workbench.ui.inspector.panel import Inspector
from workbench.ui.layers.panel import LayersPanel
from workbench.ui.live.charts import LiveCharts
from workbench.ui.live.steady import SteadyPanel
from workbench.ui.log_lines import LogLines
from workbench.ui.palette import Palette
from workbench.ui.phones import Phones
from workbench.ui.report.page import ReportPage
from workbench.ui.run.page import RunPage
from workbench.ui.step import Step
from workbench.ui.workspace.graph_page import GraphPage
from workbench.ui.workspace.page import Workspace


class Rooms:
    """One set a window: pages, dock and palette."""

    def __init__(self, session: Session, flow: Flow, phones: Phones, log: LogLines, commands: CommandSet) -> None:
        self._session, self._flow, self._phones, self._log, self._commands = session, flow, phones, log, commands

    def make(self, window: QWidget) -> Iterator[None]:
        """Make them, a piece at a time: each takes the time of a picture or less."""
        session, flow = self._session, self._flow
        layers = LayersPanel(session, flow)
        yield
        graph_page = GraphPage(session)
        yield
        self.convert_page = ConvertPage(session, flow)
        yield
        inspector = Inspector(session, flow)
        yield
        self.workspace = Workspace(session, layers, graph_page, self.convert_page, inspector)
        yield
        charts = LiveCharts()
        yield
        steady = SteadyPanel(charts)
        yield
        self.run_page = RunPage(session, flow, self._phones, charts, steady)
        yield
        self.report_page = ReportPage(session, flow)
        self.live_host = LiveHost()
        self.live_host.take(charts)
        yield
        self.jobs_tab = JobsTab(flow.work)
        self.dock = Dock({Tab.LIVE: self.live_host, Tab.JOBS: self.jobs_tab, Tab.LOG: LogView(self._log)})
        self.dock.hide()
        self.palette = Palette(self._commands, window)

    def page(self, step: Step) -> QWidget:
        """The page that shows ``step``."""
        return {Step.RUN: self.run_page, Step.REPORT: self.report_page}.get(step, self.workspace)

    def pages(self) -> tuple[QWidget, ...]:
        return (self.workspace, self.run_page, self.report_page)

    def parts(self) -> tuple[QWidget, ...]:
        """What has a style sheet each."""
        workspace = self.workspace
        beside = (workspace.strip, workspace.layers, workspace.graph_page, workspace.inspector)
        return (*beside, self.convert_page, self.run_page, self.report_page, self.dock, self.palette)
