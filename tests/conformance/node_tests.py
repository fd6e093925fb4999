"""The node tests of the installed onnx, and which of them an engine of tensors in 32 bits can be held to."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.reference import ReferenceEvaluator

from tests.conformance.arrays import Array, difference, in_int32, tolerance_of
from workbench.engines.ort.silent import faults, onnxruntime

_TYPES: Final = frozenset((
    TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.BOOL,
    TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64,
    TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64,
))  # fmt: skip
_RANDOM: Final = frozenset((
    "test_training_dropout", "test_training_dropout_mask",
    "test_training_dropout_default", "test_training_dropout_default_mask",
))  # fmt: skip
_QUIET: Final = 4
_REFERENCE_FAULTS: Final = (
    ValueError, TypeError, RuntimeError, LookupError, AttributeError, ArithmeticError, AssertionError, MemoryError,
)  # fmt: skip
_RUNTIME_FAULTS: Final = (
    faults.Fail, faults.InvalidArgument, faults.InvalidGraph, faults.NotImplemented, faults.RuntimeException,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NodeTest:
    """A model with inputs and the outputs expected. ``op`` is the operator that the test is about."""

    name: str
    op: str
    model: Any
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]

    @property
    def tolerance(self) -> float:
        return tolerance_of((*self.inputs, *self.outputs))


@cache
def all_tests() -> tuple[Any, ...]:
    """onnx's own test cases, by name. Their data are the same each time: onnx seeds every one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case import node

        return tuple(sorted(node.collect_testcases(None), key=lambda case: str(case.name)))


@cache
def operators() -> dict[str, str]:
    """What each test is about, by name: its only operator, for an expanded function the function."""
    plain = {case.name: case.model.graph.node for case in all_tests()}
    return {name: _about(name, plain) for name in plain}


def plain_name(name: str) -> str:
    """The test of the function itself, for a test of a function written out."""
    return name.split("_expanded", maxsplit=1)[0]


def _about(name: str, nodes: dict[str, Any]) -> str:
    own = nodes.get(plain_name(name), nodes[name])
    return str(max(own, key=lambda node: node.op_type not in ("Constant", "Cast", "Identity")).op_type)


@cache
def left_out(name: str) -> str:
    """Why a test says nothing of the engine; "" where it does."""
    case = next(case for case in all_tests() if case.name == name)
    if name in _RANDOM:
        return "random"
    if reason := _odd_types([*case.model.graph.input, *case.model.graph.output]):
        return reason
    inputs, outputs = _data(case)
    if len(inputs) != len(case.model.graph.input):
        return "optional"
    if not all(map(in_int32, (*inputs, *outputs))):
        return "beyond 32 bits"
    return "" if _is_reproduced(NodeTest(name, "", case.model, inputs, outputs)) else "not reproduced by a reference"


def _odd_types(values: list[Any]) -> str:
    if any(value.type.WhichOneof("value") != "tensor_type" for value in values):
        return "sequence or optional"
    types = {value.type.tensor_type.elem_type for value in values}
    if TensorProto.STRING in types:
        return "string"
    return "" if types <= _TYPES else "type"


def applicable(names: tuple[str, ...]) -> tuple[NodeTest, ...]:
    """Those of ``names`` that the engine can be held to."""
    cases = {case.name: case for case in all_tests()}
    about = operators()
    return tuple(
        NodeTest(name, about[name], cases[name].model, *_data(cases[name])) for name in names if not left_out(name)
    )


def _data(case: Any) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    inputs, outputs = case.data_sets[0]
    return tuple(map(_array, inputs)), tuple(map(_array, outputs))


def _array(value: Any) -> Array:
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def _is_reproduced(test: NodeTest) -> bool:
    for run in (run_onnxruntime, run_reference):
        outputs = run(test.model, test.inputs)
        if outputs is not None and not any(
            difference(got, want, test.tolerance) for got, want in zip(outputs, test.outputs, strict=True)
        ):
            return True
    return False


def expected(model: Any, inputs: tuple[Array, ...]) -> tuple[Array, ...] | None:
    """What is right for ``inputs``; None where neither onnxruntime nor onnx's evaluator tells."""
    for run in (run_onnxruntime, run_reference):
        outputs = run(model, inputs)
        if outputs is not None:
            return outputs
    return None


def run_onnxruntime(model: Any, inputs: tuple[Array, ...]) -> tuple[Array, ...] | None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _QUIET
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        feeds = {value.name: array for value, array in zip(model.graph.input, inputs, strict=True)}
        return _numbers(session.run(None, feeds))
    except (*_RUNTIME_FAULTS, RuntimeError):
        return None


def run_reference(model: Any, inputs: tuple[Array, ...]) -> tuple[Array, ...] | None:
    feeds = {value.name: array for value, array in zip(model.graph.input, inputs, strict=True)}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return _numbers(ReferenceEvaluator(model).run(None, feeds))
    except _REFERENCE_FAULTS:
        return None


def _numbers(values: Any) -> tuple[Array, ...] | None:
    if any(isinstance(value, (list, dict)) or value is None for value in values):
        return None
    arrays = tuple(map(np.asarray, values))
    return None if any(array.dtype.kind in "OSU" for array in arrays) else arrays
