"""What is known of the engine's operators before anything runs: measured once for a version, kept as data.

``packaging/ops`` makes ``resources/ops/mnn-VERSION.json`` by running the ONNX node tests and sweeps of
attributes, types and ranks against the installed engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from workbench.core.graph import Graph, Node
from workbench.core.messages import Message, msg
from workbench.core.places import resources
from workbench.core.verdict import Status, Verdict
from workbench.engines.causes import cause_of
from workbench.engines.mnn.refused import STANDARD_DOMAINS
from workbench.engines.mnn.version import engine_version
from workbench.engines.op_conditions import Condition, Place, condition, constants_of

SCHEMA: Final = "workbench.ops/1"


class Known(StrEnum):
    """What the table says of an operator or of one usage of it.

    CONDITION of an operator: some usages fail; of a usage: one of the engine's two paths is right.
    VALUES: the test's own inputs come out right, others of the same shapes do not.
    """

    SUPPORTED = "supported"
    CONDITION = "condition"
    VALUES = "values"
    WRONG = "wrong"
    CRASH = "crash"
    HANG = "hang"
    UNSUPPORTED = "unsupported"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True)
class Usage:
    """A way to use an operator that fails. ``when`` is "" where no condition tells it from one that works.

    ``tests``: how many tests show it. ``evidence``: some of them, with what went wrong.
    """

    when: str
    status: Known
    tests: int
    evidence: tuple[str, ...]
    holds: Condition


@dataclass(frozen=True, slots=True)
class Entry:
    """An operator: of ``tests`` tests ``right`` came out right."""

    status: Known
    tests: int
    right: int
    usages: tuple[Usage, ...]


@dataclass(frozen=True, slots=True)
class OpTable:
    """By operator, other domains as "domain::op". What is not in ``ops`` the converter refuses."""

    engine: str
    onnx: str
    ops: Mapping[str, Entry]


def table_file(version: str) -> Path:
    return resources() / "ops" / f"mnn-{version}.json"


@cache
def op_table(version: str) -> OpTable | None:
    """The table of that version of the engine; None where none was measured."""
    file = table_file(version)
    return read_table(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


def read_table(document: Mapping[str, Any]) -> OpTable:
    """Raises KeyError or ValueError for a document that is no table, or holds a condition that is none."""
    entries = {
        op: Entry(Known(doc["status"]), doc["tests"], doc["right"], tuple(map(_usage, doc.get("usages", ()))))
        for op, doc in document["ops"].items()
    }
    return OpTable(document["engine"], document["onnx"], entries)


def _usage(doc: Mapping[str, Any]) -> Usage:
    when = doc["when"]
    return Usage(when, Known(doc["status"]), doc["tests"], tuple(doc["evidence"]), condition(when) if when else _never)


def static_verdicts(graph: Graph, version: str | None = None) -> tuple[Verdict, ...] | None:
    """What the table says of every node, those of subgraphs after those that hold them.

    Nothing is called right: only a comparison of numbers does that. None where the engine's version
    has no table.
    """
    table = op_table(version or engine_version())
    return None if table is None else tuple(_verdicts(graph, table, frozenset()))


def without_table(graph: Graph, known: frozenset[str]) -> tuple[Verdict, ...]:
    """What is left to say of every node for an engine that was not measured. ``known``: the converter's operators."""
    untested = {op: Entry(Known.UNTESTED, 0, 0, ()) for op in known}
    return tuple(_verdicts(graph, OpTable("", "", untested), frozenset()))


def _verdicts(graph: Graph, table: OpTable, outer: frozenset[str]) -> Iterator[Verdict]:
    constants = outer | constants_of(graph)
    for node in graph.nodes:
        yield _verdict(Place(node, graph, constants), table)
    for body in graph.subgraphs:
        yield from _verdicts(body.graph, table, constants)


def full_name(node: Node) -> str:
    """The operator, with its domain where that is not the standard's."""
    return node.op if node.domain in STANDARD_DOMAINS else f"{node.domain}::{node.op}"


def _verdict(place: Place, table: OpTable) -> Verdict:
    node = place.node
    key = full_name(node)
    entry = table.ops.get(key)
    if entry is None or entry.status is Known.UNSUPPORTED:
        return Verdict(node.id, node.name, node.op, Status.UNSUPPORTED, msg("The converter does not know {op}", op=key))
    usage = next((usage for usage in entry.usages if usage.holds(place)), None)
    known = entry.status if usage is None else usage.status
    status = Status.NOT_CHECKED if usage is None and known is Known.CONDITION else _STATUS[known]
    cause = cause_of(node, place.graph, constants=place.constants)
    if cause is not None:
        reason = msg("May fail: {cause}", cause=cause) if status is Status.NOT_CHECKED else cause
    elif usage is not None:
        reason = Message(_USAGES[usage.status].template, (("condition", usage.when),))
    else:
        reason = Message(_OPERATORS[entry.status].template, (("right", entry.right), ("tests", entry.tests)))
    return Verdict(node.id, node.name, node.op, status, reason, _evidence(entry, usage))


def _evidence(entry: Entry, usage: Usage | None) -> dict[str, float | int | str]:
    if usage is None:
        return {"tests": entry.tests, "tests_right": entry.right}
    return {"condition": usage.when, "tests": usage.tests, "example": next(iter(usage.evidence), "")}


_STATUS: Final = {
    Known.SUPPORTED: Status.NOT_CHECKED,
    Known.UNTESTED: Status.NOT_CHECKED,
    Known.VALUES: Status.NOT_CHECKED,
    Known.CONDITION: Status.CONDITION,
    Known.WRONG: Status.WRONG,
    Known.CRASH: Status.CRASH,
    Known.HANG: Status.HANG,
    Known.UNSUPPORTED: Status.UNSUPPORTED,
}
_USAGES: Final = {
    Known.VALUES: msg("May fail: wrong on some values in tests with {condition}"),
    Known.CONDITION: msg("Right on one of the engine's two paths only, in tests with {condition}"),
    Known.WRONG: msg("Wrong in every test with {condition}"),
    Known.CRASH: msg("The engine crashes in every test with {condition}"),
    Known.HANG: msg("The engine does not end in any test with {condition}"),
    Known.UNSUPPORTED: msg("The converter refuses every test with {condition}"),
}
_OPERATORS: Final = {
    Known.SUPPORTED: msg("Supported: right in all of {tests} tests"),
    Known.UNTESTED: msg("The converter knows it; no test tells how well"),
    Known.VALUES: msg("May fail: wrong on some values in most of {tests} tests"),
    Known.CONDITION: msg("Supported: right in {right} of {tests} tests; no usage that is known to fail"),
    Known.WRONG: msg("Right in none of {tests} tests"),
    Known.CRASH: msg("The engine crashes in each of {tests} tests"),
    Known.HANG: msg("The engine does not end in any of {tests} tests"),
}


def _never(_: Place) -> bool:
    return False
