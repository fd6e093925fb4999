"""One run of an artifact: its record's conditions kept, its witness fed, its outputs compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from workbench.app import files
from workbench.app.artifacts import Kept, find
from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.artifact import OpNode
from workbench.core.budget import budget_words, judge_budget
from workbench.core.errors import BadInput, UsageError
from workbench.core.messages import Message, msg
from workbench.core.op import Op
from workbench.core.protocol import AgentOptions, Event, TensorFile
from workbench.core.run import RunConfig, RunOutputs, RunSummary
from workbench.core.run_limits import misfit
from workbench.core.steps import Context
from workbench.core.summary import summarise
from workbench.devices.deploy import Parcel
from workbench.devices.listing import open_link
from workbench.devices.runner import Job, Ran, run_on
from workbench.devices.runtime import runtime_for
from workbench.engines.mnn.op_names import node_of
from workbench.engines.mnn.run import Setting
from workbench.engines.mnn.weights_file import weights_path
from workbench.engines.witness import compare_with_witness, witness_inputs

_MODEL: Final = "model.mnn"
_ANY_PATH: Final = "auto"
"""The agent chooses: a Session, which tells operators' times, unless the model has control flow."""
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
        "budget": " ".join(budget_words(config.budget)),
    }
    summary = summarise(ran.events, compared, requested=requested, warnings=notes, nodes=_nodes(kept, ran.events))
    summary = replace(summary, actual={**summary.actual, **_circumstances(raw, ran)}, simulated=device.simulated)
    return replace(summary, budget=judge_budget(config.budget, summary))


def _check(config: RunConfig) -> None:
    if (found := misfit(config)) is not None:
        name, what, hint = found
        raise UsageError(what, where=_OPTIONS.get(name, f"--{name.partition('.')[0]}"), hint=hint)


def _nodes(kept: Kept, events: Sequence[Event]) -> dict[str, OpNode]:
    """The model's nodes by the names of the operators that were profiled, where the record tells them."""
    known = (kept.record.op_nodes if kept.record else None) or {}
    keys = {name: name for name in known}
    found = {event.name: node_of(event.name, keys) for event in events if isinstance(event, Op)}
    return {name: known[key] for name, key in found.items() if key is not None}


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
    return (model, Parcel(kept.weights.path, weights_path(Path(_MODEL)).name, kept.weights.sha256))


def _options(kept: Kept, config: RunConfig) -> AgentOptions:
    """The run as asked for, under the conditions without which the artifact's numbers are not right."""
    setting = Setting.kept(kept.record.conditions if kept.record else (), path=_ANY_PATH)
    return AgentOptions(
        model=_MODEL,
        manifest="",
        backend=config.backend,
        threads=config.threads,
        precision=config.precision,
        memory=config.memory,
        path=setting.path,
        winograd=setting.winograd,
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
