"""The child that rewrites models."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any, Final

from workbench.children.serve import Job, Refusal
from workbench.core.messages import Message
from workbench.rewrites import catalogue, finish, prepare
from workbench.rewrites.build import Constants, Names
from workbench.rewrites.families import graph, types
from workbench.rewrites.sweep import RuleFailed, Sweep, Trace

RULE_FAILED: Final = "rule_failed"


def rewrite(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Rewrite ``model`` by the rules whose ids are in ``rules`` into the file ``out`` of the job's folder.

    Returns {"applied": for each rule and original node {"rule", "node", "title", "exact", "effect", "new"}}.
    Refuses with "rule_failed" and the "rule" at fault.
    """
    chosen = frozenset(request["rules"])
    model, done = prepare.prepared(Path(request["model"]), chosen)
    names = Names(_all_names(model))
    rules = catalogue.by_operator(tuple(rule for rule in catalogue.RULES if rule.id in chosen))
    folds = graph.CONSTANTS.id in chosen
    sweep = Sweep(model, rules, names, Constants(model.graph, names), folds=folds)
    try:
        sweep.run()
    except RuleFailed as no:
        traceback.print_exception(no)
        raise Refusal(RULE_FAILED, str(no), rule=no.rule.id) from no
    done += [graph.CONSTANTS] if sweep.folded else []
    finish.tidy(model)
    done += types.demote(model, chosen)
    applied = [_told(trace) for trace in (*(Trace(rule, "") for rule in done), *sweep.told())]
    finish.write(model, job.folder / request["out"])
    return {"applied": applied}


def rules(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Every rule: {"rules": [{"rule", "title", "exact", "effect"}]}."""
    return {
        "rules": [
            {"rule": rule.id, "title": _plain(rule.title), "exact": rule.exact, "effect": _plain(rule.effect)}
            for rule in catalogue.RULES
        ]
    }


def _all_names(model: Any) -> set[str]:
    names: set[str] = set()
    for part in model.graphs():
        names |= {value.name for value in (*part.inputs, *part.initializers.values())}
        names |= {value.name for node in part for value in node.outputs if value.name}
    return names


def _told(trace: Trace) -> dict[str, Any]:
    rule = trace.rule
    return {
        "rule": rule.id,
        "node": trace.node,
        "title": _plain(rule.title),
        "exact": rule.exact,
        "effect": _plain(rule.effect),
        "new": trace.new,
    }


def _plain(message: Message | None) -> list[Any] | None:
    return None if message is None else [message.template, list(message.arguments)]


FUNCTIONS = {"rewrite": rewrite, "rules": rules}
