"""Verification: whether the engine's numbers are the reference's, and under which settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from workbench.children.outcome import End
from workbench.children.workers import Workers
from workbench.core.graph import Graph
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.core.verdict import Answer, Figure, Verification
from workbench.engines.attempts import Attempt, Attempts, Subject
from workbench.engines.comparison import WORDS
from workbench.engines.inputs import GIVEN, ORDINARY
from workbench.engines.judge import TOLERANCE, Judged, engine_figure, judge, price_figure
from workbench.engines.mnn.run import SESSION, DidNotRun, Feed, Setting
from workbench.engines.ort.reference import Case, NoReference, Reference, run_with_plan

MAX_ERROR: Final = 0.2
LEAST_INPUTS: Final = 5
CONVOLUTIONS: Final = ("Conv", "ConvTranspose")
_SETTINGS: Final = (Setting(), Setting(winograd=False), Setting(SESSION), Setting(SESSION, winograd=False))
_MODULE_ONLY: Final = "path=module"
_STOPS: Final = {End.CRASHED: Answer.CRASH, End.TIMED_OUT: Answer.HANG, End.OUT_OF_MEMORY: Answer.HANG}


@dataclass(frozen=True, slots=True)
class Verified:
    """The figures, and what led to them.

    ``wrong``: rows over their tolerance, worst first. ``witness``: an input on which the engine is right without an
    excuse, the user's if possible, with what is right for it; None where there is no such.
    """

    answer: Answer
    verification: Verification
    conditions: tuple[str, ...] = ()
    wrong: tuple[Judged, ...] = ()
    stopped: DidNotRun | None = None
    lines: tuple[str, ...] = ()
    witness: Feed | None = None


def verify(subject: Subject, folder: Path, workers: Workers, ctx: Context, *, max_error: float = MAX_ERROR) -> Verified:
    """Whether the converted model computes what the reference computes, by the rules of ``judge.py``.

    The engine's defaults are tried first, then without Winograd, then through a Session: what a right
    answer needs becomes its conditions. ``max_error``: the highest price, relative L2. ``folder``: an
    existing, private one on an ASCII path; what is made stays there. Raises Cancelled.
    """
    reference = subject.reference
    if reference.made_up < LEAST_INPUTS and subject.graph.inputs:
        return _unverified(msg("The reference accepts only {count} made-up inputs", count=reference.made_up))
    feeds = _feeds(subject, folder, workers, ctx)
    if isinstance(feeds, NoReference):
        return _unverified(feeds.reason)
    ctx.progress(None, msg("Comparing the engine with the reference"))
    return _search(subject, feeds, Attempts(subject, feeds, folder, workers, ctx), max_error)


def _feeds(subject: Subject, folder: Path, workers: Workers, ctx: Context) -> tuple[Feed, ...] | NoReference:
    """What the engine is fed and compared with: for a plan, the reference with the plan's weights."""
    cases = subject.reference.cases
    if not subject.converted.plan_weights:
        return tuple(Feed(case.inputs, case.outputs, {}) for case in cases)
    own = folder / "plan"
    own.mkdir()
    wanted = run_with_plan(subject.source, subject.converted.plan_weights, cases, own, workers, ctx)
    if isinstance(wanted, NoReference):
        return wanted
    return tuple(Feed(case.inputs, want, case.outputs) for case, want in zip(cases, wanted, strict=True))


def _search(subject: Subject, feeds: Sequence[Feed], attempts: Attempts, max_error: float) -> Verified:
    """The first setting under which all is right, else what is wrong under the defaults.

    After the defaults a setting is tried on the worst input first: most of them change nothing.
    """
    first: Attempt | None = None
    stopped: DidNotRun | None = None
    for setting in _settings(subject.graph):
        found = attempts.attempt(setting, None if first is None else (first.worst_case,))
        if first is not None and isinstance(found, Attempt) and found.right:
            found = attempts.attempt(setting)
        if isinstance(found, DidNotRun):
            stopped = stopped or found
            if found.end in (End.TIMED_OUT, End.OUT_OF_MEMORY):
                break  # each further setting would take as long
        elif found.right:
            conditions = _conditions(subject, found.setting, attempts)
            return replace(_right(subject, found, max_error, conditions), witness=_witness(found.judged, feeds))
        else:
            first = first or found
    if first is not None:
        return _wrong(subject, first, max_error)
    assert stopped is not None
    return _stopped(subject.reference, stopped)


def _settings(graph: Graph) -> Iterator[Setting]:
    """The settings that can matter: Winograd is for convolutions, a Session has no control flow."""
    convolves = any(node.op in CONVOLUTIONS for node in graph.all_nodes())
    for setting in _SETTINGS:
        if (setting.winograd or convolves) and not (setting.path == SESSION and graph.subgraphs):
            yield setting


def _conditions(subject: Subject, setting: Setting, attempts: Attempts) -> tuple[str, ...]:
    """What a right answer under ``setting`` needs, and what it does not cover."""
    agrees = setting.path == SESSION or _session_agrees(subject, setting, attempts)
    reference = subject.reference
    return (
        *setting.conditions,
        *(() if agrees else (_MODULE_ONLY,)),
        *_limits(reference, setting, attempts),
        *(f"untried={body}" for body in reference.untried),
        *(f"constant={output}" for output in reference.still),
    )


def _limits(reference: Reference, setting: Setting, attempts: Attempts) -> tuple[str, ...]:
    """The conditions of the inputs at their ends on which the engine is wrong, or ends: of each group the first."""
    limits: dict[str, str] = {}
    left = list(reference.extreme)
    while left:
        found = attempts.attempt(setting, left)
        if isinstance(found, Attempt):
            wrong = {row.row.case for row in found.wrong} | {failure.case for failure in found.failures}
            left = []
        else:
            wrong = set(left) if found.case is None else {found.case}
            left = [number for number in left if number not in wrong]
        for number in sorted(wrong):
            limits.setdefault(reference.cases[number].group, reference.cases[number].condition)
        left = [number for number in left if reference.cases[number].group not in limits]
    return tuple(limits.values())


def _session_agrees(subject: Subject, setting: Setting, attempts: Attempts) -> bool:
    """Whether the other path, which the agent takes by default, is right too: one input a size.

    The two differ in how they compute shapes and layouts, not in the arithmetic of an operator.
    """
    found = attempts.attempt(replace(setting, path=SESSION), _one_a_size(subject.reference))
    return isinstance(found, Attempt) and found.right


def _witness(judged: Sequence[Judged], feeds: Sequence[Feed]) -> Feed | None:
    """The first input, the user's before made-up ones, on which every output is held to the default tolerance.

    Else the first whose outputs are right by themselves, as a device's are judged: all nothing, for one.
    """
    cases: dict[int, list[Judged]] = {}
    for one in judged:
        cases.setdefault(one.row.case, []).append(one)
    usual = (case for case, rows in cases.items() if all(one.allowed == TOLERANCE for one in rows))
    alone = (case for case, rows in cases.items() if all(one.right for one in judge([one.row for one in rows])))
    chosen = next(usual, None)
    chosen = next(alone, None) if chosen is None else chosen
    return None if chosen is None else feeds[chosen]


def _one_a_size(reference: Reference) -> tuple[int, ...]:
    first: dict[int, int] = {}
    for number in reference.usual:
        first.setdefault(reference.cases[number].size, number)
    return tuple(first.values())


def _figures(subject: Subject, attempt: Attempt, max_error: float) -> tuple[Figure, Figure | None]:
    reference = subject.reference
    inputs, sizes = len(reference.usual), len({reference.cases[number].size for number in reference.usual})
    engine = engine_figure(attempt.judged, attempt.failures, inputs, sizes)
    if not subject.converted.plan_weights:
        return engine, None
    priced = _priced(subject.reference)
    rows = [row for row in attempt.price_rows if row.case in priced]
    failures = [failure for failure in attempt.failures if failure.case in priced]
    return engine, price_figure(rows, failures, len(priced), sizes, max_error)


def _priced(reference: Reference) -> frozenset[int]:
    """The inputs that set a plan's price: the user's own, else the ordinary ones of those made up.

    Ties, blanks and values far out find faults of the engine; what a plan costs on them says nothing.
    """
    given = frozenset(number for number, case in enumerate(reference.cases) if case.label == GIVEN)
    ordinary = (number for number, case in enumerate(reference.cases) if case.label in ORDINARY)
    return given or frozenset(ordinary) or frozenset(reference.usual)


def _right(subject: Subject, attempt: Attempt, max_error: float, conditions: tuple[str, ...]) -> Verified:
    engine, price = _figures(subject, attempt, max_error)
    if price is not None and not price.right:
        reason = _too_costly(subject.reference, f"{price.relative_l2:.3g}", f"{max_error:.3g}")
        return Verified(Answer.WRONG, Verification(engine, price, reason=reason), conditions)
    answer = Answer.OK_WITH_CONDITION if conditions else Answer.OK
    return Verified(answer, Verification(engine, price), conditions, lines=attempt.lines)


def _too_costly(reference: Reference, error: str, limit: str) -> Message:
    if any(case.label == GIVEN for case in reference.cases):
        return msg("The plan costs {error} relative L2 on your inputs; {limit} is allowed", error=error, limit=limit)
    return msg(
        "The plan costs {error} relative L2 on made-up inputs; {limit} is allowed. Real inputs (--inputs) tell better",
        error=error,
        limit=limit,
    )


def _wrong(subject: Subject, attempt: Attempt, max_error: float) -> Verified:
    engine, price = _figures(subject, attempt, max_error)
    reason = _reason(subject.reference, attempt)
    return Verified(Answer.WRONG, Verification(engine, price, reason=reason), (), attempt.wrong, None, attempt.lines)


def _reason(reference: Reference, attempt: Attempt) -> Message:
    wrong = attempt.wrong
    if attempt.failures:
        failure = attempt.failures[0]
        return msg("{text} {where}", text=failure.text, where=_where(reference, failure.case))
    if not wrong:
        return msg("The model has no output to compare")
    row = wrong[0].row
    where = _where(reference, row.case)
    if row.comparison.fault:
        return msg(
            "Output {output} differs in {what} {where}: {detail}",
            output=row.output,
            what=WORDS[row.comparison.fault],
            where=where,
            detail=row.comparison.detail,
        )
    if wrong[0].place is not None:
        axis, index = wrong[0].place
        return msg(
            "Output {output} is off by {error} of the largest value of its part {index} on axis {axis} {where}; "
            "{allowed} is allowed",
            output=row.output,
            error=f"{wrong[0].error:.3g}",
            index=index,
            axis=axis,
            allowed=f"{wrong[0].allowed:.3g}",
            where=where,
        )
    return msg(
        "Output {output} is off by {error} of its largest value {where}; {allowed} is allowed",
        output=row.output,
        error=f"{wrong[0].error:.3g}",
        allowed=f"{wrong[0].allowed:.3g}",
        where=where,
    )


def _where(reference: Reference, number: int) -> Message:
    """Which input, in words: "on input 'normal' (x 1x3x32x32)"."""
    case = reference.cases[number]
    shapes = ", ".join(
        f"{name} {'x'.join(map(str, dims)) or 'scalar'}" for name, dims in _sizes(reference, case).items()
    )
    return msg("on input '{label}' ({shapes})", label=case.label, shapes=shapes)


def _sizes(reference: Reference, case: Case) -> Mapping[str, tuple[int, ...]]:
    return reference.sizes[case.size]


def _stopped(reference: Reference, stopped: DidNotRun) -> Verified:
    answer = _STOPS.get(stopped.end, Answer.WRONG)
    reason = stopped.reason
    if stopped.case is not None:
        reason = msg("{reason} {where}", reason=reason, where=_where(reference, stopped.case))
    return Verified(answer, Verification(None, reason=reason), (), (), stopped, stopped.lines)


def _unverified(reason: Message) -> Verified:
    return Verified(Answer.UNVERIFIED, Verification(None, reason=reason))
