"""The step that converts an ONNX model with MNN's converter, in a child with a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import Limits, Outcome
from workbench.children.workers import Workers
from workbench.core.graph import Graph, Model, Node
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.core.steps import Context
from workbench.engines.mnn.applied import applied_layers, not_applied
from workbench.engines.mnn.compression import check_plan, compression_file, ignored_blocks
from workbench.engines.mnn.converted import Argv, Converted, ConvertResult
from workbench.engines.mnn.names import Layer, quantizable_layers
from workbench.engines.mnn.plan_weights import chosen_weights, plan_weights
from workbench.engines.mnn.refused import foreign_nodes, from_outcome, not_applied_to, unsupported
from workbench.engines.mnn.source import SOURCE, engine_path
from workbench.engines.mnn.weights_file import weights_path

WORKER: Final = "workbench.engines.mnn.convert_worker"
_MADE: Final = "out.mnn"
_QUANTIZED: Final = "quantized.mnn"
_PLAN_FILE: Final = "plan.json"
_CONVERT_LIMITS: Final = Limits(seconds=1800.0, rss_bytes=16 << 30)


def convert_model(
    model: Model,
    source: Path,
    plan: QuantPlan,
    folder: Path,
    workers: Workers,
    ctx: Context,
    *,
    extra: Sequence[str] = (),
    limits: Limits = _CONVERT_LIMITS,
    environment: Mapping[str, str] | None = None,
) -> ConvertResult:
    """Convert ``source``, whose graph ``model`` holds, to ``folder/out.mnn`` with the precision of ``plan``.

    ``folder`` must exist, on an ASCII path, and be this conversion's alone. ``extra`` goes to the call
    that reads the ONNX file, as it is ("--optimizeLevel", "2"). ``environment``: variables of the
    worker's own, see ``strict_memory.py``. Raises UsageError for a plan that the converter would not
    carry out, Cancelled.
    """
    if foreign := foreign_nodes(model.graph):
        return unsupported(foreign, frozenset(f"{node.domain}::{node.op}" for node in foreign))
    layers = quantizable_layers(model.graph) if plan.changes_weights or plan.hqq else ()
    check_plan(plan, layers, model.graph)
    calls = _converter_calls(plan, tuple(extra))
    if not plan.is_float:
        (folder / _PLAN_FILE).write_text(json.dumps(compression_file(plan, layers)), encoding="utf-8")
    ctx.progress(None, msg("Converting {model}", model=Path(model.path).name))
    request = {
        "calls": _real_calls(calls, engine_path(source, model.external_files, folder), folder),
        "describe": plan.changes_weights,
        "weights_of": chosen_weights(plan, layers),
    }
    outcome = workers.run(WORKER, "convert", request, folder, ctx, limits, environment=environment)
    for line in outcome.lines:
        ctx.line(line)
    if not outcome.ok:
        return from_outcome(outcome, model.graph, calls)
    return _judged(model.graph, plan, layers, calls, folder, outcome)


def _converter_calls(plan: QuantPlan, extra: Argv = ()) -> tuple[Argv, ...]:
    """The converter's arguments, call by call, with plain names in place of paths.

    ``--fp16`` cancels all weight quantization, so a plan with both takes a second call.
    """
    last = () if plan.is_float else ("--compressionParamsFile", _PLAN_FILE, *(("--hqq",) if plan.hqq else ()))
    if not plan.half_floats:
        return (_call("ONNX", SOURCE, _MADE, *last, *extra),)
    if plan.is_float:
        return (_call("ONNX", SOURCE, _MADE, "--fp16", *extra),)
    return (_call("ONNX", SOURCE, _QUANTIZED, *last, *extra), _call("MNN", _QUANTIZED, _MADE, "--fp16"))


def _call(framework: str, source: str, made: str, *options: str) -> Argv:
    return ("-f", framework, "--modelFile", source, "--MNNModel", made, "--bizCode", "workbench", *options)


def _real_calls(calls: tuple[Argv, ...], source: Path, folder: Path) -> list[dict[str, Any]]:
    real = {SOURCE: str(source)} | {name: str(folder / name) for name in (_MADE, _QUANTIZED, _PLAN_FILE)}
    return [
        {"argv": [real.get(word, word) for word in argv], "made": argv[argv.index("--MNNModel") + 1]} for argv in calls
    ]


def _judged(
    graph: Graph, plan: QuantPlan, layers: tuple[Layer, ...], calls: tuple[Argv, ...], folder: Path, outcome: Outcome
) -> ConvertResult:
    """A Converted where what was written is what the plan says."""
    description = outcome.result.get("description", {})
    applied, found = applied_layers(layers, description.get("weights", ()))
    if plan.changes_weights and (faults := not_applied(plan, layers, found)):
        return not_applied_to(faults, calls, outcome)
    weights = weights_path(folder / _MADE)
    return Converted(
        path=folder / _MADE,
        weights=weights if weights.is_file() else None,
        argv=calls,
        layers_applied=applied,
        plan_weights=plan_weights(plan, layers, description, folder),
        lines=outcome.lines,
        notes=(*_pitfalls(graph), *ignored_blocks(plan, layers)),
        seconds=outcome.seconds,
        peak_rss_bytes=outcome.peak_rss_bytes,
    )


def _pitfalls(graph: Graph) -> tuple[Message, ...]:
    return tuple(
        msg("{node} has no value: the converter may fill it with anything", node=node.title)
        for node in uninitialised_nodes(graph)
    )


def uninitialised_nodes(graph: Graph) -> Iterator[Node]:
    """The nodes, bodies included, whose values the converter makes of memory that nobody wrote."""
    # MNN 3.6.1 makes such a tensor of uninitialised memory, at conversion: two conversions differ.
    for node in graph.nodes:
        made = graph.tensors.get(node.outputs[0])
        is_empty = made is not None and made.shape is not None and 0 in made.shape
        if node.op == "ConstantOfShape" and "value" not in node.attributes and not is_empty:
            yield node
    for body in graph.subgraphs:
        yield from uninitialised_nodes(body.graph)
