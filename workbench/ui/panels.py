"""What can be opened and closed around the pages: layers, inspector, dock; and their sizes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from workbench.ui.dock.dock import OPEN_HEIGHT, Dock, Tab
from workbench.ui.dock.live import LiveHost
from workbench.ui.run.page import RunPage
from workbench.ui.settings import Settings
from workbench.ui.splitter import Splitter
from workbench.ui.step import Step
from workbench.ui.strip import StatusStrip
from workbench.ui.theme.theme import theme
from workbench.ui.workspace.page import Workspace


class Panels:
    """``changed`` is called after a person opened or closed something that is remembered."""

    def __init__(
        self,
        pages: QWidget,
        workspace: Workspace,
        run_page: RunPage,
        dock: Dock,
        live_host: LiveHost,
        strip: StatusStrip,
        vertical: Splitter,
        changed: Callable[[], object],
    ) -> None:
        self._pages, self._workspace, self._run_page = pages, workspace, run_page
        self._dock, self._live_host, self._strip, self._vertical = dock, live_host, strip, vertical
        self._changed = changed
        self._on_run_page = False

    def toggle_layers(self) -> None:
        self._workspace.toggle_layers()
        self._changed()

    def show_layers(self) -> None:
        self._workspace.show_layers()

    def toggle_inspector(self) -> None:
        self._workspace.show_inspector(not self._workspace.wants_inspector)
        self._changed()

    def toggle_dock(self) -> None:
        if self._dock.isHidden():
            self.open_dock(self._dock.current)
        else:
            self.close_dock()

    def open_dock(self, tab: Tab) -> None:
        self._dock.show_tab(tab)
        if self._dock.isHidden():
            self._dock.show()
            self._vertical.setSizes([self._vertical.height() - theme().px(OPEN_HEIGHT), theme().px(OPEN_HEIGHT)])
        self._strip.set_dock_open(True, live_elsewhere=self._on_run_page)

    def close_dock(self) -> None:
        self._pages.show()
        self._dock.hide()
        self._strip.set_dock_open(False, live_elsewhere=self._on_run_page)

    def maximize_dock(self) -> None:
        self._pages.setVisible(self._pages.isHidden())

    def place_charts(self, step: Step | None) -> None:
        """The charts are one widget: on the Run page, else in the dock's Live tab."""
        self._on_run_page = on_page = step is Step.RUN
        if on_page:
            self._run_page.take_charts()
        else:
            self._live_host.take(self._run_page.charts)
        self._dock.set_available(Tab.LIVE, not on_page)
        self._strip.set_dock_open(not self._dock.isHidden(), live_elsewhere=on_page)

    def splitter_sizes(self) -> dict[str, tuple[int, ...]]:
        """By name, of those that are shown."""
        found = {"run": self._run_page.splitter, "workspace": self._workspace.splitter}
        sizes = {name: tuple(splitter.sizes()) for name, splitter in found.items()}
        return {name: values for name, values in sizes.items() if sum(values)}

    def closed_panels(self) -> tuple[str, ...]:
        shown = {"layers": self._workspace.wants_layers, "inspector": self._workspace.wants_inspector}
        return tuple(name for name, on in shown.items() if not on)

    def restore(self, settings: Settings) -> None:
        """Panels and splitters as they were left."""
        self._workspace.show_layers("layers" not in settings.closed_panels)
        self._workspace.show_inspector("inspector" not in settings.closed_panels)
        for name, splitter in (("run", self._run_page.splitter), ("workspace", self._workspace.splitter)):
            sizes = settings.splitters.get(name)
            if sizes is not None and len(sizes) == splitter.count():
                splitter.setSizes(list(sizes))
