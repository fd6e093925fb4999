"""Making the pages behind the start page, a piece at a time, and putting them in their places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.app.session import Session
from workbench.ui.context_menu import show_context_menu
from workbench.ui.flow import Flow
from workbench.ui.jobbook import JobKind
from workbench.ui.log_lines import LogLines
from workbench.ui.phones import Phones
from workbench.ui.unstyled import unstyled

if TYPE_CHECKING:
    from workbench.ui.rooms import Rooms
    from workbench.ui.window import Window


class Furnishing:
    """One a window. ``rooms`` is None until all is in its place."""

    def __init__(self, window: Window, session: Session, flow: Flow, phones: Phones, log: LogLines) -> None:
        self._window, self._session, self._flow, self._phones, self._log = window, session, flow, phones, log
        self._pieces = self._made()
        self.rooms: Rooms | None = None

    def go_on(self) -> bool:
        """Make the next piece; False where there is none left."""
        return next(self._pieces, None) is not None

    def finish(self) -> Rooms:
        """Make what is left: somebody waits for it."""
        while self.go_on():
            continue
        assert self.rooms is not None
        return self.rooms

    def _made(self) -> Iterator[str]:
        from workbench.ui.rooms import Rooms

        yield "modules"
        window = self._window
        rooms = Rooms(self._session, self._flow, self._phones, self._log, window.commands)
        with unstyled():
            rooms.make_workspace()
        yield "workspace"
        with unstyled():
            rooms.make_run()
        yield "run"
        with unstyled():
            rooms.make_rest(window)
            rooms.dock.hide()
            for page in rooms.pages():
                window.pages.addWidget(page)
            window.vertical.addWidget(rooms.dock)
        window.vertical.setStretchFactor(0, 1)
        window.vertical.setStretchFactor(1, 0)
        self._connect(rooms)
        self.rooms = rooms
        window.panels.furnish(rooms, window.kept_settings)
        rooms.workspace.set_narrow(window.is_narrow)
        window.refresh()

    def _connect(self, rooms: Rooms) -> None:
        window, session, work = self._window, self._session, self._flow.work
        rooms.convert_page.wanted.connect(window.run_command)
        rooms.run_page.wanted.connect(window.run_command)
        rooms.workspace.menu_wanted.connect(lambda at: show_context_menu(window, at, session, window.commands))
        rooms.workspace.graph_page.answer.cancel.clicked.connect(lambda: work.cancel(JobKind.CHECK))
        rooms.jobs_tab.wanted.connect(window.run_command)
        rooms.jobs_tab.asked_why.connect(window.show_trouble)
        rooms.dock.closed.connect(window.panels.close_dock)
        rooms.dock.maximize_wanted.connect(window.panels.maximize_dock)
