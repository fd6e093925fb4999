"""The steps that take a model apart: the reference's every tensor, single nodes, beginnings of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import Limits, Outcome
from workbench.children.workers import Workers
from workbench.core.graph import Shape
from workbench.core.steps import Context

_WORKER: Final = "workbench.engines.ort.cut_worker"
_LIMITS: Final = Limits(seconds=600.0, rss_bytes=16 << 30)


@dataclass(frozen=True, slots=True)
class Trace:
    """The reference's tensors on one input, as .npy files by name.

    ``file``: the model with every tensor of ``exposed`` (in topological order) as an output too.
    """

    values: Mapping[str, str]
    exposed: tuple[str, ...]
    file: Path


@dataclass(frozen=True, slots=True)
class Part:
    """A model of one node (``node``: its first output) or body (its place), and the reference's values around it.

    ``key`` is equal for nodes that do the same.
    """

    node: str
    file: Path
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    key: str


def trace(source: Path, inputs: Mapping[str, str], folder: Path, workers: Workers, ctx: Context) -> Trace | None:
    """Every tensor of the main graph of ``source``; None where the reference does not tell them."""
    outcome = _run("trace", {"model": str(source.absolute()), "inputs": dict(inputs)}, folder, workers, ctx)
    if not outcome.ok:
        return None
    return Trace(outcome.result["values"], tuple(outcome.result["exposed"]), folder / "exposed.onnx")


def isolate(
    source: Path,
    nodes: Sequence[str],
    traced: Trace,
    shapes: Mapping[str, Shape],
    folder: Path,
    workers: Workers,
    ctx: Context,
    *,
    fix_sizes: bool = False,
) -> tuple[Part, ...]:
    """A model for each of ``nodes`` (their first outputs), in topological order.

    ``shapes``: what the graph declares of its tensors. ``fix_sizes``: computed integers that look like
    sizes become constants.
    """
    request = {
        "model": str(source.absolute()),
        "nodes": list(nodes),
        "values": dict(traced.values),
        "shapes": {name: list(shape) for name, shape in shapes.items() if shape is not None},
        "fix_sizes": fix_sizes,
    }
    outcome = _run("isolate", request, folder, workers, ctx)
    if not outcome.ok:
        return ()
    return tuple(
        Part(doc["node"], Path(doc["file"]), doc["inputs"], doc["outputs"], doc["key"])
        for doc in outcome.result["parts"]
    )


def beginning(
    source: Path, tensors: Sequence[str], folder: Path, workers: Workers, ctx: Context
) -> tuple[Path, tuple[str, ...]] | None:
    """The model of what ``tensors`` need, and its inputs; None where it cannot be made."""
    request = {"model": str(source.absolute()), "tensors": list(tensors)}
    outcome = _run("beginning", request, folder, workers, ctx)
    if not outcome.ok:
        return None
    return Path(outcome.result["file"]), tuple(outcome.result["inputs"])


def branch(
    source: Path, place: str, inputs: Mapping[str, str], folder: Path, workers: Workers, ctx: Context
) -> Part | None:
    """The branch of an If at ``place`` as a model of its own; None where it cannot be made or run."""
    request = {"model": str(source.absolute()), "place": place, "inputs": dict(inputs)}
    outcome = _run("body", request, folder, workers, ctx)
    if not outcome.ok:
        return None
    doc = outcome.result
    return Part(place, Path(doc["file"]), doc["inputs"], doc["outputs"], place)


def _run(function: str, request: Mapping[str, Any], folder: Path, workers: Workers, ctx: Context) -> Outcome:
    outcome = workers.run(_WORKER, function, request, folder, ctx, _LIMITS)
    if not outcome.ok:
        ctx.line(f"{function}: {outcome.end.value} {outcome.text}")
    return outcome
