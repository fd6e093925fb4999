"""What became of every job of this window: the rows of the Jobs tab, and the stages of each."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from workbench.app.jobs import Done, Failed, Progress, Started, Stopped
from workbench.core.errors import WorkbenchError
from workbench.core.messages import Message


class JobKind(StrEnum):
    """What a job is for; at most one of a kind runs at a time."""

    OPEN = "open"
    CHECK = "check"
    FORECAST = "forecast"
    CONVERT = "convert"
    RUN = "run"
    DEVICES = "devices"
    PHONE = "phone"
    CONNECT = "connect"
    SAVE = "save"
    REPORT = "report"
    EXPORT = "export"
    PLUGINS = "plugins"
    REPLAY = "replay"
    ACCURACY = "accuracy"
    NETRON = "netron"


QUIET: Final = frozenset({JobKind.DEVICES, JobKind.FORECAST, JobKind.PLUGINS, JobKind.REPLAY})
"""Kinds that go on by themselves: they are not listed."""


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    STOPPING = "stopping"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"

    @property
    def is_over(self) -> bool:
        return self in (JobState.DONE, JobState.FAILED, JobState.STOPPED)


@dataclass(frozen=True, slots=True)
class No:
    """What a job has to say whose answer is no."""

    reason: Message | None


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a job, as its progress told it. ``began`` and ``seconds`` on the job's clock."""

    text: Message
    began: float
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class JobRecord:
    """One job. ``clock`` is time.monotonic at its start; ``note`` what came of it, in a few words.

    ``is_no``: it went well, and its answer is no. ``model``: path of the model that it is about, ""
    where it is about none.
    """

    job: int
    kind: JobKind
    title: Message
    started: datetime
    clock: float
    state: JobState = JobState.WAITING
    fraction: float | None = None
    stages: tuple[Stage, ...] = ()
    seconds: float | None = None
    error: WorkbenchError | None = None
    note: Message | None = None
    is_no: bool = False
    model: str = ""

    @property
    def text(self) -> Message | None:
        return self.stages[-1].text if self.stages else None

    @property
    def is_stopping(self) -> bool:
        return self.state is JobState.STOPPING

    def elapsed(self) -> float:
        """Seconds so far, or of the whole job where it is over."""
        return self.seconds if self.seconds is not None else time.monotonic() - self.clock

    def with_progress(self, fraction: float | None, text: Message) -> JobRecord:
        """A new template is a new stage; the same one with other figures goes on with the last.

        A model that is made on the way (a part that is tried by itself) is no stage of its own, nor is a
        fraction without a word.
        """
        if not str(text) or (self.model and _names_another_file(text, self.model)):
            return replace(self, fraction=fraction)
        now = time.monotonic() - self.clock
        if self.stages and self.stages[-1].text.template == text.template:
            stages = (*self.stages[:-1], replace(self.stages[-1], text=text))
        else:
            stages = (*_ended(self.stages, now), Stage(text, now))
        return replace(self, fraction=fraction, stages=stages)

    def ended(self, state: JobState, seconds: float, error: WorkbenchError | None = None) -> JobRecord:
        stages = _ended(self.stages, seconds)
        return replace(self, state=state, seconds=seconds, stages=stages, error=error)


def _names_another_file(text: Message, model: str) -> bool:
    suffix = Path(model).suffix
    names = [str(value) for _, value in text.arguments if str(value).endswith(suffix)]
    return bool(suffix) and any(name != Path(model).name for name in names)


def _ended(stages: tuple[Stage, ...], now: float) -> tuple[Stage, ...]:
    if not stages or stages[-1].seconds is not None:
        return stages
    return (*stages[:-1], replace(stages[-1], seconds=max(0.0, now - stages[-1].began)))


@dataclass(slots=True)
class JobBook:
    """Records by number, oldest first; the last 200 of those that are over are kept."""

    records: dict[int, JobRecord] = field(default_factory=dict)

    def add(self, record: JobRecord) -> None:
        self.records[record.job] = record
        over = [number for number, old in self.records.items() if old.state.is_over]
        for number in over[:-200]:
            del self.records[number]

    def update(self, event: Started | Progress | Done | Failed | Stopped) -> JobRecord:
        """Take the event into its record and return that. Raises KeyError for a job it never saw."""
        record = self.records[event.job]
        match event:
            case Started():
                state = JobState.RUNNING if record.state is JobState.WAITING else record.state
                record = replace(record, state=state, clock=time.monotonic())
            case Progress():
                record = record.with_progress(event.fraction, event.text)
            case Done():
                record = record.ended(JobState.DONE, event.seconds)
            case Failed():
                record = record.ended(JobState.FAILED, event.seconds, event.error)
            case Stopped():
                record = record.ended(JobState.STOPPED, event.seconds)
        self.records[event.job] = record
        return record

    def put(self, record: JobRecord) -> None:
        self.records[record.job] = record

    def live(self, kind: JobKind) -> JobRecord | None:
        """The job of this kind that is not over."""
        return next((r for r in self.records.values() if r.kind is kind and not r.state.is_over), None)

    def last(self, kind: JobKind) -> JobRecord | None:
        return next((r for r in reversed(self.records.values()) if r.kind is kind), None)

    def listed(self) -> tuple[JobRecord, ...]:
        """What the Jobs tab shows, newest first."""
        return tuple(r for r in reversed(self.records.values()) if r.kind not in QUIET)
