"""Everything that is open, as one value; and who wants to know when it changes.

A Session belongs to one thread (the window's). Steps never touch it: they take values from
``session.state`` and their results come back as job events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.app.history import History
from workbench.core.messages import Message
from workbench.core.plan import QuantPlan
from workbench.core.run_config import RunConfig

if TYPE_CHECKING:  # a window starts with an empty state
    from workbench.core.artifact import Artifact
    from workbench.core.contract import InputContract
    from workbench.core.device import Device
    from workbench.core.graph import Model
    from workbench.core.run import RunSummary
    from workbench.core.verdict import CheckReport, Verdict


class Topic(StrEnum):
    """What changed; a listener names the topics it follows."""

    MODEL = "model"
    CHECK = "check"
    PLAN = "plan"
    ARTIFACT = "artifact"
    DEVICES = "devices"
    RUN = "run"
    PROJECT = "project"
    SELECTION = "selection"


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """``events_file``: the raw events as they came, one JSON object a line."""

    id: str
    device: Device
    plan: QuantPlan
    summary: RunSummary
    events_file: Path | None


@dataclass(frozen=True, slots=True)
class State:
    """``selection`` are node ids. ``layers`` are the ids of the nodes that a plan can quantize.

    ``verdicts``: what the report says of each node, with rewriting as it is switched.
    """

    model: Model | None = None
    contracts: tuple[InputContract, ...] = ()
    layers: tuple[str, ...] = ()
    report: CheckReport | None = None
    history: History = History()
    artifact: Artifact | None = None
    devices: tuple[Device, ...] = ()
    device: str | None = None
    run_config: RunConfig = RunConfig()
    runs: tuple[FinishedRun, ...] = ()
    project: Path | None = None
    selection: tuple[str, ...] = ()
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def plan(self) -> QuantPlan:
        return self.history.plan

    @property
    def chosen_device(self) -> Device | None:
        """The device that Run would use: the one chosen, else the only one that is ready."""
        by_serial = {device.serial: device for device in self.devices}
        if self.device in by_serial:
            return by_serial[self.device]
        ready = [device for device in self.devices if device.is_ready and device.serial != "host"]
        return ready[0] if len(ready) == 1 else None

    @property
    def artifact_is_current(self) -> bool:
        """True where a conversion now would make the artifact again: a model that is right is never rewritten."""
        if self.artifact is None or self.artifact.plan != self.plan:
            return False
        return self.is_rewriting or not self.artifact.rewrites

    @property
    def is_rewriting(self) -> bool:
        """Whether a conversion may rewrite what is not right as it is."""
        return self.history.rewriting

    @property
    def is_rewritable(self) -> bool:
        """Whether exact rewrites, and nothing less, make the model right."""
        return self.report is not None and self.report.is_rewritable

    @property
    def is_ready(self) -> bool:
        """Whether a conversion in floating point will be right, as far as the check knows."""
        if self.report is None:
            return False
        return self.report.verdict.is_yes or (self.is_rewritable and self.is_rewriting)


Listener = Callable[[State], None]


class Session:
    """The state and its listeners."""

    def __init__(self) -> None:
        self.state = State()
        self._listeners: list[tuple[frozenset[Topic], Listener]] = []

    def follow(self, listener: Listener, *topics: Topic) -> None:
        """Call ``listener`` with the new state after each change of one of ``topics``."""
        self._listeners.append((frozenset(topics), listener))

    @property
    def followers(self) -> int:
        """How many follow: a mark for ``forget``."""
        return len(self._listeners)

    def forget(self, first: int, end: int) -> None:
        """Those that began to follow from the mark ``first`` to the mark ``end`` do so no more."""
        del self._listeners[first:end]

    def _change(self, state: State, *topics: Topic) -> None:
        self.state = state
        changed = frozenset(topics)
        for followed, listener in tuple(self._listeners):
            if followed & changed:
                listener(self.state)

    def open_model(self, model: Model, contracts: tuple[InputContract, ...], layers: tuple[str, ...]) -> None:
        """A new model takes the place of the old one, with an empty plan."""
        kept = self.state
        state = State(
            model=model,
            contracts=contracts,
            layers=layers,
            devices=kept.devices,
            device=kept.device,
            run_config=kept.run_config,
        )
        self._change(
            state, Topic.MODEL, Topic.CHECK, Topic.PLAN, Topic.ARTIFACT, Topic.RUN, Topic.PROJECT, Topic.SELECTION
        )

    def set_report(self, report: CheckReport) -> None:
        verdicts = report.by_node(rewriting=self.state.is_rewriting)
        self._change(replace(self.state, report=report, verdicts=verdicts), Topic.CHECK)

    def set_plan(self, label: Message, plan: QuantPlan) -> None:
        self._set_history(self.state.history.with_plan(label, plan))

    def set_rewriting(self, label: Message, on: bool) -> None:
        """Whether a conversion may rewrite, exactly, what is not right as it is."""
        self._set_history(self.state.history.with_rewriting(label, on))

    def undo(self) -> None:
        self._set_history(self.state.history.undone())

    def redo(self) -> None:
        self._set_history(self.state.history.redone())

    def _set_history(self, history: History) -> None:
        state = replace(self.state, history=history)
        if state.report is None or history.rewriting == self.state.is_rewriting:
            self._change(state, Topic.PLAN)
            return
        verdicts = state.report.by_node(rewriting=history.rewriting)
        self._change(replace(state, verdicts=verdicts), Topic.PLAN, Topic.CHECK)

    def set_artifact(self, artifact: Artifact) -> None:
        self._change(replace(self.state, artifact=artifact), Topic.ARTIFACT)

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        if devices != self.state.devices:
            self._change(replace(self.state, devices=devices), Topic.DEVICES)

    def choose_device(self, serial: str) -> None:
        self._change(replace(self.state, device=serial), Topic.DEVICES)

    def set_run_config(self, config: RunConfig) -> None:
        self._change(replace(self.state, run_config=config), Topic.RUN)

    def add_run(self, run: FinishedRun) -> None:
        self._change(replace(self.state, runs=(*self.state.runs, run)), Topic.RUN)

    def set_project(self, project: Path | None) -> None:
        self._change(replace(self.state, project=project), Topic.PROJECT)

    def restore(self, state: State) -> None:
        """A project that was opened: everything at once."""
        self._change(replace(state, devices=self.state.devices, device=self.state.device), *Topic)

    def select(self, node_ids: tuple[str, ...]) -> None:
        if node_ids != self.state.selection:
            self._change(replace(self.state, selection=node_ids), Topic.SELECTION)
