"""Attempts at one converted model: a setting, some inputs, every output judged, noise measured where it matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from workbench.children.outcome import Limits
from workbench.children.workers import Workers
from workbench.core.graph import Graph
from workbench.core.steps import Context
from workbench.engines.inputs import GIVEN, OF_USUAL_SIZE
from workbench.engines.judge import Change, Judged, Ranges, judge, ranges_of
from workbench.engines.mnn.converted import Converted
from workbench.engines.mnn.run import DidNotRun, Failure, Feed, Row, Setting, run_model
from workbench.engines.ort.reference import NoReference, Reference, noise_changes

_LEAST_MEMORY: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Subject:
    """What is verified: ``source`` is the model that ``graph`` was read from.

    ``original``: the model that it was rewritten from, whose outputs are the reference's.
    """

    graph: Graph
    source: Path
    converted: Converted
    reference: Reference
    original: Path | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One setting's result. Case numbers are the reference's."""

    setting: Setting
    judged: tuple[Judged, ...]
    price_rows: tuple[Row, ...]
    failures: tuple[Failure, ...]
    lines: tuple[str, ...]

    @property
    def right(self) -> bool:
        return bool(self.judged) and not self.failures and all(row.right for row in self.judged)

    @property
    def wrong(self) -> tuple[Judged, ...]:
        """Rows over their tolerance, the worst first."""
        rows = [row for row in self.judged if not row.right]
        return tuple(sorted(rows, key=lambda row: (row.closeness, row.error), reverse=True))

    @property
    def worst_case(self) -> int:
        """The input on which it is the most wrong."""
        return self.failures[0].case if self.failures else self.wrong[0].row.case


def run_limits(reference: Reference) -> Limits:
    """What the engine may take where the reference took so much: beyond it, it hangs or grows without end."""
    return Limits(seconds=20.0 + 30.0 * reference.seconds, rss_bytes=_LEAST_MEMORY + 8 * reference.peak_rss_bytes)


class Attempts:
    """Runs one subject. ``folder``: an existing, private one; each job gets a folder of its own in it."""

    def __init__(self, subject: Subject, feeds: Sequence[Feed], folder: Path, workers: Workers, ctx: Context) -> None:
        self._subject = subject
        self._feeds = feeds
        self._folder = folder
        self._workers = workers
        self._ctx = ctx
        self._jobs = 0
        self._noise: dict[tuple[int, str], Change] = {}
        self._ranges: Ranges | None = None

    def attempt(self, setting: Setting, numbers: Sequence[int] | None = None) -> Attempt | DidNotRun:
        """Run the inputs ``numbers`` (all usual ones by default) under ``setting`` and judge every output."""
        chosen = self._subject.reference.usual if numbers is None else numbers
        graph = self._subject.graph
        ran = run_model(
            self._subject.converted.path,
            [tensor.name for tensor in graph.inputs],
            [tensor.name for tensor in graph.outputs],
            setting,
            [self._feeds[number] for number in chosen],
            self._own(),
            self._workers,
            self._ctx,
            run_limits(self._subject.reference),
        )
        if isinstance(ran, DidNotRun):
            return ran if ran.case is None else replace(ran, case=chosen[ran.case])
        rows = tuple(replace(row, case=chosen[row.case]) for row in ran.rows)
        prices = tuple(replace(row, case=chosen[row.case]) for row in ran.price_rows)
        failures = tuple(replace(failure, case=chosen[failure.case]) for failure in ran.failures)
        if numbers is None and self._ranges is None:
            self._ranges = ranges_of(self._ordinary(rows) or rows)
        return Attempt(setting, self._judged(rows, excusable=not failures), prices, failures, ran.lines)

    def _ordinary(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """Rows of inputs as in use: one value far out must not widen what is allowed for all others."""
        cases = self._subject.reference.cases
        return tuple(row for row in rows if cases[row.case].label in {GIVEN, *OF_USUAL_SIZE})

    def _judged(self, rows: tuple[Row, ...], *, excusable: bool) -> tuple[Judged, ...]:
        """The rows against their tolerances; noise is measured on the worst input, then on the others if it helps."""
        judged = self._against(rows)
        if not excusable or any(row.row.comparison.fault for row in judged):
            return judged
        for most in (1, len(self._feeds)):
            wrong = sorted((row for row in judged if not row.right), key=lambda row: row.closeness, reverse=True)
            cases = tuple(dict.fromkeys(row.row.case for row in wrong))[:most]
            if not cases or not self._measure(cases):
                break
            judged = self._against(rows)
            if any(not row.right for row in judged if row.row.case in cases):
                break
        return judged

    def _against(self, rows: tuple[Row, ...]) -> tuple[Judged, ...]:
        """Each row against its tolerance: an input at its ends is measured by itself, not by ordinary ones."""
        extreme = frozenset(self._subject.reference.extreme)
        alone = [None if row.case in extreme else self._ranges for row in rows]
        return tuple(
            judged for row, ranges in zip(rows, alone, strict=True) for judged in judge((row,), self._noise, ranges)
        )

    def _measure(self, numbers: Sequence[int]) -> bool:
        """Measure the reference's own change on some cases; False where all is known or it cannot say."""
        unknown = [number for number in numbers if not any(case == number for case, _ in self._noise)]
        if not unknown:
            return False
        subject = self._subject
        cases = [replace(subject.reference.cases[n], outputs=self._feeds[n].want) for n in unknown]
        weights = subject.converted.plan_weights
        # What a rewrite adds must not excuse it; a plan's weights have the names of the rewritten model.
        source = subject.original if subject.original is not None and not weights else subject.source
        found = noise_changes(source, weights, cases, self._own(), self._workers, self._ctx)
        if isinstance(found, NoReference):
            self._ctx.line(str(found.reason))
            return False
        for number, changes in zip(unknown, found, strict=True):
            self._noise.update({(number, output): change for output, change in changes.items()})
        return True

    def _own(self) -> Path:
        self._jobs += 1
        own = self._folder / f"job{self._jobs}"
        own.mkdir()
        return own
