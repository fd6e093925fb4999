"""The arithmetic against what the converter really writes, bit for bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.testing import assert_array_equal

from tests.engines.mnn.layer_models import LAYER_CASES, LayerCase
from tests.engines.mnn.onnx_models import node, save, weights
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.engines.mnn.arithmetic import (
    QuantizedRows,
    dequantize,
    half_as_planned,
    quantize_as_engine,
    quantize_as_planned,
    steps_of,
)
from workbench.engines.mnn.converted import Converted
from workbench.engines.mnn.folding import find_scope, folded_weights, layout_of, scopes
from workbench.engines.mnn.layout import block_count
from workbench.engines.mnn.mnn_file import MnnFile, StoredWeights
from workbench.engines.mnn.stored_values import stored_rows, stored_weights
from workbench.engines.mnn.units import to_rows


def stored(path: Path) -> dict[str, tuple[StoredWeights, QuantizedRows]]:
    """How the layers of a .mnn are stored, by name."""
    with MnnFile(path) as file:
        return {op.name: (op.weights, stored_rows(file, op.weights)) for op in file.ops() if op.weights is not None}


def assert_as_computed(result: Converted, source: Path, quant: LayerQuant) -> None:
    """Every operator of ``result`` holds what numpy makes of ``source``'s weights."""
    model = onnx.load(source)
    everywhere = scopes(model)
    found = stored(result.path)
    compared = 0
    for layer in result.plan_weights["layers"]:
        layout = layout_of(layer)
        names = [a.op_name for a in result.layers_applied if a.node.split("/")[-1] == layer["output"]]
        parts = to_rows(folded_weights(find_scope(everywhere, layer), layer), layout)
        for name, part in zip(names, parts, strict=True):
            how, have = found[name]
            blocks = block_count(layout.in_channels, quant.block)
            want = quantize_as_engine(part.reshape(len(part) * blocks, -1), quant.bits, symmetric=quant.symmetric)
            assert (how.bits, how.asymmetric, how.blocks) == (quant.bits, not quant.symmetric, blocks)
            assert_array_equal(have.integers, want.integers)
            assert_array_equal(have.steps, want.steps)
            if want.smallest is not None:
                assert_array_equal(have.smallest, want.smallest)
            compared += 1
    assert compared == len(found) > 0


@pytest.mark.parametrize("case", LAYER_CASES, ids=lambda case: case.name)
def test_every_kind_of_layer_is_quantized_to_the_bit(case: LayerCase, converted, tmp_path: Path) -> None:
    source = case.build(tmp_path / "model.onnx")
    for quant in (LayerQuant(8), LayerQuant(4, symmetric=True)):
        assert_as_computed(converted(source, QuantPlan(quant)), source, quant)


@pytest.mark.parametrize("bits", range(2, 9))
@pytest.mark.parametrize("symmetric", [False, True])
def test_every_width_and_block_is_quantized_to_the_bit(bits: int, symmetric: bool, converted, tmp_path: Path) -> None:
    rounded = np.round(weights(64, 96, 1, 1, seed=7) * 8) / 8  # many values half way between two integers
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Conv", ["c", "w2"], ["d"]), node("Relu", ["d"], ["y"])]
    constants = {"w": rounded.astype(np.float32), "w2": weights(48, 64, 3, 3, seed=8, spread=4)}
    source = save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 96, 5, 5)}, {"y": (1, 48, 3, 3)})
    for block in (0, 16, 32):
        quant = LayerQuant(bits, symmetric, block)
        assert_as_computed(converted(source, QuantPlan(quant)), source, quant)


def test_a_value_just_below_one_half_is_rounded_down_as_the_converter_does(converted, tmp_path: Path) -> None:
    values = np.zeros((8, 16, 1, 1), np.float32)
    values[:, 0], values[:, 1] = 255, np.nextafter(np.float32(0.5), np.float32(0))  # the step is 1
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    source = save(tmp_path / "model.onnx", nodes, {"w": values}, {"x": (1, 16, 2, 2)}, {"y": (1, 8, 2, 2)})
    assert_as_computed(converted(source, QuantPlan(LayerQuant(8))), source, LayerQuant(8))
    assert quantize_as_engine(values.reshape(8, 16), 8, symmetric=False).integers[0, 1] == -128


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_row_is_destroyed_by_the_converter_exactly_where_its_step_is_not_above_a_millionth(
    symmetric: bool, converted, tmp_path: Path
) -> None:
    steps = np.float32([0.5e-6, 1e-6, np.nextafter(np.float32(1e-6), np.float32(1)), 2e-6])
    values = np.linspace(-1, 1, 16, dtype=np.float32) * (steps[:, None] * np.float32(127))
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    constants = {"w": values.reshape(4, 16, 1, 1)}
    source = save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 16, 2, 2)}, {"y": (1, 4, 2, 2)})
    quant = LayerQuant(8, symmetric)
    result = converted(source, QuantPlan(quant))
    assert_as_computed(result, source, quant)
    integers = stored(result.path)["c"][1].integers
    small = steps_of(values, 8, symmetric=symmetric) <= np.float32(1e-6)
    assert 0 < small.sum() < 4
    assert_array_equal((integers == integers[:, :1]).all(axis=1), small)


def test_the_plan_keeps_a_row_that_the_engine_destroys() -> None:
    row = np.linspace(-1e-5, 1e-5, 32, dtype=np.float32)[None]
    planned = dequantize(quantize_as_planned(row, 8, symmetric=False))
    destroyed = dequantize(quantize_as_engine(row, 8, symmetric=False))
    assert np.abs(planned - row).max() < 1e-7
    assert np.abs(destroyed - row).max() > 1e-5


def test_a_constant_row_is_kept_by_plan_and_engine() -> None:
    row = np.full((1, 16), 0.25, np.float32)
    for quantize in (quantize_as_planned, quantize_as_engine):
        assert_array_equal(dequantize(quantize(row, 4, symmetric=False)), row)


def test_denormal_weights_become_zeros_before_they_are_quantized(converted, tmp_path: Path) -> None:
    values = weights(8, 16, 1, 1)
    values[0], values[1, :4] = 1e-39, -1e-40
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    source = save(tmp_path / "model.onnx", nodes, {"w": values}, {"x": (1, 16, 2, 2)}, {"y": (1, 8, 2, 2)})
    assert_as_computed(converted(source, QuantPlan(LayerQuant(8))), source, LayerQuant(8))


def test_fp16_is_rounded_toward_zero_as_the_converter_does_and_is_infinite_where_that_writes_65504(
    converted, tmp_path: Path
) -> None:
    values = weights(64, 64, 1, 1, spread=4)
    values[0, :6, 0, 0] = [65504, 65519, 65520, -1e6, 2**-24 * 1.9, 2**-25]
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    source = save(tmp_path / "model.onnx", nodes, {"w": values}, {"x": (1, 64, 1, 1)}, {"y": (1, 64, 1, 1)})
    with MnnFile(converted(source, QuantPlan(half_floats=True)).path) as file:
        written = next(stored_weights(file, op.weights) for op in file.ops() if op.weights)
    planned = half_as_planned(values).ravel()
    finite = np.isfinite(planned)
    assert_array_equal(planned[finite], written[finite])
    assert_array_equal(np.flatnonzero(~finite), [2, 3])
    assert_array_equal(written[~finite], [65504, -65504])
