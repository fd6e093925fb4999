"""What commands need beside their values: workers, plugins and the window, made when first asked for."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workbench.core.errors import ExitCode

if TYPE_CHECKING:
    from workbench.children.workers import Workers
    from workbench.plugins import Plugins


class WindowOpener(Protocol):
    """Opens the window and returns when it is closed. The application layer does not know Qt."""

    def __call__(self, services: Services, path: Path | None, *, simulated: bool) -> ExitCode: ...


class Services:
    """One object a process, handed to whoever needs it; close it at the end."""

    def __init__(self, window: WindowOpener, *, plugins_enabled: bool = True) -> None:
        self._window = window
        self.plugins_enabled = plugins_enabled

    @cached_property
    def workers(self) -> Workers:
        from workbench.children.workers import Workers

        return Workers()

    @cached_property
    def plugins(self) -> Plugins:
        from workbench.plugins import Plugins

        return Plugins()

    def open_window(self, path: Path | None, *, simulated: bool) -> ExitCode:
        return self._window(self, path, simulated=simulated)

    def close(self) -> None:
        if "workers" in self.__dict__:
            self.workers.close()
