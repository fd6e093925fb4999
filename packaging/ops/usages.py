"""From measured tests to the usages that fail: conditions that hold in failing tests and in no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from measure import RIGHT, Measured

from workbench.engines.op_conditions import AND
from workbench.engines.op_table import Known

_EXAMPLES: Final = 3
_LONGEST: Final = 60
# What an exporter chose explains more than what the data are: types and ranks come after everything else.
_KINDS: Final = ("value", "attribute", "input", "outputs", "dtype", "rank")
_DATA: Final = _KINDS.index("dtype")


def entry(rows: Sequence[Measured]) -> dict[str, Any]:
    """What the table says of one operator."""
    right = sum(row.outcome == RIGHT for row in rows)
    document: dict[str, Any] = {"status": _status(rows), "tests": len(rows), "right": right}
    if found := _usages(rows):
        document["usages"] = found
    return document


def _status(rows: Sequence[Measured]) -> str:
    outcomes = Counter(row.outcome for row in rows)
    if outcomes[RIGHT] == len(rows):
        return Known.SUPPORTED
    if outcomes[RIGHT]:
        return Known.CONDITION
    return outcomes.most_common(1)[0][0]


def _usages(rows: Sequence[Measured]) -> list[dict[str, Any]]:
    """The fewest conditions that explain the failing tests, those with the most tests first; the rest without one."""
    left = [row for row in rows if row.outcome != RIGHT]
    usages = []
    while found := _best(left, rows):
        condition, covered = found
        usages.append(_usage(condition, covered))
        left = [row for row in left if row not in covered]
    outcomes = sorted({row.outcome for row in left})
    return usages + [_usage("", [row for row in left if row.outcome == outcome]) for outcome in outcomes]


def _best(left: Sequence[Measured], rows: Sequence[Measured]) -> tuple[str, list[Measured]] | None:
    """The condition under which every test fails in one way and most of ``left`` do; None where there is no such."""
    if all(row.outcome != RIGHT for row in rows):
        return None  # the operator fails as such
    single = {condition for row in left for condition in row.holds}
    pairs = {pair for row in left for pair in _pairs(row)}
    for candidates in (single, pairs):
        pure = [(condition, _covered(condition, left)) for condition in sorted(candidates) if _is_pure(condition, rows)]
        if pure:
            return max(pure, key=_telling)
    return None


def _pairs(row: Measured) -> Iterator[str]:
    """How it is used on what data, or two facts of the data."""
    data = [condition for condition in row.holds if _rank(condition) >= _DATA]
    used = [condition for condition in row.holds if _rank(condition) < _DATA and not condition.startswith("no ")]
    return (f"{one}{AND}{other}" for one, other in product((*used, *data), data) if one != other)


def _covered(condition: str, rows: Sequence[Measured]) -> list[Measured]:
    parts = condition.split(AND)
    return [row for row in rows if all(part in row.holds for part in parts)]


def _is_pure(condition: str, rows: Sequence[Measured]) -> bool:
    """Whether every test with it fails: some on some values only, but none on one of the two paths only."""
    outcomes = {row.outcome for row in _covered(condition, rows)}
    return RIGHT not in outcomes and (Known.CONDITION not in outcomes or len(outcomes) == 1)


def _telling(found: tuple[str, list[Measured]]) -> tuple[bool, int, int, int]:
    """The better explanation is the larger."""
    condition, covered = found
    rank = _rank(condition.split(AND)[0])
    return rank < _DATA, len(covered), -rank, -len(condition)


def _rank(condition: str) -> int:
    words = condition.removeprefix("no ").split()
    if words[0] != "input":
        if words[0] == "outputs":
            return _KINDS.index("outputs")
        return _KINDS.index("attribute" if words == [condition] and "=" not in condition else "value")
    if "rank" in words:
        return _KINDS.index("rank")
    return _KINDS.index("input" if len(words) == 2 or words[2] == "variable" else "dtype")


def _usage(condition: str, rows: Sequence[Measured]) -> dict[str, Any]:
    """Wrong on some values only where no test failed on its own."""
    failed = [row for row in rows if row.outcome != Known.VALUES] or rows
    outcome = Counter(row.outcome for row in failed).most_common(1)[0][0]
    examples = [f"{row.name.removeprefix('test_')}: {row.detail[:_LONGEST]}" for row in failed[:_EXAMPLES]]
    return {"when": condition, "status": outcome, "tests": len(rows), "evidence": examples}
