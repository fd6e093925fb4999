"""The forms in which a node test becomes a model: what is an input, and which axes are open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import onnx
from onnx import numpy_helper

from tests.conformance.arrays import Array
from tests.conformance.node_tests import NodeTest, all_tests, plain_name

Formed = tuple[Any, tuple[Array, ...]]
"""A model, and the test's arrays for those inputs that it kept."""

_REDUCTIONS: Final = (
    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare",
    "ReduceLogSum", "ReduceLogSumExp",
)  # fmt: skip
# Inputs by position that a real model holds as constants: axes, sizes, pads, scales, weights.
_PARAMETERS: Final[dict[str, tuple[int, ...]]] = {
    **dict.fromkeys(_REDUCTIONS, (1,)),
    "AffineGrid": (1,), "ArrayFeatureExtractor": (1,), "BatchNormalization": (1, 2, 3, 4), "BlackmanWindow": (0,),
    "CenterCropPad": (1,), "Clip": (1, 2), "Col2Im": (1, 2), "ConstantOfShape": (0,), "Conv": (1, 2),
    "ConvInteger": (1, 2, 3), "ConvTranspose": (1, 2), "CumProd": (1,), "CumSum": (1,), "DFT": (1, 2),
    "DeformConv": (1, 3), "DequantizeLinear": (1, 2), "Dropout": (1, 2), "Expand": (1,), "GRU": (1, 2, 3),
    "GroupNormalization": (1, 2), "HammingWindow": (0,), "HannWindow": (0,), "InstanceNormalization": (1, 2),
    "LSTM": (1, 2, 3, 7), "LayerNormalization": (1, 2), "MatMulInteger": (2, 3), "MaxUnpool": (2,),
    "MelWeightMatrix": (0, 1, 2, 3, 4), "NonMaxSuppression": (2, 3, 4), "OneHot": (1,), "PRelu": (1,),
    "Pad": (1, 2, 3), "QLinearConv": (1, 2, 3, 4, 5, 6, 7, 8), "QLinearMatMul": (1, 2, 4, 5, 6, 7),
    "QuantizeLinear": (1, 2), "RMSNormalization": (1,), "RNN": (1, 2, 3), "Range": (0, 1, 2), "Reshape": (1,),
    "Resize": (1, 2, 3), "STFT": (1, 2, 3), "Slice": (1, 2, 3, 4), "Split": (1,), "Squeeze": (1,), "Tile": (1,),
    "TopK": (1,), "Trilu": (1,), "Unsqueeze": (1,), "Upsample": (1,),
}  # fmt: skip


def as_it_is(test: NodeTest) -> Formed:
    """Every input stays an input, of the shape that the test gives it."""
    return test.model, test.inputs


def parameters_constant(test: NodeTest) -> Formed:
    """Parameters become initializers, as in real models."""
    names = _parameter_names(test)
    model = onnx.ModelProto.FromString(test.model.SerializeToString())
    kept, arrays = [], []
    for value, array in zip(model.graph.input, test.inputs, strict=True):
        if value.name in names:
            model.graph.initializer.append(numpy_helper.from_array(array, value.name))
        else:
            kept.append(onnx.ValueInfoProto.FromString(value.SerializeToString()))
            arrays.append(array)
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return model, tuple(arrays)


def axes_open(test: NodeTest) -> Formed:
    """Parameters are constants, and no size of any input is known."""
    model, arrays = parameters_constant(test)
    axis = 0
    for value in model.graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_value:
                dim.dim_param = f"d{axis}"
                axis += 1
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    return model, arrays


FORMS: Final[dict[str, Callable[[NodeTest], Formed]]] = {
    "inputs": as_it_is,
    "constants": parameters_constant,
    "open": axes_open,
}


def _parameter_names(test: NodeTest) -> frozenset[str]:
    """Of the test's own operator; an expanded function takes those of the test that it expands."""
    plain = plain_name(test.name)
    nodes = next((case.model.graph.node for case in all_tests() if case.name == plain), test.model.graph.node)
    found = [node for node in nodes if node.op_type in _PARAMETERS]
    if len(found) != 1:
        return frozenset()
    (node,) = found
    return frozenset(node.input[position] for position in _PARAMETERS[node.op_type] if position < len(node.input)) - {
        ""
    }
