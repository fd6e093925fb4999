"""Constants computed ahead, by onnx's own evaluator: MNN's converter gets some of them wrong. Worker side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import onnx
import onnx_ir as ir
from numpy.typing import NDArray
from onnx.reference import ReferenceEvaluator

from workbench.rewrites.facts import array_of, dims_of, shape_of
from workbench.rewrites.identity import bodies

_MOST_ELEMENTS: Final = 4_000_000
_NEVER: Final = frozenset(
    {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli", "Dropout"}
)


def folded(node: ir.Node, opset: int) -> Sequence[NDArray[Any] | None] | None:
    """The node's outputs where they are known ahead, None for one that is left out; None alone: they are not."""
    if node.domain != "" or node.op_type in _NEVER or any(True for _ in bodies(node)):
        return None
    if node.op_type == "Shape":
        return _shape(node)
    if node.op_type == "Size":
        shape = shape_of(node.inputs[0])
        return None if shape is None else (np.array(np.prod(shape, dtype=np.int64), np.int64),)
    arrays = [None if value is None else array_of(value) for value in node.inputs]
    computed = any(array is None and value is not None for array, value in zip(arrays, node.inputs, strict=True))
    return None if computed or _is_large(node, arrays) else _evaluated(node, arrays, opset)


def _shape(node: ir.Node) -> Sequence[NDArray[Any]] | None:
    dims = dims_of(node.inputs[0])
    if dims is None:
        return None
    part = dims[node.attributes.get_int("start", 0) : node.attributes.get_int("end", len(dims))]
    if any(dim is None for dim in part):
        return None
    return (np.array([dim for dim in part if dim is not None], np.int64),)


def _is_large(node: ir.Node, arrays: Sequence[NDArray[Any] | None]) -> bool:
    """Whether the result may be; onnx's evaluator is slow and must not fill the memory."""
    if any(array is not None and array.size > _MOST_ELEMENTS for array in arrays):
        return True
    shapes = [shape_of(output) for output in node.outputs]
    if any(shape is not None and np.prod(shape) > _MOST_ELEMENTS for shape in shapes):
        return True
    makes_room = node.op_type in ("ConstantOfShape", "Expand", "Tile", "Range", "Resize", "Pad", "OneHot", "EyeLike")
    return makes_room and any(shape is None for shape in shapes)


def _evaluated(
    node: ir.Node, arrays: Sequence[NDArray[Any] | None], opset: int
) -> Sequence[NDArray[Any] | None] | None:
    feeds = {
        value.name: array
        for value, array in zip(node.inputs, arrays, strict=True)
        if value is not None and array is not None and value.name
    }
    inputs = [
        onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in feeds.items()
    ]
    names = [output.name for output in node.outputs if output.name]
    outputs = [onnx.ValueInfoProto(name=name) for name in names]
    graph = onnx.helper.make_graph([ir.serde.serialize_node(node)], "constant", inputs, outputs)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    try:
        with np.errstate(all="ignore"):
            results = dict(zip(names, ReferenceEvaluator(model).run(None, feeds), strict=True))
    except (ValueError, TypeError, RuntimeError, IndexError, KeyError, NotImplementedError, AttributeError):
        return None  # an operator that onnx's evaluator lacks is left to the engine
    arrays_out = [results.get(output.name or "") for output in node.outputs]
    if not all(array is None or isinstance(array, (np.ndarray, np.generic)) for array in arrays_out):
        return None
    return [None if array is None else np.asarray(array) for array in arrays_out]
