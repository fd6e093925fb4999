from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

from tests.engines.models import BOOL, FLOAT, INT64, node
from workbench.engines.ort.visits import VISITS, count_visits


def model(nodes: list[Any], inputs: list[Any], outputs: list[Any], opset: int = 17) -> onnx.ModelProto:
    made = [[helper.make_tensor_value_info(*value) for value in side] for side in (inputs, outputs)]
    graph = helper.make_graph(nodes, "g", *made)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def body(nodes: list[Any], inputs: list[Any], outputs: list[Any]) -> onnx.GraphProto:
    made = [[helper.make_tensor_value_info(*value) for value in side] for side in (inputs, outputs)]
    return helper.make_graph(nodes, "body", *made)


def visited(counted: onnx.ModelProto, places: tuple[str, ...], **feeds: Any) -> dict[str, int]:
    session = onnxruntime.InferenceSession(counted.SerializeToString(), providers=["CPUExecutionProvider"])
    (visits,) = session.run([VISITS], {name: np.asarray(value) for name, value in feeds.items()})
    return dict(zip(places, visits.tolist(), strict=True))


@pytest.mark.parametrize("opset", [11, 17])
def test_the_bodies_that_ran_are_counted_those_inside_others_too(opset: int) -> None:
    """A loop of ``n`` rounds, in each of which an If runs, inside the branch of an If."""
    branch = {
        "then_branch": body([node("Neg", ["carried"], ["t"])], [], [("t", FLOAT, [2])]),
        "else_branch": body([node("Abs", ["carried"], ["e"])], [], [("e", FLOAT, [2])]),
    }
    loop = body(
        [
            node("Identity", ["going"], ["goes"]),
            node("Equal", ["round", "n"], ["never"]),
            node("If", ["never"], ["next"], **branch),
        ],
        [("round", INT64, []), ("going", BOOL, []), ("carried", FLOAT, [2])],
        [("goes", BOOL, []), ("next", FLOAT, [2])],
    )
    outer = {
        "then_branch": body([node("Loop", ["n", "", "x"], ["looped"], body=loop)], [], [("looped", FLOAT, [2])]),
        "else_branch": body([node("Relu", ["x"], ["r"])], [], [("r", FLOAT, [2])]),
    }
    counted = model(
        [node("If", ["c"], ["y"], **outer)],
        [("c", BOOL, []), ("n", INT64, []), ("x", FLOAT, [2])],
        [("y", FLOAT, [2])],
        opset,
    )
    places = count_visits(counted)
    x = np.ones(2, np.float32)
    inner = "y/then_branch/looped/body"
    assert visited(counted, places, c=True, n=3, x=x) == {
        "y/then_branch": 1,
        inner: 3,
        f"{inner}/next/then_branch": 0,
        f"{inner}/next/else_branch": 3,
        "y/else_branch": 0,
    }
    assert visited(counted, places, c=True, n=0, x=x)[inner] == 0
    assert visited(counted, places, c=False, n=3, x=x)["y/else_branch"] == 1


def test_the_body_of_a_scan_is_counted() -> None:
    step = body(
        [node("Add", ["sum", "value"], ["total"]), node("Identity", ["total"], ["seen"])],
        [("sum", FLOAT, []), ("value", FLOAT, [])],
        [("total", FLOAT, []), ("seen", FLOAT, [])],
    )
    counted = model(
        [node("Scan", ["s", "x"], ["end", "all"], body=step, num_scan_inputs=1, scan_output_directions=[1])],
        [("s", FLOAT, []), ("x", FLOAT, [5])],
        [("end", FLOAT, []), ("all", FLOAT, [5])],
    )
    places = count_visits(counted)
    assert visited(counted, places, s=np.float32(0), x=np.ones(5, np.float32)) == {"end/body": 5}


def test_a_model_without_bodies_stays_as_it_is() -> None:
    plain = model([node("Relu", ["x"], ["y"])], [("x", FLOAT, [2])], [("y", FLOAT, [2])])
    before = plain.SerializeToString()
    assert count_visits(plain) == ()
    assert plain.SerializeToString() == before
