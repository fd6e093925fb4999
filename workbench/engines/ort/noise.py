"""A model whose weights move by one unit in the last place: how far its outputs move is what rounding may do.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from onnx import TensorProto, numpy_helper

_FLOATS: Final = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16)
_SMALLEST: Final = 9
"""Tensors of up to 8 values may be Resize's scales, Pad's values or a clip's bounds, where one unit
changes a shape or nothing at all."""


def add_noise(model: Any, seed: int) -> None:
    """Move every weight of ``model`` one unit up or down, at random, in place."""
    random = np.random.default_rng(seed)
    for tensor in _weights(model.graph):
        values = numpy_helper.to_array(tensor)
        towards = np.where(random.random(values.shape) < 0.5, -np.inf, np.inf).astype(values.dtype)
        moved = np.nextafter(values, towards)
        kept = np.where(np.isfinite(moved), moved, values)  # masks are filled with the lowest float
        tensor.CopyFrom(numpy_helper.from_array(kept, tensor.name))


def _weights(graph: Any) -> Iterator[Any]:
    for tensor in graph.initializer:
        if _is_weight(tensor):
            yield tensor
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t") and node.op_type == "Constant" and _is_weight(attribute.t):
                yield attribute.t
            if attribute.HasField("g"):
                yield from _weights(attribute.g)


def _is_weight(tensor: Any) -> bool:
    return tensor.data_type in _FLOATS and int(np.prod(tensor.dims)) >= _SMALLEST
