"""The check that runs nothing: what is known of every operator, in milliseconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from workbench.children.workers import Workers
from workbench.core.graph import Model
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.core.verdict import Answer, CheckReport, Status, Verdict
from workbench.engines.mnn.op_list import supported_ops
from workbench.engines.mnn.version import ENGINE_NAME, engine_version
from workbench.engines.op_table import full_name, static_verdicts, without_table

_FAILING = (Status.WRONG, Status.CRASH, Status.HANG)


def static_check(model: Model, workers: Workers, ctx: Context) -> CheckReport:
    """By the table of the installed engine, or by the converter's own list of operators where there is no table.

    Never a yes. Raises EngineError where the converter does not tell its operators, Cancelled.
    """
    nodes = static_verdicts(model.graph)
    if nodes is None:
        nodes = without_table(model.graph, supported_ops(workers, ctx))
    told = zip(nodes, model.graph.all_nodes(), strict=True)
    unsupported = {full_name(node) for verdict, node in told if verdict.status is Status.UNSUPPORTED}
    answer = Answer.UNSUPPORTED if unsupported else Answer.UNVERIFIED
    reason = _not_tried(nodes)
    if unsupported:
        reason = msg("The converter does not know {ops}", ops=", ".join(sorted(unsupported)))
    return CheckReport(answer, {}, nodes, None, None, ENGINE_NAME, engine_version(), reason)


def _not_tried(nodes: Sequence[Verdict]) -> Message:
    failing = Counter(verdict.op for verdict in nodes if verdict.status in _FAILING)
    if failing:
        return msg(
            "{count} operators are used in ways that are known to fail ({ops}); nothing was run",
            count=failing.total(),
            ops=", ".join(sorted(failing)),
        )
    return msg("The converter knows every operator; whether the numbers are right was not tried")
