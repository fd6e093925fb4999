"""The step that rewrites a model: a child makes the file, and it is opened as any other."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import Limits, Outcome
from workbench.children.workers import Workers
from workbench.core.artifact import Rewrite
from workbench.core.errors import BadInput, InternalError
from workbench.core.graph import Model
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.formats.onnx.importer import open_onnx

_WORKER: Final = "workbench.rewrites.worker"
_LIMITS: Final = Limits(seconds=300.0, rss_bytes=16 << 30)
_FILE: Final = "rewritten.onnx"


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule as people see it; what it does is the child's business."""

    id: str
    title: Message
    exact: bool
    effect: Message | None

    @property
    def family(self) -> str:
        return self.id.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A model that was rewritten. ``model``: the file ``path``, opened again."""

    path: Path
    applied: tuple[Rewrite, ...]
    model: Model


@dataclass(frozen=True, slots=True)
class NotRewritten:
    """Why there is no rewritten model. ``rule``: the one without which there may be one, "" where none is known."""

    reason: Message
    lines: tuple[str, ...]
    rule: str = ""


def all_rules(folder: Path, workers: Workers, ctx: Context) -> tuple[RuleInfo, ...]:
    """Every rule. ``folder``: an existing, private one. Raises InternalError where the child fails, Cancelled."""
    outcome = workers.run(_WORKER, "rules", {}, folder, ctx, _LIMITS)
    if not outcome.ok:
        raise InternalError(_why(outcome))
    return tuple(
        RuleInfo(doc["rule"], _message(doc["title"]), doc["exact"], _optional(doc["effect"]))
        for doc in outcome.result["rules"]
    )


def rewrite_model(
    source: Path, rules: Collection[str], folder: Path, workers: Workers, ctx: Context
) -> Rewritten | NotRewritten:
    """Rewrite ``source`` by the rules with the ids ``rules``.

    ``folder``: an existing, private one on an ASCII path; the rewritten file stays there. Nodes keep
    their output names, so their ids mean the same in both models. Raises Cancelled.
    """
    ctx.progress(None, msg("Rewriting the graph"))
    request = {"model": str(source.absolute()), "rules": sorted(rules), "out": _FILE}
    outcome = workers.run(_WORKER, "rewrite", request, folder, ctx, _LIMITS)
    if not outcome.ok:
        return NotRewritten(_why(outcome), outcome.lines, outcome.details.get("rule", ""))
    path = folder / _FILE
    try:
        model = open_onnx(path, workers, ctx)
    except BadInput as error:
        return NotRewritten(msg("The rewritten model cannot be read: {reason}", reason=error.what), ())
    return Rewritten(path, tuple(_rewrite(doc) for doc in outcome.result["applied"]), model)


def _why(outcome: Outcome) -> Message:
    return msg("The graph could not be rewritten: {reason}", reason=outcome.reason)


def _rewrite(doc: dict[str, Any]) -> Rewrite:
    return Rewrite(
        doc["rule"],
        doc["node"],
        _message(doc["title"]),
        doc["exact"],
        _optional(doc["effect"]),
        tuple(doc["new"]),
    )


def _message(doc: list[Any]) -> Message:
    template, arguments = doc
    return Message(template, tuple((name, value) for name, value in arguments))


def _optional(doc: list[Any] | None) -> Message | None:
    return None if doc is None else _message(doc)
