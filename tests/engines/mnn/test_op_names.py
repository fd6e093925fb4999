from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.mnn.layer_models import LAYER_CASES, LayerCase
from workbench.engines.mnn.mnn_file import MnnFile
from workbench.engines.mnn.op_names import node_of, nodes_by_op_name


@pytest.mark.parametrize("case", LAYER_CASES, ids=lambda case: case.name)
def test_every_operator_with_weights_leads_to_its_node(case: LayerCase, converted, opened, tmp_path: Path) -> None:
    source = case.build(tmp_path / "model.onnx")
    graph = opened(source).graph
    names = nodes_by_op_name(graph)
    by_id = {node.id: node for node in graph.all_nodes()}
    with MnnFile(converted(source).path) as file:
        found = {op.name: node_of(op.name, names) for op in file.ops() if op.weights}
    assert found
    assert {by_id[node].op for node in found.values()} <= {"Conv", "ConvTranspose", "Gemm", "MatMul"}


def test_what_mnn_adds_around_an_operator_leads_to_it_and_its_own_operators_lead_nowhere() -> None:
    names = {"conv": "conv", "y": "y", "m__matmul_converted": "m", "n__1": "n__1"}
    told = {
        "x___tr4conv": "conv",
        "x___tr4m__matmul_converted": "m",
        "y__before_tr": "y",
        "y_raster_0": "y",
        "conv__group__3": "conv",
        "conv_____slice": "conv",
        "conv__2__group__1": "conv",
        "n__1": "n__1",
        "Shape13": None,
    }
    assert {name: node_of(name, names) for name in told} == told
