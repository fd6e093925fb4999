"""Models of one operator in which one attribute, type or rank at a time is another: what node tests leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper
from sweep_list import LOGICAL, SEED, SIDES, SWEEPS, Attributes, Sweep

from tests.conformance.arrays import Array
from tests.conformance.node_tests import NodeTest, expected


def all_tests() -> Iterator[NodeTest]:
    """Of every sweep the usual usage, then each variation for which it is known what is right."""
    numbers: Counter[str] = Counter()
    for sweep in SWEEPS:
        numbers[sweep.op] += 1
        yield from _tests(sweep, numbers[sweep.op])


def _tests(sweep: Sweep, number: int) -> Iterator[NodeTest]:
    stem = f"sweep_{sweep.op.lower()}_{number}"
    yield from _test(sweep, stem, sweep.base, sweep.shapes, "float32")
    for name, values in sweep.vary.items():
        for value in values:
            dropped = {name, *(("pads",) if name == "auto_pad" else ())}  # the standard allows one of the two
            changed = {key: kept for key, kept in sweep.base.items() if key not in dropped}
            attributes = changed if value is None else {**changed, name: value}
            yield from _test(sweep, f"{stem}_{name}_{_word(value)}", attributes, sweep.shapes, "float32")
    for dtype in sweep.dtypes:
        yield from _test(sweep, f"{stem}_{dtype}", sweep.base, sweep.shapes, dtype)
    for rank in sweep.ranks:
        shapes = tuple(SIDES[:rank] for _ in sweep.shapes)
        yield from _test(sweep, f"{stem}_rank{rank}", sweep.base, shapes, "float32")


def _word(value: object) -> str:
    if value is None:
        return "left_out"
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


_OUTPUTS: Final = {"LSTM": 3, "GRU": 2, "RNN": 2, "TopK": 2, "Split": 2}
_BOOLEAN: Final = frozenset(LOGICAL)


def _test(
    sweep: Sweep, name: str, attributes: Attributes, shapes: tuple[tuple[int, ...], ...], dtype: str
) -> Iterator[NodeTest]:
    kind = "bool" if sweep.op in _BOOLEAN else dtype
    inputs = tuple(_made(kind, shape, position) for position, shape in enumerate(shapes))
    model = _model(sweep, attributes, inputs, kind)
    outputs = None if model is None else expected(model, inputs)
    if outputs is not None:
        yield NodeTest(name, sweep.op, model, inputs, outputs)


def _made(dtype: str, shape: tuple[int, ...], position: int) -> Array:
    random = np.random.default_rng((SEED, position))
    if dtype == "bool":
        return random.random(shape) < 0.5
    if "int" in dtype:
        return np.asarray(random.integers(1 if position else 0, 9, shape)).astype(dtype)
    return np.asarray(random.standard_normal(shape)).astype(dtype)


def _model(sweep: Sweep, attributes: Attributes, inputs: tuple[Array, ...], dtype: str) -> Any:
    """None where onnx finds no types for the outputs: such a model is none."""
    named = [f"in{position}" for position in range(len(inputs))]
    kept = [("" if array is None else f"c{position}", array) for position, array in enumerate(sweep.constants)]
    names = [f"out{position}" for position in range(_OUTPUTS.get(sweep.op, 1))]
    node = helper.make_node(sweep.op, [*named, *(name for name, _ in kept)], names, **attributes)
    graph = helper.make_graph(
        [node],
        sweep.op,
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
            for name, array in zip(named, inputs, strict=True)
        ],
        [onnx.ValueInfoProto(name=name) for name in names],
        [
            numpy_helper.from_array(array.astype(dtype) if array.dtype == np.float32 else array, name)
            for name, array in kept
            if array is not None
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", sweep.opset)], ir_version=9)
    try:
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True)
        onnx.checker.check_model(inferred)
    except (onnx.shape_inference.InferenceError, onnx.checker.ValidationError):
        return None
    return inferred
