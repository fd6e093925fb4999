"""The step that runs a converted model on this computer and has its outputs compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import End, Limits, Outcome
from workbench.children.workers import Workers
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.engines.comparison import Comparison
from workbench.engines.mnn.strict_memory import CHECKED

_WORKER: Final = "workbench.engines.mnn.run_worker"
MODULE: Final = "module"
SESSION: Final = "session"
CASE_FILE: Final = "case.txt"
"""Where the worker leaves the number of the case that it is at."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How the engine runs the model: through Module or Session, with Winograd convolutions or without."""

    path: str = MODULE
    winograd: bool = True
    threads: int = 1

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a run must keep for the numbers to be these; nothing for the defaults."""
        path = () if self.path == MODULE else (f"path={self.path}",)
        return (*path, *(() if self.winograd else ("winograd=off",)))

    @classmethod
    def kept(cls, conditions: Sequence[str], *, path: str = MODULE) -> Setting:
        """The setting of a run that keeps ``conditions``. ``path`` where they leave it open: both are right then."""
        told = {name: value for name, _, value in (condition.partition("=") for condition in conditions)}
        return cls(told.get("path", path), told.get("winograd") != "off")


@dataclass(frozen=True, slots=True)
class Feed:
    """One case for the engine: .npy files by tensor name. ``price`` is empty where none is asked for.

    ``inner``: tensors that are outputs only to be looked at: axes of size 1 at their end do not count.
    """

    inputs: Mapping[str, str]
    want: Mapping[str, str]
    price: Mapping[str, str]
    inner: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Row:
    """One output of one case."""

    case: int
    output: str
    comparison: Comparison

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Row:
        """The inverse of what a worker writes: ``case`` and ``output`` beside the comparison's figures."""
        figures = {key: value for key, value in document.items() if key not in ("case", "output")}
        return cls(document["case"], document["output"], Comparison.read(figures))


@dataclass(frozen=True, slots=True)
class Failure:
    """A case for which the engine computed nothing."""

    case: int
    text: str


@dataclass(frozen=True, slots=True)
class Ran:
    """``rows`` against ``want``, ``price_rows`` against ``price``."""

    load_ms: float
    rows: tuple[Row, ...]
    price_rows: tuple[Row, ...]
    failures: tuple[Failure, ...]
    lines: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class DidNotRun:
    """The engine's process ended, or it does not load the model.

    ``signal``: "SIGSEGV" and the like. ``case``: the one it was at, None before the first.
    """

    end: End
    reason: Message
    lines: tuple[str, ...]
    signal: str = ""
    case: int | None = None


def run_model(
    artifact: Path,
    inputs: Sequence[str],
    outputs: Sequence[str],
    setting: Setting,
    feeds: Sequence[Feed],
    folder: Path,
    workers: Workers,
    ctx: Context,
    limits: Limits,
) -> Ran | DidNotRun:
    """Run ``artifact`` (on an ASCII path) on every one of ``feeds``, loaded once. ``folder`` must exist.

    Memory faults of the engine end in a crash (see ``strict_memory.py``). Raises Cancelled.
    """
    request = {
        "model": str(artifact),
        "inputs": list(inputs),
        "outputs": list(outputs),
        "path": setting.path,
        "winograd": setting.winograd,
        "threads": setting.threads,
        "cases": [_case(feed) for feed in feeds],
    }
    outcome = workers.run(_WORKER, "run", request, folder, ctx, limits, environment=CHECKED)
    if not outcome.ok:
        return _did_not_run(outcome, folder)
    result = outcome.result
    failures = tuple(Failure(doc["case"], doc["text"]) for doc in result["failures"])
    return Ran(
        result["load_ms"],
        tuple(map(Row.read, result["rows"])),
        tuple(map(Row.read, result["price_rows"])),
        failures,
        outcome.lines,
        outcome.seconds,
    )


def _case(feed: Feed) -> dict[str, Any]:
    return {
        "inputs": dict(feed.inputs),
        "want": dict(feed.want),
        "price": dict(feed.price),
        "inner": sorted(feed.inner),
    }


def _did_not_run(outcome: Outcome, folder: Path) -> DidNotRun:
    match outcome.end:
        case End.REFUSED:
            reason = msg("The engine does not load its own converter's model")
        case End.CRASHED:
            reason = msg("The engine crashed ({signal})", signal=outcome.signal_name)
        case End.TIMED_OUT:
            reason = msg("The engine did not finish in {seconds} s", seconds=round(outcome.seconds))
        case End.OUT_OF_MEMORY:
            reason = msg("The engine does not end: it had grown to {mb} MB", mb=outcome.peak_rss_bytes >> 20)
        case _:
            reason = msg("The engine could not be run: {reason}", reason=outcome.text)
    at = folder / CASE_FILE
    case = int(at.read_text()) if at.is_file() else None
    return DidNotRun(outcome.end, reason, outcome.lines, outcome.signal_name, case)
