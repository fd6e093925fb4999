"""What commands need beside their values: workers and plugins, made when first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.children.workers import Workers
    from workbench.plugins import Plugins


class Services:
    """One object a process, handed to whoever needs it; close it at the end."""

    def __init__(self, *, plugins_enabled: bool = True) -> None:
        self.plugins_enabled = plugins_enabled

    @cached_property
    def workers(self) -> Workers:
        from workbench.children.workers import Workers

        return Workers()

    @cached_property
    def plugins(self) -> Plugins:
        from workbench.plugins import Plugins

        return Plugins()

    def close(self) -> None:
        if "workers" in self.__dict__:
            self.workers.close()
