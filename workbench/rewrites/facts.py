"""What is known of a value: its type, its sizes, its numbers. Worker side."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import onnx_ir as ir
from numpy.typing import NDArray

Array = NDArray[Any]

FLOATS: Final = frozenset({ir.DataType.FLOAT, ir.DataType.DOUBLE, ir.DataType.FLOAT16, ir.DataType.BFLOAT16})
INTEGER_RANGES: Final = {
    ir.DataType.INT8: (-(1 << 7), (1 << 7) - 1),
    ir.DataType.UINT8: (0, (1 << 8) - 1),
    ir.DataType.INT16: (-(1 << 15), (1 << 15) - 1),
    ir.DataType.UINT16: (0, (1 << 16) - 1),
    ir.DataType.INT32: (-(1 << 31), (1 << 31) - 1),
    ir.DataType.UINT32: (0, (1 << 32) - 1),
    ir.DataType.INT64: (-(1 << 63), (1 << 63) - 1),
    ir.DataType.UINT64: (0, (1 << 64) - 1),
}


def array_of(value: ir.Value | None) -> Array | None:
    """The numbers of a constant; None for anything computed or fed."""
    if value is None or value.const_value is None or not value.is_initializer():
        return None
    return value.const_value.numpy()


def dims_of(value: ir.Value | None) -> tuple[int | None, ...] | None:
    """Every size, None where it is open; None where not even the rank is known."""
    if value is None or value.shape is None:
        return None
    return tuple(dim if isinstance(dim, int) else None for dim in value.shape)


def shape_of(value: ir.Value | None) -> tuple[int, ...] | None:
    """The sizes where all of them are known."""
    dims = dims_of(value)
    if dims is None or any(dim is None for dim in dims):
        return None
    return tuple(dim for dim in dims if dim is not None)


def rank_of(value: ir.Value | None) -> int | None:
    """The number of axes, None where unknown."""
    return None if value is None or value.shape is None else len(value.shape)


def is_float(value: ir.Value | None) -> bool:
    """Whether the value is known to be of a floating-point type."""
    return value is not None and value.dtype in FLOATS


def is_integer(value: ir.Value | None) -> bool:
    """Whether the value is known to be of an integer type; bool is none."""
    return value is not None and value.dtype in INTEGER_RANGES


def attributes_of(node: ir.Node) -> dict[str, Any]:
    """The node's attributes, for a node of the same operator."""
    return dict(node.attributes.items())


def input_at(node: ir.Node, position: int) -> ir.Value | None:
    """An optional input, None where it is left out."""
    return node.inputs[position] if position < len(node.inputs) else None


def is_used(node: ir.Node, position: int) -> bool:
    """Whether anything reads the output at ``position``."""
    if position >= len(node.outputs) or not node.outputs[position].name:
        return False
    output = node.outputs[position]
    return bool(output.uses()) or output.is_graph_output()


def numpy_type(value: ir.Value) -> np.dtype[Any]:
    """The numpy type of a value whose type is known."""
    assert value.dtype is not None
    return value.dtype.numpy()
