"""Which operator a check's no is about, and which of several is the worst off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.core.verdict import CheckReport, Verdict
from workbench.ui.theme.tokens import SEVERITY


def op_at_fault(report: CheckReport) -> str | None:
    """The node to look at after a no: the first whose numbers differ, else the worst one; None after a yes."""
    if report.verdict.is_yes:
        return None
    bad = [verdict for verdict in report.nodes if verdict.status.is_bad]
    if any(verdict.node == report.first_diverging_node for verdict in bad):
        return report.first_diverging_node
    return min(bad, key=lambda verdict: SEVERITY.index(verdict.status)).node if bad else None


def worst_of(nodes: Iterable[str], verdicts: Mapping[str, Verdict]) -> Verdict | None:
    """The worst verdict on ``nodes``, the first of equals; None where no check has spoken of them."""
    known = [verdicts[node] for node in nodes if node in verdicts]
    return min(known, key=lambda verdict: SEVERITY.index(verdict.status)) if known else None
