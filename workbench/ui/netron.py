"""Netron's page of the open model, for the browser: started when asked for, ended with the program."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from workbench.core.messages import Message, msg
from workbench.ui.actions import Actions, Page
from workbench.ui.jobbook import JobKind
from workbench.ui.work import Work


class Netron:
    """At most one page: another model's takes its place."""

    def __init__(self, work: Work, actions: Actions) -> None:
        self._work, self._actions = work, actions
        self.page: Page | None = None

    def show(self, model: Path) -> None:
        """Open the browser on ``model``; a person asked for it."""
        page = self.page
        if page is not None and page.model == model and page.is_served:
            self._browse(page)
            return

        def done(started: Page) -> Message:
            self.close()
            self.page = started
            self._browse(started)
            return msg("{url}, on this computer alone", url=started.url)

        title = msg("Show {model} in Netron", model=model.name)
        self._work.start(JobKind.NETRON, title, lambda ctx: self._actions.serve_in_netron(model, ctx), done)

    def close(self) -> None:
        """End the server."""
        if self.page is not None:
            self.page.stop()
            self.page = None

    def _browse(self, page: Page) -> None:
        QDesktopServices.openUrl(QUrl(page.url))
