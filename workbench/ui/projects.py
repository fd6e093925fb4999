"""Projects and reports: what goes to disk at a person's wish."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workbench.app.actions import Opened
from workbench.app.session import State
from workbench.core.messages import Message, Translate, msg
from workbench.core.steps import Context
from workbench.ui.actions import Actions
from workbench.ui.flow import Flow, work_of
from workbench.ui.jobbook import JobKind

if TYPE_CHECKING:
    from workbench.app.project import Project
    from workbench.formats.registry import Exporter
    from workbench.ui.layers.outline import Outline

SUFFIX: Final = ".wb"


class Projects:
    """Reads and writes in jobs; the session is touched when they are done."""

    def __init__(self, flow: Flow, actions: Actions, translate: Translate) -> None:
        self._flow = flow
        self._session = flow.session
        self._work = flow.work
        self._actions = actions
        self._translate = translate

    def open(self, folder: Path) -> None:
        """Open a project folder: its model is read anew, then everything else is put back."""

        from workbench.app import project

        def step(ctx: Context) -> tuple[Project, Opened, Outline]:
            found = project.read_project(folder)
            return found, *self._flow.read(project.model_path(folder, found), ctx)

        def done(result: tuple[Project, Opened, Outline]) -> Message:
            found, opened, outline = result
            base = State(model=opened.model, contracts=opened.contracts, layers=opened.layers)
            self._flow.take_project(project.restored_state(folder, found, base), outline)
            self._flow.show_last_run()
            return Message("{folder}", (("folder", str(folder)),))

        self._work.start(JobKind.OPEN, msg("Open {model}", model=folder.name), step, done)

    def save(self, folder: Path, then: Callable[[], object] | None = None) -> None:
        """Write everything that is open to ``folder``; ``then`` follows once it is written."""
        state = self._session.state
        assert state.model is not None
        model = Path(state.model.path)
        target = folder if folder.suffix == SUFFIX else folder.with_name(f"{folder.name}{SUFFIX}")

        def step(ctx: Context) -> Path:
            from workbench.app import project
            from workbench.formats.identity import sha256_of

            ctx.progress(None, msg("Reading {file}", file=model.name))
            digest = sha256_of(model, ctx)
            ctx.progress(None, msg("Writing the project"))
            project.save_project(target, state, digest)
            return target

        def done(path: Path) -> Message:
            self._flow.kept = work_of(state)
            self._session.set_project(path)
            if then is not None:
                then()
            return Message("{folder}", (("folder", str(path)),))

        self._work.start(JobKind.SAVE, msg("Save project {project}", project=target.name), step, done)

    def exporters(self) -> tuple[Exporter, ...]:
        """Ways to write the model down for other programs: plugins bring them."""
        return self._actions.exporters()

    def export(self, exporter: Exporter, path: Path) -> None:
        state = self._session.state
        model = state.model
        assert model is not None
        verdicts = state.verdicts if state.report is not None else None

        def step(ctx: Context) -> Path:
            ctx.progress(None, msg("Writing {file}", file=path.name))
            exporter.write(model, verdicts, path)
            return path

        title = msg("Export {file}", file=path.name)
        self._work.start(JobKind.EXPORT, title, step, lambda made: Message("{path}", (("path", str(made)),)))

    def report(self, path: Path) -> None:
        """Write what is known to one HTML file, in the language of the window."""
        state = self._session.state

        def step(ctx: Context) -> Path:
            from workbench.app.report import write_report

            accuracies = self._flow.labels.measure(state, ctx)
            ctx.progress(None, msg("Writing the report"))
            write_report(state, accuracies, path, self._translate)
            return path

        def done(made: Path) -> Message:
            self._flow.report_written.emit(made)
            return Message("{path}", (("path", str(made)),))

        self._work.start(JobKind.REPORT, msg("Write report {file}", file=path.name), step, done)
