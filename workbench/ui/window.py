"""The window: bars, pages and dock put together, and what follows what."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.app.session import Session, Topic
from workbench.ui.commands import VIEW, CommandSet
from workbench.ui.deeds import Deeds
from workbench.ui.device_menu import fill_device_menu
from workbench.ui.dialogs import Dialogs
from workbench.ui.dock.tab import OPEN_HEIGHT
from workbench.ui.errorbar import ErrorBar
from workbench.ui.flow import Flow
from workbench.ui.focus_walk import FocusWalk
from workbench.ui.furnished import FurnishedFrame
from workbench.ui.furnishing import Furnishing
from workbench.ui.jobbook import JobKind, JobRecord
from workbench.ui.keeping import Keeping
from workbench.ui.log_lines import LogLines
from workbench.ui.opening import OpeningPage
from workbench.ui.panels import Panels
from workbench.ui.phones import Phones
from workbench.ui.presenter import Presenter
from workbench.ui.projects import Projects
from workbench.ui.rail import NARROW_WIDTH, WIDTH, Rail
from workbench.ui.settings import Settings
from workbench.ui.splitter import Splitter
from workbench.ui.start.page import StartPage
from workbench.ui.step import Step
from workbench.ui.strip import StatusStrip
from workbench.ui.topbar import TopBar
from workbench.ui.widgets.focus_ring import FocusRing
from workbench.ui.work import Trouble


class Window(FurnishedFrame):
    """One a program, made anew when the language changes. Work and session outlive it."""

    theme_wanted = Signal(str)
    language_wanted = Signal(str)
    scale_wanted = Signal(int)
    locate_wanted = Signal(str)
    settings_changed = Signal()

    def __init__(
        self,
        session: Session,
        flow: Flow,
        phones: Phones,
        projects: Projects,
        log: LogLines,
        dialogs: Dialogs,
        settings: Settings,
    ) -> None:
        super().__init__()
        self._session, self._flow, self._work = session, flow, flow.work
        self.projects, self._phones = projects, phones
        self.step: Step | None = None
        self.setWindowTitle("Workbench")
        self.keeping = Keeping(self, flow, projects, dialogs)
        self.commands = CommandSet(self, Deeds(self, flow, phones, projects, dialogs).table())
        self.topbar = TopBar(self.commands)
        self.rail = Rail()
        self.error_bar = ErrorBar()
        self.start_page = StartPage(session)
        self.opening = OpeningPage(flow.work)
        self.kept_settings = settings
        self.strip = StatusStrip()
        bars = (self.topbar, self.rail, self.error_bar, self.start_page, self.opening, self.strip)
        self.furnish_with(Furnishing(self, session, flow, phones, log), bars)
        self.pages = QStackedWidget()
        self.vertical = Splitter(Qt.Orientation.Vertical, (OPEN_HEIGHT * 2, OPEN_HEIGHT))
        for page in (self.start_page, self.opening):
            self.pages.addWidget(page)
        self.vertical.addWidget(self.pages)
        FocusRing(self)
        self.lay_out(self.topbar, self.rail, (self.error_bar, self.vertical, self.strip), self.vertical)
        self.panels = Panels(self)
        self._presenter = Presenter(self, flow)
        self.walk = FocusWalk(self, self._regions)
        self._connect()
        self.show_recent(settings)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # nothing has a focus ring until somebody uses the keyboard
        self.show_start()
        self.refresh()

    def _connect(self) -> None:
        flow, session = self._flow, self._session
        self.start_page.wanted.connect(self.run_command)
        self.error_bar.wanted.connect(self.run_command)
        self.dropped.connect(self.open_path, Qt.ConnectionType.QueuedConnection)  # it may ask: the drop is over first
        self.dragging.connect(self.start_page.drop_zone.set_over)
        self.narrowed.connect(self._set_narrow)
        self.topbar.home_wanted.connect(self.show_start)
        devices = self.topbar.device.menu()
        devices.aboutToShow.connect(lambda: fill_device_menu(devices, session.state, session, self.commands))
        self.rail.chosen.connect(self.show_step)
        self.rail.help_wanted.connect(lambda: self.run_command("keys"))
        self.rail.settings_wanted.connect(self._show_settings)
        self.strip.tab_chosen.connect(lambda tab: self.when_furnished(lambda: self.panels.open_dock(tab)))
        self.start_page.sample_chosen.connect(self.open_path)
        self.start_page.recent.chosen.connect(self.open_path)
        self.start_page.recent.locate.connect(self.locate_wanted)
        self.start_page.devices.chosen.connect(session.choose_device)
        self.error_bar.closed.connect(self.refresh)
        self.error_bar.show_node.connect(self.show_node)
        self.opening.cancel.clicked.connect(lambda: self._work.cancel(JobKind.OPEN))
        self._work.failed.connect(self.show_trouble)
        self._work.changed.connect(self._job_changed)
        self._work.ended.connect(self._job_ended)
        flow.opened.connect(self._model_opened)
        flow.checked.connect(self._checked)
        self._phones.listed.connect(self._phones_listed)
        session.follow(lambda _state: self.refresh(), *Topic)

    # Going somewhere

    def show_start(self) -> None:
        """The start page; what is open stays open."""
        self.step = None
        self.forget_waiting()
        self.pages.setCurrentWidget(self.start_page)
        self.pages.show()
        self.refresh()

    def show_step(self, step: Step) -> None:
        """A step of the rail, once a model is open."""
        if self._session.state.model is not None:
            self.when_furnished(partial(self._show_step, step))

    def _show_step(self, step: Step) -> None:
        self.step = step
        page = self.rooms.page(step)
        if page is self.workspace:
            self.workspace.set_step(step)
        self.panels.arrive(step)
        self.pages.setCurrentWidget(page)
        self.pages.show()  # a dock at full height makes room
        self.refresh()

    def open_path(self, path: str) -> None:
        """A model, a project folder, or arrays to check the open model with."""
        self.keeping.open_path(path)

    def run_command(self, command: str) -> None:
        """Run a command of the table, where it can be run now."""
        self.commands[command].trigger()

    def may_close(self) -> bool:
        return self.keeping.may_close()

    # Following

    def refresh(self) -> None:
        """Bars, rail and buttons from the state."""
        self._presenter.refresh()

    # Methods of the window: Qt takes them off its signals when another window takes this one's place.

    def _job_changed(self, record: JobRecord) -> None:
        self._presenter.job_changed(record)

    def _job_ended(self, record: JobRecord) -> None:
        self._presenter.job_ended(record)

    def _checked(self) -> None:
        self._presenter.checked()

    def _phones_listed(self) -> None:
        self.start_page.devices.show_note(self._phones.note)

    def _model_opened(self) -> None:
        self.error_bar.dismiss()
        if not self.is_furnished:
            self.pages.setCurrentWidget(self.opening)
        # Everything else that follows a model has just done so: what is seen of it is another turn's work.
        QTimer.singleShot(0, self, lambda: self.when_furnished(self._show_opened))

    def _show_opened(self) -> None:
        self.show_step(Step.CHECK)
        self.replay_run()  # of a project, which began before there were charts
        self._presenter.checked()
        self.settings_changed.emit()

    def show_trouble(self, trouble: Trouble) -> None:
        """One line, with the way out; it stays until solved or closed."""
        self._presenter.show_trouble(trouble)

    def show_node(self, node: str) -> None:
        """An operator with its verdict: selected, its groups opened, in sight."""
        self.show_step(Step.CHECK)
        self._session.select((node,))
        self.when_furnished(lambda: self.workspace.reveal(node))

    def _show_settings(self) -> None:
        corner = self.rail.settings_button.rect().topRight()
        self.topbar.menu_of(VIEW).popup(self.rail.settings_button.mapToGlobal(corner))

    def show_recent(self, settings: Settings) -> None:
        self.start_page.recent.show_recent(settings.recent)

    def replay_run(self) -> None:
        """Charts of a window made anew get what the run has told so far."""
        flow = self._flow
        if flow.run_title:
            self.run_page.replay(flow.run_title, tuple(flow.live_events))

    def retire(self) -> None:
        """Another window takes this one's place: whoever makes that one deletes this."""
        self.stop()
        self.blockSignals(True)
        self.hide()

    # Window

    def _regions(self) -> tuple[QWidget, ...]:
        """What F6 walks through: those that are there."""
        if self.step is None:
            inner: tuple[QWidget, ...] = (self.start_page,)
        elif self.step is Step.RUN:
            inner = (self.run_page,)
        else:
            inner = (self.report_page,) if self.step is Step.REPORT else self.workspace.regions()
        dock = (self.dock,) if self.is_furnished else ()
        regions = (self.topbar, self.rail, *inner, *dock, self.strip)
        return tuple(region for region in regions if region.isVisible())

    def _set_narrow(self, narrow: bool) -> None:
        self.rail.set_narrow(narrow)
        self.topbar.set_narrow(narrow, NARROW_WIDTH if narrow else WIDTH)
        if self.is_furnished:
            self.workspace.set_narrow(narrow)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._session.select(())
            return
        super().keyPressEvent(event)
