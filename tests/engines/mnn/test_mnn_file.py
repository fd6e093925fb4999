from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.engines.mnn.onnx_models import node, save, weights
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.engines.mnn.flatbuffer import BadTable
from workbench.engines.mnn.mnn_file import MnnFile
from workbench.engines.mnn.read_back import describe
from workbench.engines.mnn.stored_values import stored_rows, stored_weights


@pytest.fixture
def source(tmp_path: Path) -> Path:
    nodes = [node("Conv", ["x", "w", "b"], ["c"]), node("Mul", ["c", "k"], ["y"])]
    constants = {"w": weights(8, 16, 1, 1), "b": weights(8), "k": weights(1, 8, 1, 1, seed=4)}
    return save(tmp_path / "m.onnx", nodes, constants, {"x": (1, 16, 2, 2)}, {"y": (1, 8, 2, 2)})


def read_everything(path: Path) -> int:
    """Touch all that a reader of the file may touch; how many operators there are."""
    with MnnFile(path) as file:
        ops = list(file.ops())
        for op in ops:
            if op.weights is not None:
                stored_weights(file, op.weights)
            if op.half_constant is not None:
                file.read(op.half_constant)
    return len(ops)


def test_operators_are_told_with_their_types_and_tensors(source: Path, converted) -> None:
    with MnnFile(converted(source).path) as file:
        ops = {op.name: op for op in file.ops()}
    assert (ops["c"].type, ops["x"].type, ops["k"].type, ops["y"].type) == ("Convolution", "Input", "Const", "BinaryOp")
    assert ops["y"].inputs == ("c", "k")
    assert ops["c"].outputs == ("c",)


def test_float_weights_are_read_as_the_model_has_them(source: Path, converted) -> None:
    with MnnFile(converted(source).path) as file:
        stored = next(op.weights for op in file.ops() if op.weights)
        assert_array_equal(stored_weights(file, stored).reshape(8, 16, 1, 1), weights(8, 16, 1, 1))
    assert (stored.form, stored.out_channels, stored.in_channels) == ("float", 8, 16)


def test_constants_stored_as_fp16_are_told_by_their_readers(source: Path, converted) -> None:
    told = describe(converted(source, QuantPlan(half_floats=True)).path)
    assert list(told["half_constants"]) == ["y"]
    assert describe(converted(source).path)["half_constants"] == {}


def test_a_file_cut_off_anywhere_is_refused_and_crashes_nobody(source: Path, converted, tmp_path: Path) -> None:
    whole = converted(source, QuantPlan(LayerQuant(4))).path.read_bytes()
    cut = tmp_path / "cut.mnn"
    for length in (0, 3, 4, 40, len(whole) // 2, len(whole) - 200):
        cut.write_bytes(whole[:length])
        with pytest.raises(BadTable):
            read_everything(cut)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_and_never_more(
    data: st.DataObject, source: Path, converted, tmp_path: Path
) -> None:
    path = tmp_path / "damaged.mnn"
    whole = tmp_path / "whole.mnn"
    if not whole.exists():
        whole.write_bytes(converted(source, QuantPlan(LayerQuant(4), half_floats=True)).path.read_bytes())
    content = bytearray(whole.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 4))
        content[at : at + 4] = data.draw(st.binary(min_size=4, max_size=4))
    path.write_bytes(content)
    with suppress(BadTable):  # anything else fails the test
        read_everything(path)


def test_integers_of_every_width_are_unpacked(converted, tmp_path: Path) -> None:
    ramp = np.linspace(-1, 1, 16 * 7, dtype=np.float32).reshape(7, 16, 1, 1)
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"w": ramp}, {"x": (1, 16, 1, 1)}, {"y": (1, 7, 1, 1)})
    for bits in range(2, 9):
        with MnnFile(converted(path, QuantPlan(LayerQuant(bits))).path) as file:
            stored = next(op.weights for op in file.ops() if op.weights)
            integers = stored_rows(file, stored).integers
        assert integers.shape == (7, 16)
        assert (integers.min(), integers.max()) == (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
