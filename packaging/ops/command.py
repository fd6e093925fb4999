"""The command: what is measured, and what is made of it."""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from document import spelled
from measure import Measured, measure_all
from sweeps import all_tests
from usages import entry

from tests.conformance.node_tests import NodeTest, applicable, plain_name
from tests.conformance.suite import chosen
from workbench.children.workers import Workers
from workbench.core.steps import Quiet
from workbench.engines.mnn.op_list import supported_ops
from workbench.engines.mnn.version import engine_version
from workbench.engines.op_table import Known, table_file


def main(description: str) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python packaging/ops", description=description)
    parser.add_argument("--work", type=Path, help="where measurements are kept")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    asked = parser.parse_args()
    work = asked.work or Path(tempfile.mkdtemp(prefix="op-table-"))
    work.mkdir(parents=True, exist_ok=True)
    rows = measure_all(_tests(), work / f"mnn-{engine_version()}.jsonl")
    file = table_file(engine_version())
    new = spelled(engine_version(), _entries(rows))
    old = file.read_text(encoding="utf-8") if file.is_file() else ""
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "kept", "measured", n=1))
    if asked.check:
        return int(old != new)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(new, encoding="utf-8")
    return 0


def _tests() -> Iterator[tuple[NodeTest, str]]:
    """Every node test that is no function written out, with parameters constant and as they are; then the sweeps."""
    for test in applicable(tuple(name for name in chosen() if plain_name(name) == name)):
        yield test, "constants"
        yield test, "inputs"
    for test in all_tests():
        yield test, "inputs"


def _entries(rows: tuple[Measured, ...]) -> dict[str, dict[str, object]]:
    """By operator; those that the converter knows and no test is about are told as such."""
    with Workers() as workers:
        known = supported_ops(workers, Quiet())
    entries: dict[str, dict[str, object]] = {
        op: {"status": Known.UNTESTED, "tests": 0, "right": 0} for op in sorted(known)
    }
    for op in sorted({row.op for row in rows}):
        own = list({(row.name, row.holds): row for row in rows if row.op == op}.values())  # forms may be the same
        entries[op] = entry(own) if op in known else {"status": Known.UNSUPPORTED, "tests": len(own), "right": 0}
    return dict(sorted(entries.items()))
