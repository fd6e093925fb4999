"""One run of an artifact: its record's conditions kept, its witness fed, its outputs compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from workbench.app.artifacts import Kept, find
from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.messages import Message, msg
from workbench.core.protocol import AgentOptions, TensorFile
from workbench.core.run import RunConfig, RunOutputs, RunSummary
from workbench.core.steps import Context
from workbench.core.summary import summarise
from workbench.devices.deploy import Parcel
from workbench.devices.listing import open_link
from workbench.devices.runner import Job, run_on
from workbench.devices.runtime import host_runtime
from workbench.engines.witness import compare_with_witness, witness_inputs
from workbench.formats.identity import sha256_of

_MODEL = "model.mnn"


def run(
    artifact: Path,
    serial: str | None,
    config: RunConfig,
    inputs: Path | None,
    save: Path | None,
    workers: Workers,
    ctx: Context,
) -> RunSummary:
    """Run ``artifact`` on the device ``serial`` (the only phone for None). Raises BadInput, DeviceError, Cancelled."""
    kept = find(artifact, ctx)
    if kept.witness is None:
        raise BadInput(
            msg("Nothing is known of the inputs of this artifact: its record or witness is missing"),
            where=str(artifact),
            hint=msg("Convert the model with Workbench, and keep the files beside the artifact."),
        )
    link = open_link(serial)
    runtime = host_runtime()
    with scratch_folder() as scratch, _event_file(save) as events:
        raw = witness_inputs(kept.witness, inputs, scratch, workers, ctx)
        job = Job(_parcels(kept, ctx), raw, _options(kept, config))
        ran = run_on(link, runtime, job, scratch, ctx, lambda line: _keep(events, line))
        compared, notes = _compared(kept.witness, inputs, ran.outputs, scratch, workers, ctx)
    requested: dict[str, str | int | float] = {
        "device": link.serial,
        "backend": config.backend,
        "threads": config.threads,
        "precision": config.precision,
        "memory": config.memory,
        "warmup": config.warmup,
        "iterations": config.iterations,
        "seconds": config.seconds,
    }
    return summarise(ran.events, compared, requested=requested, warnings=notes)


def _compared(
    witness: Path,
    inputs: Path | None,
    outputs: tuple[TensorFile, ...],
    scratch: Path,
    workers: Workers,
    ctx: Context,
) -> tuple[RunOutputs | None, tuple[Message, ...]]:
    if inputs is not None:
        return None, (msg("The outputs were not compared: what is right for these inputs is not known here"),)
    if not outputs:
        return None, (msg("The outputs were not compared: the run was stopped before it wrote them"),)
    return compare_with_witness(witness, outputs, scratch, workers, ctx), ()


def _parcels(kept: Kept, ctx: Context) -> tuple[Parcel, ...]:
    model = Parcel(kept.path, _MODEL, kept.sha256)
    if kept.weights is None:
        return (model,)
    return (model, Parcel(kept.weights, f"{_MODEL}.weight", sha256_of(kept.weights, ctx)))


def _options(kept: Kept, config: RunConfig) -> AgentOptions:
    """The run as asked for, under the conditions without which the artifact's numbers are not right."""
    conditions = dict(c.split("=", 1) for c in kept.record.conditions) if kept.record else {}
    return AgentOptions(
        model=_MODEL,
        manifest="",
        backend=config.backend,
        threads=config.threads,
        precision=config.precision,
        memory=config.memory,
        path=conditions.get("path", "auto"),
        winograd=conditions.get("winograd") != "off",
        warmup=config.warmup,
        iterations=config.iterations,
        seconds=config.seconds,
        ops=config.ops,
    )


@contextmanager
def _event_file(save: Path | None) -> Iterator[BinaryIO | None]:
    """The file for raw events, open before anything is started. Raises BadInput where it cannot be written."""
    if save is None:
        yield None
        return
    try:
        file = save.open("wb")
    except OSError as error:
        raise BadInput(
            msg("The events cannot be written: {reason}", reason=error.strerror or str(error)),
            where=str(save),
            hint=msg("Choose a folder that exists and that you may write to."),
        ) from error
    with file:
        yield file


def _keep(file: BinaryIO | None, line: bytes) -> None:
    if file is not None:
        file.write(line + b"\n")
