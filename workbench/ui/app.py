"""The window's process: one QApplication, one session, and everything that lives as long as they do."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from workbench.app.jobs import Jobs
from workbench.app.language import system_language, translator
from workbench.app.services import Services
from workbench.app.session import Session, State, Topic
from workbench.core.errors import ExitCode, InternalError
from workbench.core.messages import Message, msg
from workbench.core.run_config import RunConfig
from workbench.ui import settings as stored
from workbench.ui.actions import Actions, bound
from workbench.ui.collector import Collector
from workbench.ui.dialogs import Dialogs, model_pattern, real_dialogs
from workbench.ui.display import check_display
from workbench.ui.faults import Faults
from workbench.ui.flow import Flow
from workbench.ui.jobbook import JobKind
from workbench.ui.log_lines import LogLines
from workbench.ui.logo import logo_pixmap
from workbench.ui.phones import Phones
from workbench.ui.pieces import Pieces
from workbench.ui.projects import Projects
from workbench.ui.run.duration import DEFAULT_SECONDS
from workbench.ui.settings import Recent, Settings
from workbench.ui.text import set_translator, tr
from workbench.ui.theme.apply import SYSTEM, apply_theme, dress, make_application
from workbench.ui.theme.theme import SCALE_RANGE, theme
from workbench.ui.warming import Importing
from workbench.ui.watchdog import Watchdog
from workbench.ui.window import Window
from workbench.ui.work import Work

_SCALE_STEP = 0.1
_PAUSE_MS = 5


class Shell(QObject):
    """Makes windows, keeps settings, and outlives a change of language."""

    def __init__(
        self, app: QApplication, actions: Actions, dialogs: Dialogs, settings_file: Path, *, motion: bool = True
    ) -> None:
        super().__init__(app)
        self._collector = Collector(self)
        self._app, self._actions, self._dialogs, self._file = app, actions, dialogs, settings_file
        self.settings = stored.load(settings_file)
        self.session = Session()
        self.session.set_run_config(RunConfig(seconds=DEFAULT_SECONDS))
        self.log = LogLines(self)
        self.work = Work(Jobs(), self)
        self.work.line.connect(self.log.add)
        self.flow = Flow(self.session, self.work, actions, self)
        self.phones = Phones(self.session, self.work, actions, self)
        self.faults = Faults(self)
        self.faults.told.connect(self.work.tell)
        self._motion = motion
        apply_theme(app, self.settings.theme, scale=self.settings.scale, motion=motion)
        app.styleHints().colorSchemeChanged.connect(self._scheme_changed)
        self.watchdog: Watchdog | None = None
        self._devices: Importing | None = None
        self._later = Pieces(self._starting(), self)
        self._dressing = Pieces(iter(()), self)
        self._swapping = Pieces(iter(()), self)
        self._next: Window | None = None
        self._first_of_next = 0
        for topic in (Topic.CHECK, Topic.RUN, Topic.ARTIFACT, Topic.PROJECT):
            self.session.follow(self._remember, topic)
        self._own_followers = self.session.followers
        self.window = self._make_window()
        for part in self.window.parts():
            dress(part)
        self.flow.opened.connect(lambda: self._remember(self.session.state))

    def show(self) -> None:
        self.window.painted.connect(self._later.start)
        self.window.show()
        self.watchdog = Watchdog(self)

    def close(self) -> None:
        """End what was started: jobs, phones, threads."""
        for pieces in (self._later, self._dressing, self._swapping):
            pieces.stop()
        if self._devices is not None:
            self._devices.wait()
        self.window.stop()
        if self._next is not None:
            self._next.retire()
            self._next.deleteLater()
        if self.watchdog is not None:
            self.watchdog.stop()
        self.faults.remove()
        self.work.close()
        self.flow.netron.close()
        self.phones.close()
        self.log.stop()
        self._collector.stop()

    def _make_window(self) -> Window:
        language = self.settings.language or system_language()
        translate = translator(language)
        set_translator(translate)
        projects = Projects(self.flow, self._actions, translate)
        window = Window(self.session, self.flow, self.phones, projects, self.log, self._dialogs, self.settings)
        if self.settings.geometry:
            window.restoreGeometry(QByteArray.fromHex(self.settings.geometry.encode()))
        window.commands.mark("theme", f"theme-{self.settings.theme}")
        window.commands.mark("language", f"language-{self.settings.language or 'system'}")
        window.theme_wanted.connect(self._set_theme)
        window.language_wanted.connect(self._set_language)
        window.scale_wanted.connect(self._set_scale)
        window.locate_wanted.connect(self._locate)
        window.settings_changed.connect(self._keep_layout)
        window.closing.connect(self._keep_layout)
        return window

    def _set_theme(self, mode: str) -> None:
        self._store(replace(self.settings, theme=mode))
        self._change_theme(mode)
        self.window.commands.mark("theme", f"theme-{mode}")

    def _scheme_changed(self) -> None:
        if self.settings.theme == SYSTEM:
            self._change_theme(SYSTEM)

    def _change_theme(self, mode: str) -> None:
        before = theme()
        if apply_theme(self._app, mode, scale=self.settings.scale, motion=self._motion) != before:
            self._dressing.stop()
            self.window.setUpdatesEnabled(False)
            self._dressing = Pieces(self._dressed(), self)
            self._dressing.start()

    def _dressed(self) -> Iterator[int]:
        """The window wears another theme, a part at a time; it is seen when all of it does."""
        for window in (self.window, self._next):
            for part in window.parts() if window is not None else ():
                dress(part)
                yield 0
        self.window.setUpdatesEnabled(self._next is None)

    def _set_language(self, name: str) -> None:
        self._store(replace(self.settings, language=None if name == "system" else name))
        self._remake_window()

    def _set_scale(self, step: int) -> None:
        """Text and controls larger (1) or smaller (-1), within the theme's range; 0 is the usual size."""
        least, most = SCALE_RANGE
        scale = self.settings.scale + step * _SCALE_STEP if step else 1.0
        self._store(replace(self.settings, scale=round(min(most, max(least, scale)), 2)))
        apply_theme(self._app, self.settings.theme, scale=self.settings.scale, motion=self._motion)
        self._remake_window()

    def _locate(self, moved: str) -> None:
        """Where a recent file went: a person shows it, and the old place is forgotten."""
        found = self._dialogs.open_file(self.window, tr("Locate {file}", file=Path(moved).name), model_pattern())
        if found is not None:
            self._store(self.settings.without_recent(moved))
            self.window.open_path(str(found))

    def _remake_window(self) -> None:
        """A new window in another language or size; work, model and place stay.

        It is made piece by piece while the old one's picture stands, and then takes its place.
        """
        if self._next is not None:
            self._swapping.stop()
            self._next.retire()
            self._next.deleteLater()
            self.session.forget(self._first_of_next, self.session.followers)
        self._swapping.finish()
        self._dressing.stop()
        self._keep_layout()
        self.window.stop()
        self.window.setUpdatesEnabled(False)
        self._first_of_next = self.session.followers
        self._next = window = self._make_window()
        self._swapping = Pieces(self._taking_place(window), self)
        window.furnished.connect(self._swapping.start)
        window.furnish()

    def _taking_place(self, window: Window) -> Iterator[int]:
        """The next window as the old one is, shown in its place; then the old one goes, a part at a time."""
        old = self.window
        if old.step is not None:
            window.show_step(old.step)
        if old.error_bar.trouble is not None:
            window.show_trouble(old.error_bar.trouble)
        yield 0
        window.replay_run()
        yield 0
        self.window, self._next = window, None
        window.show()
        old.retire()
        self.session.forget(self._own_followers, self._first_of_next)
        yield _PAUSE_MS
        old.deleteLater()

    def _starting(self) -> Iterator[int]:
        """What the first picture does not need: devices, then the pages behind the start page, then plugins."""
        self._devices = Importing("workbench.devices.watch")
        while not self._devices.is_done:
            yield _PAUSE_MS
        self.phones.watch()
        self.window.when_furnished(self._load_plugins)

    def _load_plugins(self) -> None:
        """After the window shows: what plugins import may take long. One that fails is named."""

        def done(faults: tuple[Message, ...]) -> None:
            self.window.refresh()
            for what in faults:
                self.work.tell(InternalError(what, hint=msg("The log has the details. Update or remove the plugin.")))

        self.work.start(JobKind.PLUGINS, msg("Load plugins"), self._actions.load_plugins, done)

    def _remember(self, state: State) -> None:
        """Recent work, with what is known of it."""
        if state.model is None:
            return
        path = state.project or Path(state.model.path)
        latency = state.runs[-1].summary.latency_ms if state.runs else None
        entry = Recent(
            str(path),
            datetime.now().isoformat(timespec="seconds"),
            state.report.verdict.value if state.report is not None else None,
            latency.p50 if latency is not None else None,
            state.artifact.bytes if state.artifact is not None else state.model.bytes,
        )
        self._store(self.settings.with_recent(entry))
        self.window.show_recent(self.settings)

    def _keep_layout(self) -> None:
        self._store(
            replace(
                self.settings,
                geometry=bytes(self.window.saveGeometry().toHex().data()).decode(),
                splitters=self.window.panels.sizes(),
                closed_panels=self.window.panels.closed_panels(),
            )
        )

    def _store(self, settings: Settings) -> None:
        if settings != self.settings:
            self.settings = settings
            stored.save(settings, self._file)


def start_gui(services: Services, path: Path | None, *, simulated: bool) -> ExitCode:
    """Open the window and return when it is closed. ``simulated`` starts a phone beside it.

    Raises BadInput where there is no display.
    """
    check_display(os.environ)
    app = QApplication.instance() or make_application(sys.argv[0])
    assert isinstance(app, QApplication)
    app.setApplicationName("workbench")
    app.setApplicationDisplayName("Workbench")
    app.setWindowIcon(QIcon(logo_pixmap()))
    shell = Shell(app, bound(services), real_dialogs(), stored.settings_file())
    shell.faults.install()
    shell.show()
    if path is not None:
        shell.window.open_path(str(path))
    if simulated:
        shell.phones.start()

    def end(_number: int, _frame: object) -> None:
        """Who ends a program by a signal wants no question, which ``quit`` would ask."""
        shell.window.closing.emit()
        app.exit()

    for number in (signal.SIGINT, signal.SIGTERM):  # the pump comes back to Python often enough to hear them
        signal.signal(number, end)
    app.exec()
    shell.close()
    return ExitCode.YES
