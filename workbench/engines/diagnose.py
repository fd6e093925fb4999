"""From a trial that ended with no to the node at fault."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

from workbench.children.workers import Workers
from workbench.core.graph import Graph
from workbench.core.messages import Message, msg
from workbench.core.plan import FLOAT, QuantPlan
from workbench.core.steps import Context
from workbench.core.verdict import Answer, Status, Verdict, Verification
from workbench.engines.attempts import run_limits
from workbench.engines.inputs import GIVEN
from workbench.engines.judge import judge
from workbench.engines.locate import Located, locate
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import NotConverted
from workbench.engines.mnn.names import Layer, quantizable_layers
from workbench.engines.mnn.run import DidNotRun, Feed, Setting, run_model
from workbench.engines.ort.reference import Case, NoReference, Reference, run_with_plan
from workbench.engines.trial import Task, Trial, conversion_limits
from workbench.engines.verify import Verified

_AT_FAULT: Final = (Answer.WRONG, Answer.CRASH, Answer.HANG)


def diagnose(task: Task, trial: Trial, folder: Path, workers: Workers, ctx: Context) -> Located | None:
    """The node at fault; None where the trial ended with a yes, or with a no that is not a node's.

    ``folder`` must exist, on an ASCII path. Raises Cancelled.
    """
    reference, verified = trial.reference, trial.verified
    if trial.answer not in _AT_FAULT or reference is None or not reference.cases:
        return None
    engine = verified.verification.engine if verified else None
    if engine is not None and engine.right:
        return None  # the engine computes what the plan says, and the plan costs too much
    case = _telling(reference, verified)
    if task.plan.changes_weights and engine is not None:
        layer = _by_layers(task, reference, case, folder, workers, ctx)
        if layer is not None:
            return layer
    runs = engine is not None and trial.answer is Answer.WRONG
    return locate(task.model.graph, task.source, case, folder, workers, ctx, runs=runs)


def with_node(trial: Trial, located: Located | None) -> Verification | None:
    """The trial's verification with the node at fault, also where the engine got no figure."""
    if located is None:
        return trial.verification
    if trial.verification is None:
        return Verification(None, None, located.node, trial.reason)
    return replace(trial.verification, first_diverging_node=located.node)


def reason_with_node(graph: Graph, trial: Trial, located: Located | None) -> Message | None:
    """The no in one sentence, with the node where it is known."""
    if located is None or trial.reason is None:
        return trial.reason
    if located.node is None:
        return msg("{reason}. {more}", reason=trial.reason, more=located.reason)
    node = next(node for node in graph.all_nodes() if node.id == located.node)
    return msg(
        "{reason}. First at fault: {op} {node}: {cause}",
        reason=trial.reason,
        op=node.op,
        node=node.title,
        cause=located.reason,
    )


def _telling(reference: Reference, verified: Verified | None) -> Case:
    """The input on which the engine is the most wrong: of equals the user's, then one of the second size."""
    if verified is not None and verified.stopped is not None and verified.stopped.case is not None:
        return reference.cases[verified.stopped.case]
    if verified is None or not verified.wrong:
        return reference.cases[0]
    most = verified.wrong[0].closeness
    cases = [reference.cases[row.row.case] for row in verified.wrong if row.closeness == most]
    return max(cases, key=lambda case: (case.label == GIVEN, case.size))


def _by_layers(
    task: Task, reference: Reference, case: Case, folder: Path, workers: Workers, ctx: Context
) -> Located | None:
    """The first layer with whose weights quantized the engine goes wrong; None where the float model is wrong too."""
    layers = quantizable_layers(task.model.graph)
    right, wrong = 0, len(layers)
    if not wrong or not _is_right_up_to(task, layers, 0, reference, case, folder, workers, ctx):
        return None
    while wrong - right > 1:
        ctx.progress(None, msg("Looking for the layer at fault"))
        middle = (right + wrong) // 2
        if _is_right_up_to(task, layers, middle, reference, case, folder, workers, ctx):
            right = middle
        else:
            wrong = middle
    layer = layers[wrong - 1]
    quant = task.plan.of(layer.node_id)
    reason = msg(
        "With {label} weights the engine does not compute this layer as the plan says; "
        "channels whose step is at or below 1e-6 are lost",
        label=quant.label,
    )
    node = next(node for node in task.model.graph.all_nodes() if node.id == layer.node_id)
    fix = msg("Keep it in floating point, or use HQQ.")
    verdict = Verdict(node.id, node.name, node.op, Status.WRONG, reason, {"bits": quant.bits}, fix)
    return Located(node.id, reason, {node.id: verdict})


def _is_right_up_to(
    task: Task,
    layers: tuple[Layer, ...],
    count: int,
    reference: Reference,
    case: Case,
    folder: Path,
    workers: Workers,
    ctx: Context,
) -> bool:
    """Whether the engine is right with the first ``count`` layers quantized and the others in floating point."""
    own = Path(tempfile.mkdtemp(dir=folder))
    plan = _first_layers(task.plan, layers[:count])
    limits = conversion_limits(task.model)
    converted = convert_model(task.model, task.source, plan, own, workers, ctx, limits=limits)
    if isinstance(converted, NotConverted):
        return False
    want = case.outputs
    if converted.plan_weights:
        planned = run_with_plan(task.source, converted.plan_weights, [case], own, workers, ctx)
        if isinstance(planned, NoReference):
            return False
        want = planned[0]
    graph = task.model.graph
    names = [tensor.name for tensor in graph.inputs], [tensor.name for tensor in graph.outputs]
    setting = Setting(winograd=False)
    feed = Feed(case.inputs, want, {})
    ran = run_model(converted.path, *names, setting, [feed], own, workers, ctx, run_limits(reference))
    return not isinstance(ran, DidNotRun) and not ran.failures and all(row.right for row in judge(ran.rows))


def _first_layers(plan: QuantPlan, layers: tuple[Layer, ...]) -> QuantPlan:
    chosen = {layer.node_id: plan.of(layer.node_id) for layer in layers}
    return replace(plan, default=FLOAT, layers={key: quant for key, quant in chosen.items() if not quant.is_float})
