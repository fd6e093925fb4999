"""The step that converts an ONNX model with MNN's converter, in a child with a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from workbench.children.outcome import End, Limits, Outcome
from workbench.children.workers import Workers
from workbench.core.graph import Graph, Model, Node
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.core.steps import Context
from workbench.engines.mnn.converted import Argv, Converted, ConvertResult, NotConverted, WhyNot
from workbench.engines.mnn.source import SOURCE, engine_path

WORKER: Final = "workbench.engines.mnn.convert_worker"
MADE: Final = "out.mnn"
CONVERT_LIMITS: Final = Limits(seconds=1800.0, rss_bytes=16 << 30)
STANDARD_DOMAINS: Final = ("", "ai.onnx")
"""The converter ignores domains: it takes ``my.domain::Relu`` for the standard Relu."""

_WHY = {
    End.FAILED: WhyNot.FAILED,
    End.CRASHED: WhyNot.CRASHED,
    End.TIMED_OUT: WhyNot.TIMED_OUT,
    End.OUT_OF_MEMORY: WhyNot.OUT_OF_MEMORY,
}


def convert_model(
    model: Model,
    source: Path,
    plan: QuantPlan,
    folder: Path,
    workers: Workers,
    ctx: Context,
    *,
    extra: Sequence[str] = (),
    limits: Limits = CONVERT_LIMITS,
) -> ConvertResult:
    """Convert ``source``, whose graph ``model`` holds, to ``folder/out.mnn`` with the precision of ``plan``.

    ``folder`` must exist, on an ASCII path, and be this conversion's alone. ``extra`` goes to the
    converter as it is ("--optimizeLevel", "2"). Raises Cancelled.
    """
    if foreign := foreign_nodes(model.graph):
        return _refused(
            msg("{ops}: not an operator of the ONNX standard", ops=_named(f"{n.domain}::{n.op}" for n in foreign)),
            foreign,
        )
    calls = _calls(plan, tuple(extra))
    real = {SOURCE: str(engine_path(source, model.external_files, folder)), MADE: str(folder / MADE)}
    request = {"calls": [{"argv": [real.get(word, word) for word in argv], "made": MADE} for argv in calls]}
    ctx.progress(None, msg("Converting {model}", model=Path(model.path).name))
    outcome = workers.run(WORKER, "convert", request, folder, ctx, limits)
    for line in outcome.lines:
        ctx.line(line)
    if not outcome.ok:
        return _not_converted(outcome, model.graph, calls)
    weights = folder / f"{MADE}.weight"
    return Converted(
        path=folder / MADE,
        weights=weights if weights.is_file() else None,
        argv=calls,
        layers_applied=(),
        lines=outcome.lines,
        notes=tuple(_pitfalls(model.graph)),
        seconds=outcome.seconds,
        peak_rss_bytes=outcome.peak_rss_bytes,
    )


def foreign_nodes(graph: Graph) -> tuple[Node, ...]:
    """Nodes of other domains than the standard's: custom operators and calls of local functions."""
    return tuple(node for node in graph.all_nodes() if node.domain not in STANDARD_DOMAINS)


def _calls(plan: QuantPlan, extra: Argv) -> tuple[Argv, ...]:
    half = ("--fp16",) if plan.half_floats else ()
    return (("-f", "ONNX", "--modelFile", SOURCE, "--MNNModel", MADE, "--bizCode", "workbench", *half, *extra),)


def _pitfalls(graph: Graph) -> Iterator[Message]:
    for node in graph.all_nodes():
        # MNN 3.6.1 fills such a tensor with uninitialised memory, at conversion: two conversions may differ.
        if node.op == "ConstantOfShape" and "value" not in node.attributes:
            yield msg("{node} has no value: the converter may fill it with anything", node=node.title)


def _not_converted(outcome: Outcome, graph: Graph, calls: tuple[Argv, ...]) -> NotConverted:
    if outcome.refusal == "unsupported_ops":
        ops = frozenset(outcome.details["ops"])
        nodes = tuple(node for node in graph.all_nodes() if node.op in ops)
        return _refused(msg("The converter does not know {ops}", ops=_named(ops)), nodes, outcome, calls)
    what = {
        End.REFUSED: msg("The converter wrote no model: {reason}", reason=outcome.text),
        End.FAILED: msg("The converter could not be run: {reason}", reason=outcome.text),
        End.CRASHED: msg("The converter crashed ({signal})", signal=outcome.signal_name),
        End.TIMED_OUT: msg("The converter did not finish in {seconds} s", seconds=round(outcome.seconds)),
        End.OUT_OF_MEMORY: msg("The converter needed over {mb} MB", mb=outcome.peak_rss_bytes >> 20),
    }[outcome.end]
    return NotConverted(
        why=_WHY.get(outcome.end, WhyNot.FAILED),
        what=what,
        hint=None,
        nodes=(),
        argv=calls,
        lines=outcome.lines,
        seconds=outcome.seconds,
        peak_rss_bytes=outcome.peak_rss_bytes,
    )


def _refused(
    what: Message, nodes: Sequence[Node], outcome: Outcome | None = None, calls: tuple[Argv, ...] = ()
) -> NotConverted:
    return NotConverted(
        why=WhyNot.UNSUPPORTED,
        what=what,
        hint=msg("Export the model with other operators, or rewrite these."),
        nodes=tuple(node.id for node in nodes),
        argv=calls,
        lines=outcome.lines if outcome else (),
        seconds=outcome.seconds if outcome else 0.0,
        peak_rss_bytes=outcome.peak_rss_bytes if outcome else 0,
    )


def _named(names: Iterator[str] | frozenset[str]) -> str:
    return ", ".join(sorted(set(names)))
