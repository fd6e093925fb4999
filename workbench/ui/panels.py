"""What can be opened and closed around the pages: layers, inspector, dock; and their sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.dock.tab import OPEN_HEIGHT, Tab
from workbench.ui.settings import Settings
from workbench.ui.step import Step
from workbench.ui.theme.theme import theme

if TYPE_CHECKING:
    from workbench.ui.rooms import Rooms
    from workbench.ui.window import Window


class Panels:
    """Of one window. Before the pages behind the start page are made, there is little to open."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._strip, self._vertical = window.strip, window.vertical
        self._on_run_page = False

    def furnish(self, rooms: Rooms, settings: Settings) -> None:
        """The pages are there: as they were left."""
        rooms.workspace.show_layers("layers" not in settings.closed_panels)
        rooms.workspace.show_inspector("inspector" not in settings.closed_panels)
        for name, splitter in (("run", rooms.run_page.splitter), ("workspace", rooms.workspace.splitter)):
            sizes = settings.splitters.get(name)
            if sizes is not None and len(sizes) == splitter.count():
                splitter.setSizes(list(sizes))

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
            self._vertical.setSizes([self._vertical.height() - theme().px(OPEN_HEIGHT), theme().px(OPEN_HEIGHT)])
        self._strip.set_dock_open(True, live_elsewhere=self._on_run_page)

    def close_dock(self) -> None:
        self._window.pages.show()
        self._window.dock.hide()
        self._strip.set_dock_open(False, live_elsewhere=self._on_run_page)

    def maximize_dock(self) -> None:
        self._window.pages.setVisible(self._window.pages.isHidden())

    def place_charts(self, step: Step | None) -> None:
        """The charts are one widget: on the Run page, else in the dock's Live tab."""
        self._on_run_page = on_page = step is Step.RUN
        if on_page:
            self._window.run_page.take_charts()
        else:
            self._window.rooms.live_host.take(self._window.run_page.charts)
        self._window.dock.set_available(Tab.LIVE, not on_page)
        self._strip.set_dock_open(not self._window.dock.isHidden(), live_elsewhere=on_page)

    def splitter_sizes(self) -> dict[str, tuple[int, ...]]:
        """By name, of those that are shown."""
        if not self._window.is_furnished:
            return {}
        found = {"run": self._window.run_page.splitter, "workspace": self._window.workspace.splitter}
        sizes = {name: tuple(splitter.sizes()) for name, splitter in found.items()}
        return {name: values for name, values in sizes.items() if sum(values)}

    def closed_panels(self) -> tuple[str, ...]:
        if not self._window.is_furnished:
            return self._window.kept_settings.closed_panels
        shown = {"layers": self._window.workspace.wants_layers, "inspector": self._window.workspace.wants_inspector}
        return tuple(name for name, on in shown.items() if not on)
