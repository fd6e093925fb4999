"""What a check says of a node and of a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from workbench.core.messages import Message, msg


class Status(StrEnum):
    """One node's verdict. Only a comparison of numbers gives RIGHT."""

    RIGHT = "right"
    CONDITION = "condition"
    WRONG = "wrong"
    CRASH = "crash"
    HANG = "hang"
    UNSUPPORTED = "unsupported"
    NOT_CHECKED = "not_checked"
    FIXED = "fixed"

    @property
    def word(self) -> Message:
        """The one word for people; the value is for programs."""
        return _STATUS_WORDS[self]

    @property
    def is_bad(self) -> bool:
        """Whether a model with such a node is a no."""
        return self in (Status.WRONG, Status.CRASH, Status.HANG, Status.UNSUPPORTED)


class Answer(StrEnum):
    """A model's verdict; OK and OK_WITH_CONDITION are a yes, everything else a no."""

    OK = "ok"
    OK_WITH_CONDITION = "ok_with_condition"
    REWRITABLE = "rewritable"
    UNSUPPORTED = "unsupported"
    WRONG = "wrong"
    CRASH = "crash"
    HANG = "hang"
    UNVERIFIED = "unverified"
    INVALID = "invalid"

    @property
    def is_yes(self) -> bool:
        return self in (Answer.OK, Answer.OK_WITH_CONDITION)

    @property
    def word(self) -> Message:
        """The answer in a word or two for people; the value is for programs."""
        return _ANSWER_WORDS[self]


_STATUS_WORDS: Final = {
    Status.RIGHT: msg("Right"),
    Status.CONDITION: msg("Condition"),
    Status.WRONG: msg("Wrong"),
    Status.CRASH: msg("Crash"),
    Status.HANG: msg("Hang"),
    Status.UNSUPPORTED: msg("Unsupported"),
    Status.NOT_CHECKED: msg("Not checked"),
    Status.FIXED: msg("Fixed"),
}
_ANSWER_WORDS: Final = {
    Answer.OK: msg("Right"),
    Answer.OK_WITH_CONDITION: msg("Right under a condition"),
    Answer.REWRITABLE: msg("Right once rewritten"),
    Answer.UNSUPPORTED: msg("Unsupported"),
    Answer.WRONG: msg("Wrong"),
    Answer.CRASH: msg("Crash"),
    Answer.HANG: msg("Hang"),
    Answer.UNVERIFIED: msg("Not verified"),
    Answer.INVALID: msg("Not a valid model"),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One node's status with its reason. ``evidence`` holds figures by name, as measured.

    ``fix``: what an exact rewrite would do; ``fix_effect``: what that costs in speed, or in layers that can
    be quantized, None where nothing.
    """

    node: str
    name: str
    op: str
    status: Status
    reason: Message | None = None
    evidence: Mapping[str, float | int | str] = field(default_factory=dict)
    fix: Message | None = None
    fix_effect: Message | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """How close two sets of outputs are, over every input and size tried.

    ``max_rel_error``: largest absolute error over the largest absolute reference value.
    ``relative_l2``: norm of the difference over the norm of the reference; the worst input counts.
    ``tolerance``: what ``max_rel_error`` may be. ``exact_failures``: integer or boolean outputs,
    shapes or non-finite positions that differ.
    """

    max_rel_error: float
    relative_l2: float
    cosine: float
    inputs: int
    sizes: int
    tolerance: float
    exact_failures: int = 0
    right: bool = False


@dataclass(frozen=True, slots=True)
class Verification:
    """``engine``: the engine against the reference given the plan's weights; None where it did not get so far.

    ``price``: against the float reference; None for a float artifact.
    """

    engine: Figure | None
    price: Figure | None = None
    first_diverging_node: str | None = None
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What ``check`` answers."""

    verdict: Answer
    shapes: Mapping[str, tuple[int, ...]]
    nodes: tuple[Verdict, ...]
    first_diverging_node: str | None
    verification: Verification | None
    engine_name: str
    engine_version: str
    reason: Message | None = None
    conditions: tuple[str, ...] = ()

    @property
    def is_rewritable(self) -> bool:
        """Whether the model is right once its nodes with a fix are rewritten, and not as it is."""
        return self.verdict is Answer.REWRITABLE

    def by_node(self, *, rewriting: bool = False) -> dict[str, Verdict]:
        """The verdicts by node id; with ``rewriting`` those of a model that is rewritten where that makes it right.

        The rewritten model was verified as a whole: a node that was wrong and has no fix of its own is mended
        by a rewrite around it.
        """
        fixes = rewriting and self.is_rewritable
        return {one.node: _fixed(one) if fixes else one for one in self.nodes}


def _fixed(verdict: Verdict) -> Verdict:
    mended = verdict.fix is not None or verdict.status.is_bad
    return replace(verdict, status=Status.FIXED) if mended else verdict


_CONDITIONS = {
    "path=module": msg("path=module: every run goes through MNN's Module; a Session fails or gives other numbers"),
    "path=session": msg("path=session: every run goes through MNN's Session; a Module fails or gives other numbers"),
    "winograd=off": msg(
        "winograd=off: every run does with the least of Winograd convolutions; they cost too much here"
    ),
}


# What inputs did not show, by the condition's form: the pattern's groups fill the sentence.
_LIMITS: Final = (
    (
        re.compile(r"range=(?P<input>.+) within (?P<low>\S+)\.\.(?P<high>\S+)"),
        msg(
            "{condition}: right only while input {input} holds values from {low} to {high}; beyond, the engine is wrong"
        ),
    ),
    (
        re.compile(r"finite=(?P<input>.+)"),
        msg("{condition}: right only while input {input} holds no NaN and no infinity"),
    ),
    (
        re.compile(r"zeros=(?P<input>.+) positive"),
        msg("{condition}: right only while input {input} holds no negative zero (-0.0)"),
    ),
    (
        re.compile(r"precision=(?P<input>.+) within 24 bits"),
        msg("{condition}: right only while 24 bits suffice for the values of input {input}; the engine has no doubles"),
    ),
    (
        re.compile(r"size=(?P<axis>.+) at least 1"),
        msg("{condition}: right only while axis {axis} is not empty"),
    ),
    (
        re.compile(r"untried=(?P<body>.+)"),
        msg("{condition}: no input was found that runs this part of the model, so nothing is known of its numbers"),
    ),
    (
        re.compile(r"constant=(?P<output>.+)"),
        msg("{condition}: output {output} held one and the same value on every input tried; real inputs tell better"),
    ),
)


def condition_in_words(condition: str) -> Message:
    """What an artifact's condition means for its runs."""
    if condition in _CONDITIONS:
        return _CONDITIONS[condition]
    for pattern, sentence in _LIMITS:
        if match := pattern.fullmatch(condition):
            return Message(sentence.template, (("condition", condition), *match.groupdict().items()))
    return Message("{condition}", (("condition", condition),))
