"""The window's frame with what is made behind the start page, once the window shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.ui.frame import Frame
from workbench.ui.furnishing import Furnishing

if TYPE_CHECKING:
    from workbench.ui.convert.page import ConvertPage
    from workbench.ui.dock.dock import Dock
    from workbench.ui.dock.jobs import JobsTab
    from workbench.ui.palette import Palette
    from workbench.ui.report.page import ReportPage
    from workbench.ui.rooms import Rooms
    from workbench.ui.run.page import RunPage
    from workbench.ui.workspace.page import Workspace


class FurnishedFrame(Frame):
    """``furnished`` comes once all is there."""

    furnished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[Callable[[], object]] = []

    def furnish_with(self, furnishing: Furnishing, bars: tuple[QWidget, ...]) -> None:
        """What makes the pages, and what is there without them."""
        self._furnishing, self._bars = furnishing, bars
        furnishing.pieces.done.connect(self._all_is_there)

    @property
    def rooms(self) -> Rooms:
        """Made at once where they are not there: ``when_furnished`` does not hold the window up."""
        return self._furnishing.rooms if self._furnishing.rooms is not None else self._furnishing.finish()

    @property
    def is_furnished(self) -> bool:
        return self._furnishing.is_done

    @property
    def workspace(self) -> Workspace:
        return self.rooms.workspace

    @property
    def convert_page(self) -> ConvertPage:
        return self.rooms.convert_page

    @property
    def run_page(self) -> RunPage:
        return self.rooms.run_page

    @property
    def dock(self) -> Dock:
        return self.rooms.dock

    @property
    def jobs_tab(self) -> JobsTab:
        return self.rooms.jobs_tab

    @property
    def palette_view(self) -> Palette:
        return self.rooms.palette

    @property
    def report_page(self) -> ReportPage:
        return self.rooms.report_page

    def furnish(self) -> None:
        """Make what is behind the start page, a piece a turn of the loop; then comes ``furnished``."""
        self._furnishing.pieces.start()

    def when_furnished(self, act: Callable[[], object]) -> None:
        """Do what needs the pages behind the start page: now, or once they are there."""
        if self.is_furnished:
            act()
        else:
            self._waiting.append(act)
            self.furnish()

    def _all_is_there(self) -> None:
        waiting, self._waiting = self._waiting, []
        for act in waiting:
            act()
        self.furnished.emit()

    def parts(self) -> tuple[QWidget, ...]:
        """What wears a style sheet, each its own."""
        rooms = self._furnishing.rooms
        return self._bars + (rooms.parts() if rooms is not None else ())

    def forget_waiting(self) -> None:
        """Nobody waits any more for what ``when_furnished`` was told."""
        self._waiting = []

    def stop(self) -> None:
        """No more is made behind the start page."""
        self._furnishing.stop()
