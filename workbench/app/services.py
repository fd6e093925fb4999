"""What commands need beside their values: workers, plugins and the window, made when first asked for."""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workbench.core.errors import ExitCode

if TYPE_CHECKING:
    from workbench.children.workers import Workers
    from workbench.core.messages import Message
    from workbench.plugins import Plugins


class WindowOpener(Protocol):
    """Opens the window and returns when it is closed. The application layer does not know Qt."""

    def __call__(self, services: Services, path: Path | None, *, simulated: bool) -> ExitCode: ...


class Services:
    """One object a process, handed to whoever needs it; close it at the end."""

    def __init__(self, window: WindowOpener, *, plugins_enabled: bool = True, as_json: bool = False) -> None:
        self._window = window
        self.plugins_enabled = plugins_enabled
        self.as_json = as_json
        self._loading = threading.Lock()
        self._loaded = False

    @cached_property
    def workers(self) -> Workers:
        from workbench.children.workers import Workers

        return Workers()

    @cached_property
    def plugins(self) -> Plugins:
        """The built-in ones, and the installed ones once ``load_plugins`` was called."""
        from workbench.plugins import Plugins

        return Plugins()

    def load_plugins(self) -> None:
        """Load the installed plugins, once, unless the user said not to."""
        with self._loading:
            if self.plugins_enabled and not self._loaded:
                self._loaded = True
                self.plugins.load_installed()

    def plugin_faults(self) -> tuple[Message, ...]:
        """What to say of each plugin that was switched off."""
        return tuple(fault.what for fault in self.plugins.faults) if "plugins" in self.__dict__ else ()

    def open_window(self, path: Path | None, *, simulated: bool) -> ExitCode:
        return self._window(self, path, simulated=simulated)

    def close(self) -> None:
        if "workers" in self.__dict__:
            self.workers.close()
