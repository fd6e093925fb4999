"""What can be opened and closed around the pages: layers, inspector, dock; and their sizes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from workbench.ui.dock.tab import OPEN_HEIGHT, Tab
from workbench.ui.settings import Settings
from workbench.ui.step import Step
from workbench.ui.theme.theme import theme

if TYPE_CHECKING:
    from workbench.ui.rooms import Rooms
    from workbench.ui.splitter import Splitter
    from workbench.ui.window import Window

_WORKSPACE: Final = "workspace"
_RUN: Final = "run"
_DOCK: Final = "dock"
_COLUMNS: Final = "columns"


class Panels:
    """Of one window. What a person made wider or higher at a step is so again when they come back to it.

    Before the pages behind the start page are made, there is little to open.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._strip, self._vertical = window.strip, window.vertical
        self._step: Step | None = None
        self._sizes: dict[str, tuple[int, ...]] = dict(window.kept_settings.splitters)
        self._vertical.moved.connect(self._note_dock)
        self._vertical.restored.connect(lambda: self._forget(_DOCK))

    def furnish(self, rooms: Rooms, settings: Settings) -> None:
        """The pages are there: as they were left."""
        rooms.workspace.show_layers("layers" not in settings.closed_panels)
        rooms.workspace.show_inspector("inspector" not in settings.closed_panels)
        for name, splitter in ((_WORKSPACE, rooms.workspace.splitter), (_RUN, rooms.run_page.splitter)):
            splitter.moved.connect(partial(self._note_splitter, name, splitter))
            splitter.restored.connect(partial(self._forget, name))
        view = rooms.workspace.layers.view
        view.widths_changed.connect(lambda: self._note(_COLUMNS, view.widths()))

    def toggle_layers(self) -> None:
        self._window.workspace.toggle_layers()
        self._window.settings_changed.emit()

    def show_layers(self) -> None:
        self._window.workspace.show_layers()

    def toggle_inspector(self) -> None:
        self._window.workspace.show_inspector(not self._window.workspace.wants_inspector)
        self._window.settings_changed.emit()

    def toggle_dock(self) -> None:
        if self._window.dock.isHidden():
            self.open_dock(self._window.dock.current)
        else:
            self.close_dock()

    def open_dock(self, tab: Tab) -> None:
        self._window.dock.show_tab(tab)
        if self._window.dock.isHidden():
            self._window.dock.show()
            self._size_dock()
        self._strip.set_dock_open(True, live_elsewhere=self._on_run_page)

    def close_dock(self) -> None:
        self._window.pages.show()
        self._window.dock.hide()
        self._strip.set_dock_open(False, live_elsewhere=self._on_run_page)

    def maximize_dock(self) -> None:
        self._window.pages.setVisible(self._window.pages.isHidden())

    # The step shown

    def arrive(self, step: Step) -> None:
        """``step`` is shown: charts in their place, everything as wide and as high as it was left there."""
        self._step = step
        self._place_charts()
        for name, splitter in ((_WORKSPACE, self._window.workspace.splitter), (_RUN, self._window.run_page.splitter)):
            sizes = self._kept(name) or splitter.default()
            if len(sizes) == splitter.count():
                splitter.keep_sides(sizes, middle=1)
        self._window.workspace.layers.view.set_widths(self._kept(_COLUMNS))
        if not self._window.dock.isHidden():
            self._size_dock()

    @property
    def _on_run_page(self) -> bool:
        return self._step is Step.RUN

    def _place_charts(self) -> None:
        """The charts are one widget: on the Run page, else in the dock's Live tab."""
        if self._on_run_page:
            self._window.run_page.take_charts()
        else:
            self._window.rooms.live_host.take(self._window.run_page.charts)
        self._window.dock.set_available(Tab.LIVE, not self._on_run_page)
        self._strip.set_dock_open(not self._window.dock.isHidden(), live_elsewhere=self._on_run_page)

    def _size_dock(self) -> None:
        kept = self._kept(_DOCK)
        height = kept[0] if kept else theme().px(OPEN_HEIGHT)
        self._vertical.setSizes([self._vertical.height() - height, height])

    # What is kept

    def sizes(self) -> dict[str, tuple[int, ...]]:
        """By "step/what": what a person has set, in pixels."""
        return dict(self._sizes)

    def closed_panels(self) -> tuple[str, ...]:
        if not self._window.is_furnished:
            return self._window.kept_settings.closed_panels
        shown = {"layers": self._window.workspace.wants_layers, "inspector": self._window.workspace.wants_inspector}
        return tuple(name for name, on in shown.items() if not on)

    def _kept(self, what: str) -> tuple[int, ...]:
        return self._sizes.get(f"{self._step}/{what}", ())

    def _note_splitter(self, what: str, splitter: Splitter) -> None:
        if all(splitter.sizes()):  # one whose panels are closed says nothing of their widths
            self._note(what, tuple(splitter.sizes()))

    def _note_dock(self) -> None:
        self._note(_DOCK, tuple(self._vertical.sizes()[1:]))

    def _note(self, what: str, sizes: tuple[int, ...]) -> None:
        self._sizes[f"{self._step}/{what}"] = sizes
        self._window.settings_changed.emit()

    def _forget(self, what: str) -> None:
        self._sizes.pop(f"{self._step}/{what}", None)
        self._window.settings_changed.emit()
