"""What was done with a model is lost when another takes its place: it is asked first, and only then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.app.samples import digits
from workbench.ui.dialogs import Dialogs, Keep
from workbench.ui.dropping import dropped_path
from workbench.ui.flow import Flow
from workbench.ui.projects import Projects
from workbench.ui.text import tr

if TYPE_CHECKING:
    from workbench.ui.window import Window


class Keeping:
    """Opens, saves and closes, and asks where a plan, a conversion or a run would be lost."""

    def __init__(self, window: Window, flow: Flow, projects: Projects, dialogs: Dialogs) -> None:
        self._window, self._flow, self._projects, self._dialogs = window, flow, projects, dialogs
        self._session = flow.session

    def open_model(self, path: Path) -> None:
        self._before(lambda: self._flow.open_model(path))

    def open_sample(self) -> None:
        self._before(lambda: self._flow.open_model(digits().model))

    def open_project(self, folder: Path) -> None:
        self._before(lambda: self._projects.open(folder))

    def open_path(self, path: str) -> None:
        """A model, a project folder, or arrays to check the open model with."""
        found = dropped_path(path, self._session.state.model is not None)
        {"project": self.open_project, "inputs": self._flow.use_inputs}.get(found.kind, self.open_model)(found.path)

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save the project, where to is asked the first time; ``then`` follows once it is written."""
        state = self._session.state
        if state.model is None:
            return
        folder = state.project
        if folder is None:
            start = Path(state.model.path).with_suffix(".wb")
            folder = self._dialogs.save_file(self._window, tr("Save project"), start, tr("Projects (*.wb)"))
        if folder is not None:
            self._projects.save(folder, then)

    def may_close(self) -> bool:
        """Whether the window may close at once; it closes by itself once a project asked for is saved."""
        if not self._flow.is_unsaved:
            return True
        answer = self._ask()
        if answer is Keep.SAVE:
            self.save(self._window.close)
        return answer is Keep.DISCARD

    def _before(self, act: Callable[[], object]) -> None:
        answer = self._ask() if self._flow.is_unsaved else Keep.DISCARD
        if answer is Keep.SAVE:
            self.save(act)
        elif answer is Keep.DISCARD:
            act()

    def _ask(self) -> Keep:
        state = self._session.state
        assert state.model is not None
        name = state.project.name if state.project is not None else Path(state.model.path).name
        return self._dialogs.ask_keep(
            self._window,
            tr("Keep what was done with {model}?", model=name),
            tr("The plan, the converted model and the runs are not in a project yet."),
        )
