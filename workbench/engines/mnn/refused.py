"""Why there is no converted model, in words and with the nodes at fault."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from workbench.children.outcome import End, Outcome
from workbench.core.graph import Graph, Node
from workbench.core.messages import Message, msg
from workbench.engines.mnn.applied import NotApplied
from workbench.engines.mnn.converted import Argv, NotConverted, WhyNot

STANDARD_DOMAINS: Final = ("", "ai.onnx")
"""The converter ignores domains: it takes ``my.domain::Relu`` for the standard Relu."""

_WHY: Final = {
    End.CRASHED: WhyNot.CRASHED,
    End.TIMED_OUT: WhyNot.TIMED_OUT,
    End.OUT_OF_MEMORY: WhyNot.OUT_OF_MEMORY,
}


def foreign_nodes(graph: Graph) -> tuple[Node, ...]:
    """Nodes of other domains than the standard's: custom operators and calls of local functions."""
    return tuple(node for node in graph.all_nodes() if node.domain not in STANDARD_DOMAINS)


def unsupported(
    nodes: Sequence[Node], ops: frozenset[str], calls: tuple[Argv, ...] = (), outcome: Outcome | None = None
) -> NotConverted:
    return NotConverted(
        why=WhyNot.UNSUPPORTED,
        what=msg("The converter does not know {ops}", ops=", ".join(sorted(ops))),
        hint=msg("Export the model with other operators, or rewrite these."),
        nodes=tuple(node.id for node in nodes),
        argv=calls,
        lines=outcome.lines if outcome else (),
        seconds=outcome.seconds if outcome else 0.0,
        peak_rss_bytes=outcome.peak_rss_bytes if outcome else 0,
    )


def from_outcome(outcome: Outcome, graph: Graph, calls: tuple[Argv, ...]) -> NotConverted:
    """A child's end that left no model."""
    if outcome.refusal == "unsupported_ops":
        ops = frozenset(outcome.details["ops"])
        return unsupported([node for node in graph.all_nodes() if node.op in ops], ops, calls, outcome)
    return NotConverted(
        why=_WHY.get(outcome.end, WhyNot.FAILED),
        what=_what(outcome),
        hint=None,
        nodes=(),
        argv=calls,
        lines=outcome.lines,
        seconds=outcome.seconds,
        peak_rss_bytes=outcome.peak_rss_bytes,
    )


def not_applied_to(faults: tuple[NotApplied, ...], calls: tuple[Argv, ...], outcome: Outcome) -> NotConverted:
    first = faults[0]
    text = "The converter did not apply the plan to {layer}: {what}"
    if len(faults) > 1:
        text = "The converter did not apply the plan to {layer} and {more} more: {what}"
    return NotConverted(
        why=WhyNot.NOT_APPLIED,
        what=msg(text, layer=first.layer.title, what=first.what, more=len(faults) - 1),
        hint=msg("Leave this layer in floating point."),
        nodes=tuple(fault.layer.node_id for fault in faults),
        argv=calls,
        lines=outcome.lines,
        seconds=outcome.seconds,
        peak_rss_bytes=outcome.peak_rss_bytes,
    )


def _what(outcome: Outcome) -> Message:
    match outcome.end:
        case End.CRASHED:
            return msg("The converter crashed ({signal})", signal=outcome.signal_name)
        case End.TIMED_OUT:
            return msg("The converter did not finish in {seconds} s", seconds=round(outcome.seconds))
        case End.OUT_OF_MEMORY:
            return msg("The converter needed over {mb} MB", mb=outcome.peak_rss_bytes >> 20)
        case End.REFUSED:
            return msg("The converter wrote no model: {reason}", reason=outcome.text)
        case _:
            return msg("The converter could not be run: {reason}", reason=outcome.text)
