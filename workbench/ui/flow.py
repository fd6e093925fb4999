"""The main job: open, check, convert, run. Starts the steps and puts their results into the session."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.app.actions import Feed, Opened
from workbench.app.folders import make_folder
from workbench.app.session import FinishedRun, Session, State
from workbench.core.errors import DeviceError
from workbench.core.messages import Message, msg
from workbench.core.places import cache_folder
from workbench.core.plan import QuantPlan
from workbench.core.steps import Context
from workbench.ui.actions import Actions
from workbench.ui.conversion import Conversion
from workbench.ui.device_words import device_title
from workbench.ui.jobbook import JobKind, JobRecord, JobState, No
from workbench.ui.labels_known import LabelsKnown
from workbench.ui.netron import Netron
from workbench.ui.text import listed
from workbench.ui.work import Trouble, Work

if TYPE_CHECKING:
    from workbench.core.graph import Model
    from workbench.core.protocol import Event
    from workbench.core.run import RunSummary
    from workbench.core.verdict import CheckReport
    from workbench.engines.convert import ConvertReport
    from workbench.quantize.forecast import Forecast
    from workbench.ui.layers.outline import Outline


def work_of(state: State) -> tuple[object, ...]:
    """What a person has done with a model: what a project keeps."""
    return state.plan, state.is_rewriting, state.artifact, state.runs


class Flow(QObject):
    """One a program, like Work. It touches the session from the window's thread only."""

    opened = Signal()
    checked = Signal()
    converting = Signal()
    report_written = Signal(object)  # Path
    converted = Signal()
    forecast_made = Signal()
    run_began = Signal(str)
    run_events = Signal(tuple)
    run_ended = Signal(object)  # RunSummary, None where the run failed or was stopped

    def __init__(self, session: Session, work: Work, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.work = work
        self.feed = Feed()
        self.conversion: Conversion | None = None
        self.kept = work_of(session.state)
        self.run_title = ""
        self.run_is_simulated = False
        self.live_events: list[Event] = []
        self.forecast_of: tuple[tuple[Model, QuantPlan], Forecast] | None = None
        self.labels = LabelsKnown(session, work, actions, self)
        self.netron = Netron(work, actions)
        self._actions = actions
        self._outline: tuple[Model, Outline] | None = None
        work.ended.connect(self._job_ended)

    @property
    def is_unsaved(self) -> bool:
        """Whether something has been done with the open model that no project keeps."""
        return self.session.state.model is not None and work_of(self.session.state) != self.kept

    # Model

    def open_model(self, path: Path) -> None:
        """Read ``path``; what is open stays so until it has been read. Then it is checked."""
        self.work.start(
            JobKind.OPEN,
            msg("Open {model}", model=path.name),
            lambda ctx: self.read(path, ctx),
            self._take_model,
        )

    def read(self, path: Path, ctx: Context) -> tuple[Opened, Outline]:
        """Read a model and sort it for the table. Runs in a job."""
        from workbench.ui.layers.outline import outline_of

        opened = self._actions.open_model(path, ctx)
        ctx.progress(None, msg("Sorting the graph"))
        return opened, outline_of(opened.model, opened.layers)

    def outline_for(self, state: State) -> Outline:
        """The outline of the open model."""
        assert state.model is not None
        if self._outline is None or self._outline[0] is not state.model:
            from workbench.ui.layers.outline import outline_of

            self._outline = (state.model, outline_of(state.model, state.layers))
        return self._outline[1]

    def _take_model(self, result: tuple[Opened, Outline]) -> Message:
        opened, outline = result
        self._begin(opened.model, outline, State())
        self.session.open_model(opened.model, opened.contracts, opened.layers)
        self.opened.emit()
        self.check()
        return msg("{count} ops", count=len(outline.rows))

    def take_project(self, state: State, outline: Outline) -> None:
        """A project that was read takes the place of what is open."""
        assert state.model is not None
        self._begin(state.model, outline, state)
        self.session.restore(state)
        self.opened.emit()
        self.check()

    def _begin(self, model: Model, outline: Outline, kept: State) -> None:
        """Of ``model``, of which a project keeps ``kept``, nothing else is known that was of the one before."""
        self._outline = (model, outline)
        self.work.cancel(JobKind.CHECK)
        self.feed = Feed()
        self.conversion = None
        self.kept = work_of(kept)

    def use_inputs(self, path: Path) -> None:
        """Check and convert with the user's arrays from now on."""
        self.feed = replace(self.feed, inputs=path)
        self.check()

    def check(self) -> None:
        """Whether the engine computes every op of the open model right."""
        opened = self._opened()
        feed = self.feed
        model = opened.model

        def done(report: CheckReport) -> Message | No | None:
            if self.session.state.model is not model:  # another was opened meanwhile
                return None
            self.session.set_report(report)
            self.checked.emit()
            return report.reason if report.verdict.is_yes else No(report.reason)

        title = msg("Check {model}", model=Path(model.path).name)
        step = partial(self._actions.check_model, opened, feed)
        self.work.start(JobKind.CHECK, title, step, done, model=model.path)

    def forecast(self) -> None:
        """What the model will weigh with the plan as it is now; the last plan asked for is answered."""
        opened, plan = self._opened(), self.session.state.plan
        if self.forecast_of is not None and self.forecast_of[0] == (opened.model, plan):
            return

        def done(found: Forecast) -> None:
            self.forecast_of = ((opened.model, plan), found)
            self.forecast_made.emit()
            if self.session.state.model is not None:
                self.forecast()

        title = msg("Forecast the size")
        self.work.start(JobKind.FORECAST, title, lambda _ctx: self._actions.forecast(opened, plan), done)

    # Artifact

    def convert(self, *, then_run: bool = False) -> None:
        """Convert with the plan as it is now, verified; ``then_run`` goes on with a run where it is right."""
        opened, plan, feed = self._opened(), self.session.state.plan, self.feed
        rewriting = self.session.state.is_rewriting
        out = self.artifact_path(plan, rewriting=rewriting)

        def step(ctx: Context) -> ConvertReport:
            make_folder(out.parent)
            return self._actions.convert_model(opened, plan, rewriting, out, feed, ctx)

        def done(report: ConvertReport) -> Message | No | None:
            if self.session.state.model is not opened.model:
                return None
            self.conversion = Conversion(plan, report)
            if report.ok and report.artifact is not None:
                self.session.set_artifact(report.artifact)
            self.converted.emit()
            if then_run and report.ok:
                self.run()
            return report.reason if report.ok else No(report.reason)

        title = msg("Convert {model}", model=Path(opened.model.path).name)
        if self.work.start(JobKind.CONVERT, title, step, done, model=opened.model.path) is not None:
            self.conversion = None
            self.converting.emit()

    def artifact_path(self, plan: QuantPlan, *, rewriting: bool = False) -> Path:
        """Where the converted model goes: in the project, or in the cache; one folder for all that decides of it."""
        import hashlib

        from workbench.app.documents import plan_document
        from workbench.core import codec

        state = self.session.state
        assert state.model is not None
        source = Path(state.model.path)
        text = codec.dumps(plan_document(plan))
        decided = f"{source}\n{text}\nrewriting" if rewriting else f"{source}\n{text}"
        key = hashlib.sha256(decided.encode()).hexdigest()[:16]
        folder = state.project / "artifacts" if state.project is not None else cache_folder() / "artifacts"
        return folder / key / f"{source.stem}.mnn"

    def save_artifact(self, target: Path) -> None:
        """Copy the converted model, and the weights that belong to it, to ``target``."""
        artifact = self.session.state.artifact
        assert artifact is not None

        def step(ctx: Context) -> Path:
            from workbench.ui.artifact_copy import copy_artifact

            return copy_artifact(artifact, target, ctx)

        title = msg("Save {file}", file=target.name)
        self.work.start(JobKind.SAVE, title, step, lambda path: Message("{path}", (("path", str(path)),)))

    # Run

    def run(self) -> None:
        """Run on the chosen device; converts first where the plan has changed since."""
        state = self.session.state
        device = state.chosen_device
        if device is None:
            hint = msg("Choose a device in the top bar, plug one in, or start a simulated phone.")
            self.work.failed.emit(Trouble(DeviceError(msg("No device is chosen"), hint=hint), JobKind.RUN))
            return
        if not state.artifact_is_current:
            self.convert(then_run=True)
            return
        artifact, config, feed = state.artifact, state.run_config, self.feed
        assert artifact is not None
        began = datetime.now()
        run_id = began.strftime("%Y%m%d-%H%M%S-%f")[:-3]
        events = (state.project or cache_folder()) / "runs" / f"{run_id}.jsonl"

        def step(ctx: Context) -> RunSummary:
            make_folder(events.parent)
            return self._actions.run_artifact(Path(artifact.path), device.serial, config, feed, events, ctx)

        def done(summary: RunSummary) -> Message | No | None:
            from workbench.ui.run.words import run_note

            self.session.add_run(FinishedRun(run_id, device, artifact.plan, summary, events))
            self.run_ended.emit(summary)
            return run_note(summary)

        title = msg("Run {model} on {device}", model=Path(artifact.path).name, device=device.model or device.serial)
        if self.work.start(JobKind.RUN, title, step, done, samples=self._take_events) is not None:
            self.live_events = []
            self.run_is_simulated = device.simulated
            self.run_title = listed((Path(artifact.path).name, f"{began:%H:%M}"))
            self.run_began.emit(self.run_title)

    def _take_events(self, events: tuple[Event, ...]) -> None:
        self.live_events.extend(events)
        self.run_events.emit(events)

    def show_last_run(self) -> None:
        """The charts of the last run that a project keeps, from its events as they came."""
        runs = self.session.state.runs
        if not runs or runs[-1].events_file is None:
            return
        last, path = runs[-1], runs[-1].events_file

        def done(events: tuple[Event, ...]) -> None:
            self.run_title = listed((device_title(last.device), last.id))
            self.run_is_simulated = last.device.simulated
            self.live_events = list(events)
            self.run_began.emit(self.run_title)
            self.run_events.emit(events)
            self.run_ended.emit(last.summary)

        def step(ctx: Context) -> tuple[Event, ...]:
            from workbench.app.events_file import read_events

            return read_events(path, ctx)

        self.work.start(JobKind.REPLAY, msg("Read {file}", file=path.name), step, done)

    def _job_ended(self, record: JobRecord) -> None:
        if record.kind is JobKind.RUN and record.state is not JobState.DONE:
            self.run_ended.emit(None)

    def _opened(self) -> Opened:
        state = self.session.state
        assert state.model is not None
        return Opened(state.model, state.contracts, state.layers)
