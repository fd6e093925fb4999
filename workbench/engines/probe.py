"""A piece of a model put to the test by itself: converted, run, compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.children.outcome import End, Limits
from workbench.children.workers import Workers
from workbench.core.graph import Graph, Model
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.core.steps import Context
from workbench.core.verdict import Status
from workbench.engines.comparison import WORDS
from workbench.engines.judge import Judged, judge
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import NotConverted, WhyNot
from workbench.engines.mnn.run import DidNotRun, Feed, Setting, run_model
from workbench.engines.mnn.strict_memory import PATTERN

LIMITS: Final = Limits(seconds=20.0, rss_bytes=2 << 30)
"""For a piece: the ONNX node tests convert and run in under a second each."""

_NOT_CONVERTED: Final = {
    WhyNot.CRASHED: Status.CRASH,
    WhyNot.OUT_OF_MEMORY: Status.CRASH,
    WhyNot.TIMED_OUT: Status.HANG,
    WhyNot.UNSUPPORTED: Status.UNSUPPORTED,
    WhyNot.FAILED: Status.UNSUPPORTED,
}
_DID_NOT_RUN: Final = {End.CRASHED: Status.CRASH, End.OUT_OF_MEMORY: Status.HANG, End.TIMED_OUT: Status.HANG}
_NO_GRAPH: Final = Graph("", "", (), (), (), (), {})


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a piece. ``judged``: every output that could be compared; ``what`` says what went wrong."""

    status: Status
    what: Message | None = None
    judged: tuple[Judged, ...] = ()

    @property
    def worst(self) -> Judged | None:
        return max(self.judged, key=lambda j: (j.closeness, j.error), default=None)

    @property
    def is_right(self) -> bool:
        return self.status in (Status.RIGHT, Status.CONDITION)


def probe(
    file: Path,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    folder: Path,
    workers: Workers,
    ctx: Context,
    *,
    inner: frozenset[str],
    settings: Sequence[Setting] = (Setting(),),
    limits: Limits = LIMITS,
) -> Finding:
    """Whether the engine computes ``outputs`` from ``inputs`` (.npy files by name) with the model in ``file``.

    ``folder`` must exist, on an ASCII path, and be this probe's alone. ``settings`` are tried until one
    is right, the later ones where the first is only inexact. ``inner``: outputs that are none of the
    model's own (see ``Feed``).
    """
    piece = Model(str(file), "onnx", file.stat().st_size, "", {}, _NO_GRAPH)
    converted = convert_model(piece, file, QuantPlan(), folder, workers, ctx, limits=limits, environment=PATTERN)
    if isinstance(converted, NotConverted):
        return Finding(_NOT_CONVERTED.get(converted.why, Status.WRONG), converted.what)
    first: Finding | None = None
    for number, setting in enumerate(settings):
        own = folder / f"run{number}"
        own.mkdir()
        feeds = [Feed(inputs, outputs, {}, inner)]
        ran = run_model(converted.path, list(inputs), list(outputs), setting, feeds, own, workers, ctx, limits)
        if isinstance(ran, DidNotRun):
            return first or Finding(_DID_NOT_RUN.get(ran.end, Status.WRONG), ran.reason)
        if ran.failures:
            return first or Finding(Status.WRONG, msg("{text}", text=ran.failures[0].text))
        judged = judge(ran.rows)
        if all(j.right for j in judged):
            return Finding(Status.CONDITION if setting.conditions else Status.RIGHT, None, judged)
        first = first or Finding(Status.WRONG, difference(judged), judged)
        if any(j.row.comparison.fault for j in judged):
            break
    assert first is not None
    return first


def difference(judged: tuple[Judged, ...]) -> Message:
    """The worst of what is not right, in words."""
    worst = max((j for j in judged if not j.right), key=lambda j: (j.closeness, j.error))
    if worst.row.comparison.fault:
        what, detail = WORDS[worst.row.comparison.fault], worst.row.comparison.detail
        return msg("It differs in {what}: {detail}", what=what, detail=detail)
    if worst.place is not None:
        axis, index = worst.place
        return msg(
            "It is off by {error} of the largest value of its part {index} on axis {axis}",
            error=f"{worst.error:.3g}",
            index=index,
            axis=axis,
        )
    return msg("It is off by {error} of its largest value", error=f"{worst.error:.3g}")
