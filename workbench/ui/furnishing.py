"""Making the pages behind the start page, a piece at a time, and putting them in their places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from workbench.app.session import Session
from workbench.ui.context_menu import show_context_menu
from workbench.ui.flow import Flow
from workbench.ui.jobbook import JobKind
from workbench.ui.log_lines import LogLines
from workbench.ui.phones import Phones
from workbench.ui.pieces import Pieces
from workbench.ui.theme.apply import dress
from workbench.ui.warming import Importing, wrap_classes

if TYPE_CHECKING:
    from workbench.ui.rooms import Rooms
    from workbench.ui.window import Window

_PAUSE_MS: Final = 5


class Furnishing:
    """One a window. ``rooms`` is None until all is in its place; ``pieces.done`` comes once it is dressed as well."""

    def __init__(self, window: Window, session: Session, flow: Flow, phones: Phones, log: LogLines) -> None:
        self._window, self._session, self._flow, self._phones, self._log = window, session, flow, phones, log
        self._modules: Importing | None = None
        self._made = self._making()
        self.pieces = Pieces(self._made, window)
        self.rooms: Rooms | None = None
        self.is_done = False

    def finish(self) -> Rooms:
        """Make what is left, at once."""
        for _ in self._made:
            if self._modules is not None:
                self._modules.wait()
        assert self.rooms is not None
        return self.rooms

    def stop(self) -> None:
        """Nothing more is made, and no thread of it is at work."""
        self.pieces.stop()
        if self._modules is not None:
            self._modules.wait()

    def _making(self) -> Iterator[int]:
        for _ in wrap_classes():
            yield 0
        # Imported here, while a thread of its own holds the lock of the module, it would hold the window up.
        self._modules = Importing("workbench.ui.rooms")
        while not self._modules.is_done:
            yield _PAUSE_MS
        from workbench.ui.rooms import Rooms

        window = self._window
        rooms = Rooms(self._session, self._flow, self._phones, self._log, window.commands)
        for _ in rooms.make(window):
            yield 0
        for page in rooms.pages():
            window.pages.addWidget(page)
        window.vertical.addWidget(rooms.dock)
        window.vertical.setStretchFactor(0, 1)
        window.vertical.setStretchFactor(1, 0)
        self._connect(rooms)
        self.rooms = rooms
        yield 0
        for part in window.parts():
            if not part.styleSheet():
                dress(part)
                yield 0
            for child in part.findChildren(QWidget):
                child.ensurePolished()
            yield 0
        window.panels.furnish(rooms, window.kept_settings)
        rooms.workspace.set_narrow(window.is_narrow)
        self.is_done = True
        window.refresh()

    def _connect(self, rooms: Rooms) -> None:
        window, session, work = self._window, self._session, self._flow.work
        rooms.convert_page.wanted.connect(window.run_command)
        rooms.convert_page.rewritten.node_chosen.connect(window.show_node)
        rooms.run_page.wanted.connect(window.run_command)
        rooms.workspace.menu_wanted.connect(lambda at: show_context_menu(window, at, session, window.commands))
        for fixing in (rooms.workspace.graph_page.answer, rooms.workspace.inspector.verdict):
            fixing.wanted.connect(window.run_command)
        rooms.workspace.graph_page.answer.cancel.clicked.connect(lambda: work.cancel(JobKind.CHECK))
        rooms.jobs_tab.wanted.connect(window.run_command)
        rooms.jobs_tab.asked_why.connect(window.show_trouble)
        rooms.dock.closed.connect(window.panels.close_dock)
        rooms.dock.maximize_wanted.connect(window.panels.maximize_dock)
