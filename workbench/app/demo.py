"""The main job on the bundled sample, from the dropped file to a report: what ``make run`` shows without a display."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from workbench.app import actions, labelled, project, report, samples
from workbench.app.arguments import Reply
from workbench.app.folders import make_folder
from workbench.app.history import History
from workbench.app.language import system_language, translator
from workbench.app.run_answer import run_lines
from workbench.app.services import Services
from workbench.app.session import FinishedRun, State
from workbench.core import codec
from workbench.core.artifact import Artifact
from workbench.core.device import Device
from workbench.core.errors import AnswerIsNo, DeviceError, InternalError
from workbench.core.messages import Message, msg
from workbench.core.metric import Accuracy
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.run import RunConfig
from workbench.core.steps import Context
from workbench.devices import listing
from workbench.devices.simulated.options import PhoneOptions
from workbench.devices.simulated.process import start_simulated
from workbench.formats.identity import sha256_of

SCHEMA: Final = "workbench.demo/1"
_BITS: Final = 4
_SECONDS: Final = 4.0
_PICTURE_SECONDS: Final = 120
_SEE_DOCTOR: Final = msg("workbench doctor says what is missing.")


def demo(out: Path, services: Services, ctx: Context) -> Reply:
    """Open, check, convert (float and quantized), run on a simulated phone, report. Raises WorkbenchError."""
    folder = out.absolute()
    make_folder(folder)
    sample = samples.digits()
    opened = actions.open_model(sample.model, services, ctx)
    checked = actions.check_model(opened, actions.Feed(), services, ctx)
    plan = QuantPlan(default=LayerQuant(_BITS))
    project_folder = folder / "digits.wb"
    make_folder(project_folder / "artifacts")
    make_folder(project_folder / "runs")
    as_float = _converted(opened, QuantPlan(), project_folder / "artifacts" / "digits-float.mnn", services, ctx)
    quantized = _converted(opened, plan, project_folder / "artifacts" / f"digits-{_BITS}bit.mnn", services, ctx)
    named = {f"MNN, {artifact.plan.default.label}": artifact for artifact in (as_float, quantized)}
    accuracies = labelled.accuracies(opened, named, sample.heldout, services, ctx)
    with _device() as device:
        runs = tuple(_run(artifact, device, project_folder, services, ctx) for artifact in (as_float, quantized))
    state = State(
        model=opened.model,
        contracts=opened.contracts,
        layers=opened.layers,
        report=checked,
        history=History().with_plan(msg("All layers to {bits} bit", bits=_BITS), plan),
        artifact=quantized,
        runs=runs,
        project=project_folder,
        verdicts=checked.by_node(),
    )
    project.save_project(project_folder, state, sha256_of(sample.model, ctx))
    report.write_report(state, accuracies, folder / "report.html", translator(system_language()))
    pictures = _pictures(project_folder, folder, ctx)
    return _reply(state, accuracies, (as_float, quantized), folder, pictures)


def _converted(opened: actions.Opened, plan: QuantPlan, out: Path, services: Services, ctx: Context) -> Artifact:
    made = actions.convert_model(opened, plan, out, actions.Feed(), services, ctx)
    if made.artifact is None:
        raise AnswerIsNo(made.reason or msg("The sample was not converted"), where=out.name, hint=_SEE_DOCTOR)
    return made.artifact


@contextmanager
def _device() -> Iterator[Device]:
    """A simulated phone where there can be one, else this computer."""
    if sys.platform != "linux":
        yield listing.host_device()
        return
    with start_simulated(PhoneOptions()) as phone:
        yield replace(listing.choose(phone.serial), simulated=True)


def _run(artifact: Artifact, device: Device, folder: Path, services: Services, ctx: Context) -> FinishedRun:
    config = RunConfig(seconds=_SECONDS, ops=True)
    run_id = f"{datetime.datetime.now():%Y%m%d-%H%M%S}-{Path(artifact.path).stem}"
    events = folder / "runs" / f"{run_id}.jsonl"
    summary = actions.run_artifact(Path(artifact.path), device.serial, config, actions.Feed(), events, services, ctx)
    if summary.outputs is None or not summary.outputs.right:
        raise DeviceError(msg("The outputs of the run are wrong"), where=device.serial, hint=_SEE_DOCTOR)
    return FinishedRun(run_id, device, artifact.plan, summary, events)


def _pictures(project_folder: Path, folder: Path, ctx: Context) -> tuple[str, ...]:
    """Pictures of the window, taken by a child: this process has no Qt."""
    ctx.progress(None, msg("Taking pictures of the window"))
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "workbench.ui.pictures", str(project_folder), str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as taking:
        forget = ctx.on_cancel(taking.kill)
        try:
            told, said = taking.communicate(timeout=_PICTURE_SECONDS)
        finally:
            forget()
            taking.kill()
    ctx.check()
    if taking.returncode != 0:
        lines = said.strip().splitlines()
        raise InternalError(
            msg("The window could not be pictured: {reason}", reason=lines[-1] if lines else str(taking.returncode)),
            where=str(folder),
            hint=_SEE_DOCTOR,
        )
    return tuple(told.splitlines())


def _reply(
    state: State,
    accuracies: tuple[Accuracy, ...],
    artifacts: tuple[Artifact, ...],
    folder: Path,
    pictures: tuple[str, ...],
) -> Reply:
    body = {
        "report": str(folder / "report.html"),
        "project": str(state.project),
        "pictures": pictures,
        "verdict": state.report.verdict if state.report else None,
        "accuracies": [{"subject": a.subject, "percent": a.percent, "n": a.total} for a in accuracies],
        "artifacts": [{"path": a.path, "bytes": a.bytes, "verification": a.verification} for a in artifacts],
        "runs": [{"device": run.device.serial, "summary": run.summary} for run in state.runs],
    }
    return Reply(codec.document(SCHEMA, body), lines=tuple(_lines(state, accuracies, artifacts, folder)))


def _lines(
    state: State, accuracies: tuple[Accuracy, ...], artifacts: tuple[Artifact, ...], folder: Path
) -> Iterator[Message]:
    assert state.report is not None
    yield msg("Check: {verdict}, {count} ops", verdict=state.report.verdict.value, count=len(state.report.nodes))
    for accuracy in accuracies:
        yield msg(
            "Accuracy, {subject}: {percent} % of {total} held-out images",
            subject=accuracy.subject,
            percent=f"{accuracy.percent:.2f}",
            total=accuracy.total,
        )
    for artifact, run in zip(artifacts, state.runs, strict=True):
        label, kilobytes = artifact.plan.default.label, round(artifact.bytes / 1e3)
        yield msg("{label}, {size} KB, on {device}:", label=label, size=kilobytes, device=run.device.model)
        yield from run_lines(run.summary)
    yield msg("Report: {path}", path=str(folder / "report.html"))
