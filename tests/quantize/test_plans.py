from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.mnn.onnx_models import node, save, weights
from workbench.core.errors import UsageError
from workbench.core.graph import Graph
from workbench.core.plan import FLOAT, LayerQuant, QuantPlan
from workbench.quantize.plans import make_plan, parse_override

INT8, INT4, INT3 = LayerQuant(8), LayerQuant(4), LayerQuant(3)


@pytest.fixture
def graph(opened, tmp_path: Path) -> Graph:
    """Four convolutions: two are called "twin", the others "/a/conv" and "" (its id is v4); then a Relu."""
    names = ("/a/conv", "twin", "twin", "")
    nodes = [node("Conv", [f"v{i}", "w"], [f"v{i + 1}"], name=name) for i, name in enumerate(names)]
    nodes.append(node("Relu", ["v4"], ["y"], name="activation"))
    constants = {"w": weights(32, 32, 1, 1)}
    path = save(tmp_path / "m.onnx", nodes, constants, {"v0": (1, 32, 4, 4)}, {"y": (1, 32, 4, 4)})
    return opened(path).graph


def test_a_plan_of_a_default_lists_nothing(graph: Graph) -> None:
    assert make_plan(graph, INT8) == QuantPlan(INT8)


@pytest.mark.parametrize(
    ("pattern", "layers"),
    [
        ("/a/conv", {"v1"}),
        ("v2", {"v2"}),
        ("v4", {"v4"}),
        ("/a/*", {"v1"}),
        ("tw?n", {"v2", "v3"}),
        ("*", {"v1", "v2", "v3", "v4"}),
    ],
)
def test_layers_are_named_by_id_name_or_pattern(graph: Graph, pattern: str, layers: set[str]) -> None:
    assert set(make_plan(graph, INT8, [(pattern, INT4)]).layers) == layers


def test_the_last_override_of_a_layer_counts(graph: Graph) -> None:
    plan = make_plan(graph, INT8, [("*", INT4), ("v2", INT8), ("/a/conv", FLOAT)])
    assert (plan.of("v1"), plan.of("v2"), plan.of("v3")) == (FLOAT, INT8, INT4)


def test_a_name_that_two_layers_share_is_an_error_that_lists_them(graph: Graph) -> None:
    with pytest.raises(UsageError) as raised:
        make_plan(graph, INT8, [("twin", INT4)])
    assert "2 layers are called twin" in str(raised.value)
    assert "v2, v3" in str(raised.value.hint)


def test_a_pattern_without_a_layer_is_an_error_with_what_is_near(graph: Graph) -> None:
    with pytest.raises(UsageError) as raised:
        make_plan(graph, INT8, [("/a/cnov", INT4)])
    assert "/a/conv" in str(raised.value.hint)


def test_a_node_without_weights_is_no_layer(graph: Graph) -> None:
    for pattern in ("activation", "y"):
        with pytest.raises(UsageError, match="no weights"):
            make_plan(graph, INT8, [(pattern, INT4)])


def test_a_block_that_does_not_fit_a_named_layer_is_an_error(graph: Graph) -> None:
    assert make_plan(graph, INT8, [("v1", LayerQuant(4, block=16))]).of("v1").block == 16
    with pytest.raises(UsageError, match="blocks of 48 do not fit"):
        make_plan(graph, INT8, [("v1", LayerQuant(4, block=48))])


def test_what_a_conversion_would_refuse_of_hqq_is_refused_of_the_plan(graph: Graph) -> None:
    assert make_plan(graph, INT4, hqq=True).hqq
    with pytest.raises(UsageError, match="asymmetrically only"):
        make_plan(graph, LayerQuant(4, symmetric=True), hqq=True)
    with pytest.raises(UsageError, match="needs layers with bits"):
        make_plan(graph, FLOAT, hqq=True)


@pytest.mark.parametrize(
    ("text", "override"),
    [
        ("conv1=3", ("conv1", LayerQuant(3, symmetric=True, block=32))),
        ("a=b=8", ("a=b", LayerQuant(8, symmetric=True, block=32))),
        ("conv1=float", ("conv1", FLOAT)),
        ("conv1=0", ("conv1", FLOAT)),
    ],
)
def test_an_override_takes_symmetry_and_block_from_the_default(text: str, override: tuple[str, LayerQuant]) -> None:
    assert parse_override(text, LayerQuant(8, symmetric=True, block=32)) == override


@pytest.mark.parametrize("text", ["conv1", "=8", "conv1=", "conv1=eight", "conv1=-4", "conv1=4.5"])
def test_an_override_that_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="LAYER=BITS"):
        parse_override(text, INT8)
