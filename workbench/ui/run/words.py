"""What came of a run, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from workbench.core.budget import judge_budget
from workbench.core.messages import Message, msg
from workbench.core.numbers import three_digits
from workbench.core.run import Budget, BudgetVerdict, RunSummary
from workbench.core.verdict import Status
from workbench.ui.jobbook import No
from workbench.ui.numbers import ms_text
from workbench.ui.text import say, tr

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
        value=three_digits(verdict.value),
        allowed=f"{verdict.limit:g}",
        unit=verdict.unit,
    )


def run_answer(summary: RunSummary, budget: Budget) -> tuple[Status, str]:
    """The run's sentence of answer, held to ``budget``, and how it stands."""
    if summary.outputs is not None and not summary.outputs.right:
        return Status.WRONG, say(_WRONG)
    held = judge_budget(budget, summary)
    over = broken(held)
    if over:
        first = say(over_budget(over[0]))
        more = len(over) - 1
        return Status.WRONG, tr("{first}, and {n} more", first=first, n=more) if more else first
    latency = summary.latency_ms
    if latency is None:
        return Status.NOT_CHECKED, tr("Latency was not measured")
    speed = tr("p50 {p50}, p90 {p90}", p50=ms_text(latency.p50), p90=ms_text(latency.p90))
    if held:
        return Status.RIGHT, tr("Within budget: {speed}", speed=speed)
    if summary.outputs is None:
        return Status.NOT_CHECKED, tr("Outputs not compared: {speed}", speed=speed)
    return Status.RIGHT, tr("Outputs right: {speed}", speed=speed)
