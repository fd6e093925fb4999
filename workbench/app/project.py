"""A project is a folder ``name.wb``: the model's path, plans, run settings; artifacts and runs beside them.

``project.json`` is written atomically. Paths and commands of an opened project are shown, never run.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

from workbench.app import files
from workbench.app.folders import make_folder
from workbench.app.history import Entry, History
from workbench.app.session import FinishedRun, State
from workbench.core import codec
from workbench.core.artifact import Artifact
from workbench.core.contract import InputContract
from workbench.core.device import Device
from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.core.plan import QuantPlan
from workbench.core.run import RunConfig, RunSummary
from workbench.core.run_limits import misfit
from workbench.core.verdict import CheckReport

SCHEMA: Final = "workbench.project/1"
_FILE: Final = "project.json"
_PLAIN_NAME: Final = re.compile(r"[^./\\:\0\ud800-\udc7f\udd00-\udfff][^/\\:\0\ud800-\udc7f\udd00-\udfff]*")
"""A file name that stays in its folder on every system, and that a system can have: surrogates stand for no byte."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A finished run as the project keeps it. ``events`` is a file name below ``runs/``, "" where none is kept."""

    id: str
    device: Device
    plan: QuantPlan
    summary: RunSummary
    events: str


@dataclass(frozen=True, slots=True)
class Project:
    """What ``project.json`` says. ``model`` is relative to the project folder where it can be."""

    model: str
    model_sha256: str
    contracts: tuple[InputContract, ...]
    plan: QuantPlan
    report: CheckReport | None
    artifact: Artifact | None
    device: str | None
    run_config: RunConfig
    runs: tuple[RunRecord, ...]
    rewriting: bool = False


def save_project(folder: Path, state: State, model_sha256: str) -> None:
    """Write ``folder/project.json`` and copy the runs' events beside it. Raises BadInput."""
    assert state.model is not None
    make_folder(folder / "runs")
    records = tuple(_record(run, folder / "runs") for run in state.runs)
    project = Project(
        model=_relative(Path(state.model.path), folder),
        model_sha256=model_sha256,
        contracts=state.contracts,
        plan=state.plan,
        report=state.report,
        artifact=state.artifact,
        device=state.device,
        run_config=state.run_config,
        runs=records,
        rewriting=state.is_rewriting,
    )
    files.write_document(folder / _FILE, codec.document(SCHEMA, project, for_reopening=True))


def read_project(folder: Path) -> Project:
    """The project of a folder. Raises BadInput where it is not one, or is of another schema."""
    path = folder / _FILE
    if not path.is_file():
        raise BadInput(
            msg("This is not a project folder: it has no {file}", file=_FILE),
            where=str(folder),
            hint=msg("Open a folder that Workbench saved, named like model.wb."),
        )
    doc = codec.loads(files.read_text(path), where=str(path))
    unknown = sorted(set(doc) - {field.name for field in fields(Project)} - {"schema", "nonfinite"})
    if unknown:
        raise BadInput(
            msg("The project holds what this version does not know: {keys}", keys=", ".join(unknown)),
            where=str(path),
            hint=msg("Open it with the version of Workbench that wrote it."),
        )
    project = codec.value(Project, doc, schema=SCHEMA, where=str(path))
    _must_be_possible(project.run_config, path)
    for name in (text for run in project.runs for text in (run.id, run.events) if text):
        if not _PLAIN_NAME.fullmatch(name):
            raise BadInput(
                msg("A run of the project has a name that leads elsewhere: {name}", name=name),
                where=str(path),
                hint=msg("Open only projects that you trust; this one was edited."),
            )
    return project


def _must_be_possible(config: RunConfig, path: Path) -> None:
    if (found := misfit(config)) is not None:
        name, what, hint = found
        raise BadInput(
            msg("The project's run setting {name} does not fit: {what}", name=name, what=what),
            where=str(path),
            hint=hint,
        )


def model_path(folder: Path, project: Project) -> Path:
    """Where the model lies now. Raises BadInput where it moved."""
    path = Path(os.path.normpath(folder / project.model))
    if not path.is_file():
        raise BadInput(
            msg("The model of this project is not there any more"),
            where=str(path),
            hint=msg("Put it back, or open the model where it is and save the project again."),
        )
    return path


def restored_state(folder: Path, project: Project, base: State) -> State:
    """``base`` (the model as it was read now) with everything the project knows."""
    runs = tuple(
        FinishedRun(r.id, r.device, r.plan, r.summary, folder / "runs" / r.events if r.events else None)
        for r in project.runs
    )
    return replace(
        base,
        contracts=project.contracts,
        history=History((Entry(None, project.plan, project.rewriting),)),
        report=project.report,
        verdicts=project.report.by_node(rewriting=project.rewriting) if project.report else {},
        artifact=project.artifact,
        device=project.device,
        run_config=project.run_config,
        runs=runs,
        project=folder,
    )


def _record(run: FinishedRun, folder: Path) -> RunRecord:
    """The run's record; its events are copied as they are, damaged or not."""
    name = ""
    if run.events_file is not None:
        target = folder / f"{run.id}.jsonl"
        is_here = run.events_file.resolve() == target.resolve()
        if not is_here and run.events_file.is_file():
            files.copy(run.events_file, target)
        if is_here or target.is_file():  # a file that is away for now keeps its place
            name = target.name
    return RunRecord(run.id, run.device, run.plan, run.summary, name)


def _relative(path: Path, folder: Path) -> str:
    """Relative while both lie on one drive, so that a project moves together with its model."""
    try:
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return str(path.resolve())
