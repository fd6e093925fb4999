"""One run of an artifact: its record's conditions kept, its witness fed, its outputs compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from workbench.app import files
from workbench.app.artifacts import Kept, find
from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, UsageError
from workbench.core.messages import Message, msg
from workbench.core.protocol import AgentOptions, TensorFile
from workbench.core.run import RunConfig, RunOutputs, RunSummary
from workbench.core.steps import Context
from workbench.core.summary import summarise
from workbench.devices.deploy import Parcel
from workbench.devices.listing import open_link
from workbench.devices.runner import Job, Ran, run_on
from workbench.devices.runtime import runtime_for
from workbench.engines.witness import compare_with_witness, witness_inputs

_MODEL: Final = "model.mnn"
_LIMITS: Final = {
    "threads": (1, 64),
    "warmup": (0, 100_000_000),
    "iterations": (1, 100_000_000),
    "seconds": (0, 86_400),
}
"""What the agent takes (workbench/agent/options.cc)."""
_OPTIONS: Final = {"seconds": "--duration"}


def run(
    artifact: Path,
    serial: str | None,
    config: RunConfig,
    inputs: Path | None,
    save: Path | None,
    workers: Workers,
    ctx: Context,
) -> RunSummary:
    """Run ``artifact`` on the device ``serial`` (the only phone for None).

    ``save`` appears when the run has ended by itself. Raises BadInput, UsageError, DeviceError, Cancelled.
    """
    _check(config)
    kept = find(artifact, ctx)
    if kept.witness is None:
        raise BadInput(
            msg("Nothing is known of the inputs of this artifact: its record or witness is missing"),
            where=str(artifact),
            hint=msg("Keep the files beside an artifact; they come from workbench convert MODEL -o OUT.mnn."),
        )
    if inputs is not None:
        files.must_be_there(inputs)
    with scratch_folder() as scratch, _event_lines(save) as events:
        raw = witness_inputs(kept.witness, inputs, scratch, workers, ctx)
        link = open_link(serial)
        device = link.device()
        runtime = runtime_for(device)
        job = Job(_parcels(kept), raw, _options(kept, config))
        ran = run_on(link, runtime, job, scratch, ctx, events)
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
    summary = summarise(ran.events, compared, requested=requested, warnings=notes)
    return replace(summary, actual={**summary.actual, **_circumstances(raw, ran)}, simulated=device.simulated)


def _check(config: RunConfig) -> None:
    for name, (low, high) in _LIMITS.items():
        if not low <= getattr(config, name) <= high:  # NaN is not between them either
            raise UsageError(
                msg("{value} is not possible", value=getattr(config, name)),
                where=_OPTIONS.get(name, f"--{name}"),
                hint=msg("Use a number from {low} to {high}.", low=low, high=high),
            )


def _circumstances(inputs: tuple[TensorFile, ...], ran: Ran) -> dict[str, str | int | float]:
    """Without the sizes of the inputs no latency says anything."""
    sizes = ", ".join(f"{tensor.name}={'x'.join(map(str, tensor.shape))}" for tensor in inputs)
    return {"inputs": sizes, "pushed_bytes": ran.pushed_bytes, "push_seconds": round(ran.push_seconds, 3)}


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


def _parcels(kept: Kept) -> tuple[Parcel, ...]:
    model = Parcel(kept.path, _MODEL, kept.sha256)
    if kept.weights is None:
        return (model,)
    return (model, Parcel(kept.weights.path, f"{_MODEL}.weight", kept.weights.sha256))


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
def _event_lines(save: Path | None) -> Iterator[Callable[[bytes], None]]:
    """Takes the agent's lines as they come; ``save`` appears when the run has ended. Raises BadInput."""
    if save is None:
        yield lambda line: None
        return
    with files.new_file(save) as file:
        yield lambda line: file.write(line + b"\n")
