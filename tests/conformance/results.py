"""Results as JSON lines, one file a form, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.conformance.trial import Result


def read(file: Path) -> tuple[Result, ...]:
    """What is in ``file`` already; a last line that was cut off does not count."""
    return tuple(_results(file.read_text(encoding="utf-8").splitlines())) if file.is_file() else ()


def _results(lines: Iterable[str]) -> Iterator[Result]:
    for line in lines:
        try:
            document = json.loads(line)
        except ValueError:
            continue
        yield Result(**{key: tuple(value) if isinstance(value, list) else value for key, value in document.items()})


def append(file: Path, result: Result) -> None:
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(asdict(result), sort_keys=True) + "\n")


def summary(results: Sequence[Result]) -> str:
    """A table by operator for those that are not all yes, then the totals, lies, and needless noes."""
    verdicts = sorted({result.verdict for result in results})
    rows = [("operator", "tests", *verdicts, "lies", "alarms", "luck")]
    ops = sorted({result.op for result in results})
    rows += [_row(op, [result for result in results if result.op == op], verdicts) for op in ops]
    rows.append(_row("all", results, verdicts))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    table = ["  ".join(word.rjust(width) for word, width in zip(row, widths, strict=True)) for row in rows]
    lies = [
        f"LIE {r.name}: {'; '.join(r.faults)}{'' if r.steady else ' (not in a second run)'}"
        for r in results
        if r.is_lie
    ]
    alarms = [f"no though right {r.name}: {r.verdict}: {r.reason}" for r in results if r.is_alarm]
    spent = sum(result.seconds for result in results) / max(1, len(results))
    return "\n".join([*table, *lies, *alarms, f"{spent:.2f} s a test"])


def _row(title: str, results: Sequence[Result], verdicts: Sequence[str]) -> tuple[str, ...]:
    counts = [sum(result.verdict == verdict for result in results) for verdict in verdicts]
    numbers = (
        len(results),
        *counts,
        sum(r.is_lie for r in results),
        sum(r.is_alarm for r in results),
        sum(r.is_right_by_luck for r in results),
    )
    return (title, *(str(number or "") for number in numbers))
