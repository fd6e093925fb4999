"""What a run answers: its document, its figures as sentences, its operators as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from workbench.app.arguments import Reply, Table
from workbench.core import codec
from workbench.core.errors import ExitCode
from workbench.core.messages import Argument, Message, msg
from workbench.core.numbers import three_digits
from workbench.core.run import BudgetVerdict, Latency, RunSummary

SCHEMA: Final = "workbench.run/1"
_MOST_OPS: Final = 10


def run_reply(summary: RunSummary) -> Reply:
    """What was measured; what was not is null, never zero."""
    return Reply(
        codec.document(SCHEMA, summary),
        ExitCode.YES if _is_yes(summary) else ExitCode.NO,
        tuple(run_lines(summary)),
        _ops_table(summary),
    )


def _ops_table(summary: RunSummary) -> Table | None:
    """The slowest operators, each with its share of the sum of all."""
    whole = sum(op.ms for op in summary.ops)
    if not whole:
        return None
    slowest = sorted(summary.ops, key=lambda op: op.ms, reverse=True)[:_MOST_OPS]
    rows = tuple(
        (round(op.ms, 4), round(100 * op.ms / whole, 1), op.type, op.name, op.node_name or op.node or "")
        for op in slowest
    )
    return Table((msg("ms"), msg("% of the ops"), msg("Op"), msg("In the engine"), msg("Node")), rows)


def _is_yes(summary: RunSummary) -> bool:
    right = summary.outputs is None or summary.outputs.right
    return right and all(verdict.kept for verdict in summary.budget)


def run_lines(summary: RunSummary) -> Iterable[Message]:
    """A run's figures as sentences, each number with its unit."""
    if summary.outputs is not None and not summary.outputs.right:
        yield msg(
            "The outputs are wrong (largest error {error} of the largest value): no speed is given",
            error=f"{summary.outputs.max_rel_error:.3g}",
        )
        yield from map(budget_line, summary.budget)
        return
    if summary.simulated:
        yield msg("A simulated phone: time and memory are this computer's, temperatures and clocks are made up")
    if "inputs" in summary.actual:
        yield msg("Inputs {inputs}", inputs=summary.actual["inputs"])
    if summary.load_ms is not None and summary.first_ms is not None:
        yield msg(
            "Load {load} ms, first run {first} ms",
            load=three_digits(summary.load_ms),
            first=three_digits(summary.first_ms),
        )
    if summary.latency_ms is not None:
        yield _latency_line(summary.latency_ms)
    if (memory := summary.memory) is not None:
        yield msg(
            "Memory peak +{peak} MB over a baseline of {base} MB",
            peak=_mb_kb(memory.peak_kb - memory.baseline_kb),
            base=_mb_kb(memory.baseline_kb),
        )
    if summary.outputs is not None:
        yield msg(
            "Outputs right: largest error {error} of the largest value", error=f"{summary.outputs.max_rel_error:.3g}"
        )
    yield from map(budget_line, summary.budget)
    yield from summary.warnings


def budget_line(verdict: BudgetVerdict) -> Message:
    """A limit, what was measured, and whether it was kept. A limit that nothing was held against was not."""
    name, limit = verdict.name, f"{verdict.limit:g} {verdict.unit}"
    if verdict.value is None:
        reason = verdict.reason or ""
        return msg(
            "Budget {name} of {limit}: not kept, as nothing shows it: {reason}", name=name, limit=limit, reason=reason
        )
    value = f"{three_digits(verdict.value)} {verdict.unit}"
    if verdict.kept:
        return msg("Budget {name} of {limit}: kept, {value}", name=name, limit=limit, value=value)
    return msg("Budget {name} of {limit}: over, {value}", name=name, limit=limit, value=value)


def _latency_line(latency: Latency) -> Message:
    figures: dict[str, Argument] = {
        "p50": three_digits(latency.p50),
        "p90": three_digits(latency.p90),
        "p99": three_digits(latency.p99),
        "n": latency.n,
    }
    if latency.ci95 is None:
        return msg("Latency p50 {p50} ms, p90 {p90}, p99 {p99}, n = {n} (too few for an interval)", **figures)
    low, high = latency.ci95
    return msg(
        "Latency p50 {p50} ms (95 %: {low} to {high}), p90 {p90}, p99 {p99}, n = {n}",
        low=three_digits(low),
        high=three_digits(high),
        **figures,
    )


def _mb_kb(kilobytes: int) -> float:
    return round(kilobytes * 1024 / 1e6, 1)  # /proc's kB are 1,024 bytes
