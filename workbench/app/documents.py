"""The commands' answers: documents of the contract for programs, lines and tables for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from workbench.app.arguments import Reply, Table
from workbench.core import codec
from workbench.core.errors import ExitCode
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.core.verdict import Answer, CheckReport, Status, Verification, condition_in_words

if TYPE_CHECKING:
    from workbench.core.artifact import Rewrite
    from workbench.devices.cleaning import Cleaned
    from workbench.devices.listing import Seen
    from workbench.engines.convert import ConvertReport
    from workbench.quantize.forecast import Forecast
    from workbench.quantize.traps import Trap

CHECK_SCHEMA: Final = "workbench.check/1"
CONVERT_SCHEMA: Final = "workbench.convert/1"
PLAN_SCHEMA: Final = "workbench.plan/1"
CLEAN_SCHEMA: Final = "workbench.clean/1"

_QUIET: Final = (Status.RIGHT, Status.NOT_CHECKED, Status.CONDITION)
_MB: Final = 1e6


def answer(*, yes: bool) -> ExitCode:
    """Whether the answer is yes, as an exit code."""
    return ExitCode.YES if yes else ExitCode.NO


def check_reply(report: CheckReport) -> Reply:
    """The verdict, with every node that needs a word."""
    nodes = [
        {
            "id": verdict.node,
            "name": verdict.name,
            "op": verdict.op,
            "status": verdict.status,
            "reason": verdict.reason,
            "evidence": verdict.evidence,
            "fix": verdict.fix,
        }
        for verdict in report.nodes
    ]
    body = {
        "verdict": report.verdict,
        "reason": report.reason,
        "shapes": report.shapes,
        "nodes": nodes,
        "first_diverging_node": report.first_diverging_node,
        "verification": verification_body(report.verification),
        "conditions": report.conditions,
        "engine": {"name": report.engine_name, "version": report.engine_version},
    }
    spoken = [verdict for verdict in report.nodes if verdict.status not in _QUIET]
    rows = tuple((v.status.value, v.op, v.name or v.node, v.reason or "") for v in spoken)
    table = Table((msg("Verdict"), msg("Op"), msg("Node"), msg("Reason")), rows) if rows else None
    return Reply(
        codec.document(CHECK_SCHEMA, body),
        answer(yes=report.verdict.is_yes),
        tuple(_check_lines(report)),
        table,
    )


def _check_lines(report: CheckReport) -> Iterable[Message]:
    verdict = report.verdict.value
    if report.reason is not None:
        yield msg("{verdict}: {reason}", verdict=verdict, reason=report.reason)
    else:
        engine = f"{report.engine_name} {report.engine_version}"
        yield msg("{verdict}: {count} ops, by {engine}", verdict=verdict, count=len(report.nodes), engine=engine)
    if report.verdict is Answer.REWRITABLE:
        yield msg("Exact rewrites make it right: convert it with --rewrite")
    yield from map(condition_in_words, report.conditions)
    yield from _figure_lines(report.verification)


def convert_reply(report: ConvertReport) -> Reply:
    """Whether the artifact is right, and both figures, never merged."""
    artifact = report.artifact
    body = {
        "ok": report.ok,
        "artifact": artifact.path if artifact else None,
        "bytes": artifact.bytes if artifact else None,
        "verdict": report.verdict,
        "reason": report.reason,
        "verification": verification_body(report.verification),
        "conditions": report.conditions,
        "layers_applied": report.layers_applied,
        "rewrites": [
            {"rule": r.rule, "node": r.node, "title": r.title, "exact": r.exact, "effect": r.effect}
            for r in report.rewrites
        ],
        "argv": report.argv,
        "warnings": report.notes,
    }
    lines: list[Message] = []
    if report.ok and artifact is not None:
        lines.append(
            msg(
                "{verdict}: {path}, {size} MB",
                verdict=report.verdict.value,
                path=artifact.path,
                size=_mb(artifact.bytes),
            )
        )
        lines += map(condition_in_words, report.conditions)
        lines += _rewrite_lines(report.rewrites)
    else:
        lines.append(msg("{verdict}: {reason}", verdict=report.verdict.value, reason=report.reason or ""))
    lines += _figure_lines(report.verification)
    return Reply(codec.document(CONVERT_SCHEMA, body), answer(yes=report.ok), tuple(lines), warnings=report.notes)


def _rewrite_lines(rewrites: Iterable[Rewrite]) -> Iterable[Message]:
    """What was rewritten, each rule once, with the number of nodes."""
    counts = Counter((rewrite.title, rewrite.effect) for rewrite in rewrites)
    for (title, effect), count in counts.items():
        yield msg("Rewritten: {title} ({count})", title=title, count=count)
        if effect is not None:
            yield effect


def verification_body(verification: Verification | None) -> dict[str, Any] | None:
    """Both figures; a float model has no price, a model that did not run has no engine figure."""
    if verification is None:
        return None
    return {
        "engine": verification.engine,
        "price": verification.price,
        "first_diverging_node": verification.first_diverging_node,
        "reason": verification.reason,
    }


def _figure_lines(verification: Verification | None) -> Iterable[Message]:
    if verification is None:
        return
    if (engine := verification.engine) is not None:
        yield msg(
            "Engine against the reference: largest error {error} of the largest value (limit {limit}), "
            "{inputs} inputs, {sizes} sizes",
            error=_short(engine.max_rel_error),
            limit=_short(engine.tolerance),
            inputs=engine.inputs,
            sizes=engine.sizes,
        )
    if (price := verification.price) is not None:
        yield msg(
            "Price of the plan against the float model: relative L2 {l2}, cosine {cosine}",
            l2=_short(price.relative_l2),
            cosine=f"{price.cosine:.5f}",
        )


def plan_document(plan: QuantPlan) -> dict[str, Any]:
    """The plan as it is kept in a file."""
    return codec.document(PLAN_SCHEMA, plan)


def plan_reply(plan: QuantPlan, forecast: Forecast, traps: tuple[Trap, ...], notes: tuple[Message, ...] = ()) -> Reply:
    """The plan, what it will weigh, the layers that it would destroy, and those that get something else."""
    told = [
        {"node": trap.node_id, "name": trap.title, "rows": trap.rows, "lost": trap.lost, "reason": str(trap.what)}
        for trap in traps
    ]
    body = plan_document(plan) | {
        "forecast": {"bytes": forecast.bytes, "exact": forecast.exact},
        "traps": told,
        "warnings": [str(note) for note in notes],
    }
    size = msg(
        "Forecast size: {size} MB, {kind}",
        size=_mb(forecast.bytes),
        kind=msg("exact") if forecast.exact else msg("estimate"),
    )
    default = msg("Default: {label}; {count} layers differ", label=plan.default.label, count=len(plan.layers))
    return Reply(body, lines=(default, size, *(trap.warning for trap in traps)), warnings=notes)


def devices_reply(seen: Seen) -> Reply:
    """The list, this computer first, and why no phone is in it."""
    document = [
        {
            "serial": d.serial,
            "model": d.model,
            "abi": d.abi,
            "state": d.state.value,
            "hint": str(d.hint) if d.hint else None,
        }
        for d in seen.devices
    ]
    rows = tuple((d.serial, d.model, d.abi, d.state.value, d.hint or "") for d in seen.devices)
    heads = (msg("Serial"), msg("Device"), msg("ABI"), msg("State"), msg("What to do"))
    lines = tuple(line for line in (seen.problem, seen.hint) if line is not None)
    return Reply(document, lines=lines, table=Table(heads, rows))


def clean_reply(cleaned: Cleaned) -> Reply:
    """What was removed."""
    line = msg("Removed {folder} from {device}", folder=cleaned.folder, device=cleaned.serial)
    return Reply(codec.document(CLEAN_SCHEMA, cleaned), lines=(line,))


def _short(value: float) -> str:
    return f"{value:.3g}"


def _mb(size: int) -> float:
    return round(size / _MB, 2)
