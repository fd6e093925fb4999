"""What is known of operators before anything runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from workbench.core.graph import AttributeValue, Graph, Initializer, Node, Subgraph, Tensor
from workbench.core.verdict import Status
from workbench.engines.mnn.version import engine_version
from workbench.engines.op_conditions import Place, condition, conditions_of, constants_of
from workbench.engines.op_table import Known, OpTable, op_table, read_table, static_verdicts, table_file


def node(op: str, *inputs: str, domain: str = "", **attributes: AttributeValue) -> Node:
    return Node("y", "", op, domain, inputs or ("x",), ("y",), attributes)


def graph(*nodes: Node, shape: tuple[int, ...] = (1, 3, 8, 8), dtype: str = "float32") -> Graph:
    x = Tensor("x", dtype, shape)
    constant = Initializer("w", "float32", (3,), 12)
    return Graph("g", "", nodes, (x,), (), (constant,), {"x": x, "w": Tensor("w", "float32", (3,))})


def place(used: Node, **options: Any) -> Place:
    own = graph(used, **options)
    return Place(used, own, constants_of(own))


def installed() -> OpTable:
    table = op_table(engine_version())
    assert table is not None
    return table


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("mode=cubic", node("Resize", mode="cubic")),
        ("strides=[2, 2]", node("MaxPool", strides=(2, 2))),
        ("no strides", node("MaxPool")),
        ("axes", node("ReduceSum", axes=(1,))),
        ("dilations not 1", node("MaxPool", dilations=(1, 2))),
        ("pads negative", node("Pad", pads=(0, -1))),
        ("input 1", node("Clip", "x", "w")),
        ("no input 1", node("Clip", "x", "", "w")),
        ("input 0 variable", node("Relu", "x")),
        ("input 0 float16", node("Relu", "x")),
        ("input 0 rank 2", node("Relu", "x")),
        ("outputs 1", node("Split")),
        ("axis=1 & no keepdims", node("ArgMax", axis=1)),
    ],
)
def test_a_condition_holds_where_it_is_said_to(text: str, used: Node) -> None:
    assert condition(text)(place(used, shape=(3, 8), dtype="float16"))


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("mode=cubic", node("Resize")),
        ("strides=[2, 2]", node("MaxPool", strides=(2, 1))),
        ("no strides", node("MaxPool", strides=(1, 1))),
        ("dilations not 1", node("MaxPool", dilations=(1, 1))),
        ("dilations not 1", node("MaxPool")),
        ("input 1 variable", node("Clip", "x", "w")),
        ("input 0 float16", node("Relu", "unknown")),
        ("axis=1 & no keepdims", node("ArgMax", axis=1, keepdims=0)),
    ],
)
def test_a_condition_does_not_hold_elsewhere(text: str, used: Node) -> None:
    assert not condition(text)(place(used))


def test_every_condition_of_a_place_holds_there() -> None:
    used = node("Conv", "x", "w", strides=(2, 1), pads=(-1, 0), auto_pad="VALID", group=3)
    own = place(used)
    found = list(conditions_of(own, ("dilations",)))
    assert {"no dilations", "strides not 1", "pads negative", "auto_pad=VALID", "input 0 rank 4"} <= set(found)
    assert all(condition(text)(own) for text in found)


def test_a_text_that_is_no_condition_is_refused() -> None:
    with pytest.raises(ValueError, match="axis often"):
        condition("axis often")


def test_the_table_of_the_installed_engine_is_there_and_small() -> None:
    table = installed()
    assert table.engine == engine_version()
    assert table_file(engine_version()).stat().st_size < 300_000
    assert table.ops["Tanh"].status is Known.SUPPORTED
    assert all(entry.tests or entry.status is Known.UNTESTED for entry in table.ops.values())


@pytest.mark.parametrize(
    ("used", "status"),
    [
        (node("Relu"), Status.NOT_CHECKED),
        (node("MaxPool", kernel_shape=(2, 2), strides=(2, 2), dilations=(1, 1)), Status.NOT_CHECKED),
        (node("MaxPool", kernel_shape=(2, 2), strides=(2, 2), dilations=(2, 2)), Status.CRASH),
        (node("MaxPool", kernel_shape=(2, 2)), Status.CRASH),
        (node("IsNaN"), Status.UNSUPPORTED),
        (node("Relu", domain="my.domain"), Status.UNSUPPORTED),
    ],
)
def test_a_node_is_told_by_its_usage(used: Node, status: Status) -> None:
    verdicts = static_verdicts(graph(used))
    assert verdicts is not None
    (verdict,) = verdicts
    assert verdict.status is status
    assert verdict.reason is not None
    assert verdict.evidence or status is Status.UNSUPPORTED


def test_nodes_of_bodies_follow_those_that_hold_them() -> None:
    body = graph(node("IsNaN"))
    outer = replace(graph(node("If", "c")), subgraphs=(Subgraph("y", "then_branch", body),))
    verdicts = static_verdicts(outer)
    assert verdicts is not None
    assert [verdict.op for verdict in verdicts] == ["If", "IsNaN"]
    assert verdicts[1].status is Status.UNSUPPORTED


def test_nothing_is_called_right() -> None:
    verdicts = static_verdicts(graph(*(node(op) for op in installed().ops)))
    assert verdicts is not None
    assert len(verdicts) == len(installed().ops)
    assert Status.RIGHT not in {verdict.status for verdict in verdicts}


def test_an_engine_without_a_table_gets_no_verdicts() -> None:
    assert static_verdicts(graph(node("Relu")), "0.0.1") is None


def test_a_damaged_table_is_refused() -> None:
    entry = {"status": "condition", "tests": 1, "right": 0}
    usage = {"when": "axis often", "status": "wrong", "tests": 1, "evidence": []}
    document = {"engine": "1", "onnx": "1", "ops": {"A": {**entry, "usages": [usage]}}}
    with pytest.raises(ValueError, match="axis often"):
        read_table(document)
