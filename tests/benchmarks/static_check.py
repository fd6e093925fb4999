"""The static check of 5,000 nodes. Prints one JSON line.

``python -m tests.benchmarks.static_check``. ``first_ms`` reads the table too; ``ms``: the median of later
ones, both in processor time. ``ratio``: against 100 ms, what it may take.
"""

from __future__ import annotations

import json
import statistics
import time

from workbench.core.graph import Graph, Initializer, Node, Tensor
from workbench.engines.mnn.version import engine_version
from workbench.engines.op_table import op_table, static_verdicts

_NODES = 5_000
_TIMES = 9
_ALLOWED_MS = 100.0


def graph() -> Graph:
    """Every operator of the table in turn, with attributes and constants of its own."""
    table = op_table(engine_version())
    assert table is not None
    ops = tuple(table.ops)
    attributes = {"strides": (2, 2), "mode": "linear", "axis": 1}
    nodes = tuple(
        Node(f"y{i}", "", ops[i % len(ops)], "", ("x", f"w{i}"), (f"y{i}",), attributes) for i in range(_NODES)
    )
    weights = tuple(Initializer(f"w{i}", "float32", (3,), 12) for i in range(_NODES))
    x = Tensor("x", "float32", (1, 3, 8, 8))
    return Graph("g", "", nodes, (x,), (), weights, {"x": x})


def main() -> None:
    subject = graph()
    op_table.cache_clear()
    spent = []
    for _ in range(_TIMES):
        began = time.process_time()
        verdicts = static_verdicts(subject)
        spent.append((time.process_time() - began) * 1000.0)
        assert verdicts is not None
        assert len(verdicts) == _NODES
    ms = statistics.median(spent[1:])
    answer = {"benchmark": "static_check", "nodes": _NODES, "first_ms": spent[0], "ms": ms, "ratio": ms / _ALLOWED_MS}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
