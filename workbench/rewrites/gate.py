"""The gate: a rewritten model counts only where it computes what the original computes, and the engine agrees.

onnxruntime on the rewritten model is compared with onnxruntime on the original first; then the engine
on the rewritten model is held against the original's reference, by the rules of every verification.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import Limits
from workbench.children.workers import Workers
from workbench.core.artifact import Rewrite
from workbench.core.messages import msg
from workbench.core.steps import Context
from workbench.core.verdict import Answer
from workbench.engines.comparison import Comparison
from workbench.engines.judge import judge
from workbench.engines.mnn.run import Row
from workbench.engines.ort.reference import NoReference, Reference
from workbench.engines.trial import Remedied, Task, Trial, gate, own_folder, reference_of, try_model
from workbench.engines.verify import MAX_ERROR
from workbench.rewrites.rewrite import NotRewritten, Rewritten, RuleInfo, all_rules, rewrite_model

_WORKER: Final = "workbench.rewrites.proof_worker"
_LIMITS: Final = Limits(seconds=1800.0, rss_bytes=16 << 30)
_MOST_TRIALS: Final = 6
"""After the first: each may take a conversion and its verification."""
_MOST_FAULTS: Final = 4
_PLACE: Final = ("case", "output")


def remedy(
    task: Task, trial: Trial, folder: Path, workers: Workers, ctx: Context, *, max_error: float = MAX_ERROR
) -> Remedied | None:
    """A rewritten model that is right, after ``trial`` said no to ``task``; None where none is found.

    Rules without a cost are tried first, then costly families, then all exact rules, then all but a family.
    Rules that are not exact are never part of it. ``folder``: an existing, private one on an ASCII
    path. ``max_error``: as for a verification. Raises Cancelled.
    """
    if trial.answer is Answer.UNVERIFIED or _costs_too_much(trial):
        return None
    own = own_folder(folder, "remedy")
    rules = tuple(rule for rule in all_rules(own_folder(own, "rules"), workers, ctx) if rule.exact)
    search = _Search(task, trial.reference, own, workers, ctx, max_error)
    free = tuple(rule for rule in rules if rule.effect is None)
    found = search.attempt(free)
    if isinstance(found, Remedied):
        return found
    costly = search.costly_families(rules)
    for chosen in islice(_candidates(rules, free, found, costly), _MOST_TRIALS):
        found = search.attempt(chosen)
        if isinstance(found, Remedied):
            return found
    return None


def _candidates(
    rules: Sequence[RuleInfo], free: Sequence[RuleInfo], applied: Sequence[str], costly: Sequence[str]
) -> Iterator[tuple[RuleInfo, ...]]:
    """What to try after the rules without a cost: costly families one by one, all, all but a family at a time."""
    if len(costly) > 1:
        for family in costly:
            yield tuple(rule for rule in rules if rule in free or rule.family == family)
    yield tuple(rules)
    for family in dict.fromkeys((*costly, *applied)):
        yield tuple(rule for rule in rules if rule.family != family)


def _costs_too_much(trial: Trial) -> bool:
    """Whether the engine is right and the plan is what is refused: no rewrite helps there."""
    figure = trial.verification.engine if trial.verification else None
    return figure is not None and figure.right


class _Search:
    """Candidates for one task, each in a folder of its own."""

    def __init__(
        self, task: Task, reference: Reference | None, folder: Path, workers: Workers, ctx: Context, max_error: float
    ) -> None:
        self._task = task
        self._reference: Reference | NoReference | None = reference
        self._folder = folder
        self._workers = workers
        self._ctx = ctx
        self._max_error = max_error
        self._count = 0
        self._tried: set[frozenset[tuple[str, str]]] = set()

    def attempt(self, rules: Sequence[RuleInfo]) -> Remedied | tuple[str, ...]:
        """A model rewritten by ``rules`` that passes, else the families of the rules that were applied."""
        self._count += 1
        own = own_folder(self._folder, f"candidate{self._count}")
        rewritten = self._rewritten(rules, own)
        found = None if isinstance(rewritten, NotRewritten) else self._passed(rewritten, own)
        if found is not None:
            return found
        shutil.rmtree(own, ignore_errors=True)  # as large as the model, some times over
        return () if isinstance(rewritten, NotRewritten) else _families(rewritten.applied)

    def _passed(self, rewritten: Rewritten, own: Path) -> Remedied | None:
        """What fails soonest comes first: operators, onnxruntime, the engine."""
        did = frozenset((rewrite.rule, rewrite.node) for rewrite in rewritten.applied)
        if not did or did in self._tried:
            return None
        self._tried.add(did)
        if gate(rewritten.model, self._workers, self._ctx) is not None:
            return None
        reference = self._reference or reference_of(self._task, self._folder, self._workers, self._ctx)
        self._reference = reference
        if isinstance(reference, NoReference):
            return None
        if not same_as_original(rewritten, reference, own_folder(own, "proof"), self._workers, self._ctx):
            return None
        task = replace(self._task, model=rewritten.model, source=rewritten.path)
        trial = try_model(
            task,
            own_folder(own, "trial"),
            self._workers,
            self._ctx,
            max_error=self._max_error,
            strict=True,
            reference=reference,
            original=self._task.source,
        )
        return Remedied(task, trial, rewritten.applied) if trial.answer.is_yes else None

    def costly_families(self, rules: Sequence[RuleInfo]) -> tuple[str, ...]:
        """The families of the rules with a cost that find something in the model."""
        own = own_folder(self._folder, "costly")
        rewritten = self._rewritten(rules, own)
        shutil.rmtree(own, ignore_errors=True)
        applied = () if isinstance(rewritten, NotRewritten) else rewritten.applied
        return _families([rewrite for rewrite in applied if rewrite.effect is not None])

    def _rewritten(self, rules: Sequence[RuleInfo], own: Path) -> Rewritten | NotRewritten:
        """The model rewritten by ``rules``, without those that fail on it."""
        chosen = {rule.id for rule in rules}
        for number in range(_MOST_FAULTS):
            folder = own_folder(own, f"rewritten{number}")
            rewritten = rewrite_model(self._task.source, chosen, folder, self._workers, self._ctx)
            if isinstance(rewritten, Rewritten):
                return rewritten
            self._ctx.line(str(rewritten.reason))
            if not rewritten.rule:
                break
            chosen.discard(rewritten.rule)
        return rewritten


def _families(rewrites: Iterable[Rewrite]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rewrite.rule.partition("/")[0] for rewrite in rewrites))


def same_as_original(rewritten: Rewritten, reference: Reference, folder: Path, workers: Workers, ctx: Context) -> bool:
    """Whether onnxruntime computes on the rewritten model what it computes on the original.

    On the usual inputs: at the ends of what an input may hold the engine's trial tells the conditions.
    ``folder``: an existing, private one. Raises Cancelled.
    """
    usual = [reference.cases[number] for number in reference.usual]
    cases = [{"inputs": dict(case.inputs), "outputs": dict(case.outputs)} for case in usual]
    ctx.progress(None, msg("Comparing the rewritten model with the original"))
    request = {"model": str(rewritten.path), "cases": cases}
    outcome = workers.run(_WORKER, "prove", request, folder, ctx, _LIMITS)
    if not outcome.ok:
        ctx.line(outcome.reason)
        return False
    judged = judge(tuple(_row(doc) for doc in outcome.result["rows"]))
    return bool(judged) and all(row.right for row in judged)


def _row(doc: dict[str, Any]) -> Row:
    figures = {key: value for key, value in doc.items() if key not in _PLACE}
    return Row(doc["case"], doc["output"], Comparison.read(figures))
