"""What came of a run, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from workbench.core.messages import Message, msg
from workbench.core.run import BudgetVerdict, RunSummary
from workbench.ui.jobbook import No

LIMITS: Final = {
    "load": msg("load"),
    "p50": msg("latency p50"),
    "p90": msg("latency p90"),
    "p99": msg("latency p99"),
    "memory": msg("peak memory"),
    "temperature": msg("temperature"),
    "heating": msg("heating"),
}
"""Words of the names in ``core.budget.NAMES``."""
_WRONG: Final = msg("The outputs are wrong: no speed is given")


def run_note(summary: RunSummary) -> Message | No | None:
    """For the Jobs tab: why the run is a no, else its first warning."""
    if summary.outputs is not None and not summary.outputs.right:
        return No(_WRONG)
    over = broken(summary.budget)
    if over:
        return No(over_budget(over[0]))
    return summary.warnings[0] if summary.warnings else None


def broken(budget: Iterable[BudgetVerdict]) -> tuple[BudgetVerdict, ...]:
    """The limits that were not kept, those that were measured first."""
    return tuple(sorted((one for one in budget if not one.kept), key=lambda one: one.value is None))


def over_budget(verdict: BudgetVerdict) -> Message:
    """ "Over budget: latency p90 50.6 of 50 ms"; why not known where it was not measured."""
    name = LIMITS[verdict.name]
    if verdict.value is None:
        if verdict.reason is None:
            return msg("Budget not held: {limit} was not measured", limit=name)
        return msg("Budget not held: {limit}: {reason}", limit=name, reason=verdict.reason)
    return msg(
        "Over budget: {limit} {value} of {allowed} {unit}",
        limit=name,
        value=f"{verdict.value:.3g}" if verdict.value < 1000 else f"{verdict.value:.0f}",
        allowed=f"{verdict.limit:g}",
        unit=verdict.unit,
    )
