"""The step that says of every operator whether the engine computes it right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Final

from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.artifact import Rewrite
from workbench.core.contract import InputContract
from workbench.core.graph import Graph, Model
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.core.steps import Context
from workbench.core.verdict import Answer, CheckReport, Figure, Status, Verdict, Verification
from workbench.engines.diagnose import diagnose, reason_with_node, with_node
from workbench.engines.locate import Located
from workbench.engines.mnn.version import ENGINE_NAME, engine_version
from workbench.engines.op_table import full_name
from workbench.engines.static_check import static_check
from workbench.engines.trial import Remedy, Task, Trial, try_model

_WHOLE_MODEL: Final = {Answer.OK: Status.RIGHT, Answer.OK_WITH_CONDITION: Status.CONDITION}


def check(
    model: Model,
    source: Path,
    contracts: Sequence[InputContract],
    workers: Workers,
    ctx: Context,
    *,
    given: Path | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    static: bool = False,
    remedy: Remedy | None = None,
) -> CheckReport:
    """Convert ``source`` in floating point, compare its numbers, and say of each node what is known.

    ``given``: the user's arrays (.npz). ``shapes``: sizes that the user fixed, by input name.
    ``static``: by what is known of operators; nothing is run, so nothing is verified.
    ``remedy``: asked for a rewritten model after a no; where it has one the answer is that. Raises
    BadInput for a model, inputs or shapes that cannot be used, Cancelled.
    """
    if static:
        return static_check(model, workers, ctx)
    task = Task(model, source, contracts, QuantPlan(), given, shapes)
    with scratch_folder() as folder:
        trial = try_model(task, folder, workers, ctx, strict=True)
        located = diagnose(task, trial, folder, workers, ctx)
        remedied = remedy(task, trial, folder, workers, ctx) if remedy is not None and not trial.answer.is_yes else None
    report = _report(model, trial, located)
    return report if remedied is None else _rewritable(report, remedied.rewrites)


def _rewritable(report: CheckReport, rewrites: Sequence[Rewrite]) -> CheckReport:
    """The report of a model that these rewrites make right: each of their nodes has what is done to it as its fix."""
    fixes = _by_node((rewrite.node, rewrite.title) for rewrite in rewrites)
    effects = _by_node((rewrite.node, rewrite.effect) for rewrite in rewrites if rewrite.effect is not None)
    nodes = tuple(
        replace(verdict, fix=fixes.get(verdict.node), fix_effect=effects.get(verdict.node)) for verdict in report.nodes
    )
    return replace(report, verdict=Answer.REWRITABLE, nodes=nodes)


def _by_node(told: Iterable[tuple[str, Message]]) -> dict[str, Message]:
    """What is told of each node, one after the other, nothing twice."""
    found: dict[str, dict[Message, None]] = {}
    for node, message in told:
        found.setdefault(node, {})[message] = None
    return {node: reduce(_and, messages) for node, messages in found.items()}


def _and(one: Message, more: Message) -> Message:
    return msg("{what}. {more}", what=one, more=more)


def _report(model: Model, trial: Trial, located: Located | None) -> CheckReport:
    return CheckReport(
        verdict=trial.answer,
        shapes=trial.reference.shapes if trial.reference else {},
        nodes=tuple(_verdicts(model.graph, trial, located)),
        first_diverging_node=located.node if located else None,
        verification=with_node(trial, located),
        engine_name=ENGINE_NAME,
        engine_version=engine_version(),
        reason=reason_with_node(model.graph, trial, located),
        conditions=trial.conditions,
    )


def _verdicts(graph: Graph, trial: Trial, located: Located | None) -> Iterator[Verdict]:
    """A verdict for each node; those of bodies share the fate of the operator that holds them."""
    unsupported = frozenset(node.id for node in trial.unsupported)
    known = dict(located.verdicts) if located else {}
    _hand_down(graph, known)
    for node in graph.all_nodes():
        if node.id in unsupported:
            reason = msg("The converter does not know {op}", op=full_name(node))
            yield Verdict(node.id, node.name, node.op, Status.UNSUPPORTED, reason)
        elif node.id in known:
            yield known[node.id]
        elif trial.answer in _WHOLE_MODEL:
            yield Verdict(node.id, node.name, node.op, _WHOLE_MODEL[trial.answer], None, _evidence(trial.verification))
        else:
            yield Verdict(node.id, node.name, node.op, Status.NOT_CHECKED)


def _hand_down(graph: Graph, known: dict[str, Verdict]) -> None:
    """Give the nodes of bodies the status of the operator that holds them: they are compared as one."""
    for body in graph.subgraphs:
        owner = known.get(body.owner)
        if owner is not None:
            for node in body.graph.nodes:
                known[node.id] = Verdict(node.id, node.name, node.op, owner.status, owner.reason)
        _hand_down(body.graph, known)


def _evidence(verification: Verification | None) -> dict[str, float | int | str]:
    """Figures of the whole model, under names that say so."""
    figure: Figure | None = verification.engine if verification else None
    if figure is None:
        return {}
    return {"model_max_rel_error": figure.max_rel_error, "inputs": figure.inputs, "sizes": figure.sizes}
