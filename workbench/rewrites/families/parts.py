"""Split and Concat: uneven parts, and parts that hold nothing."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import array_of, dims_of, input_at, numpy_type, shape_of
from workbench.rewrites.rule import Replacement, Rule


def _uneven(node: ir.Node, build: Build) -> Replacement:
    """MNN makes every part as long as the last."""
    x, dims = node.inputs[0], dims_of(node.inputs[0])
    if input_at(node, 1) is not None or dims is None:
        return None
    axis, count = node.attributes.get_int("axis", 0) % len(dims), len(node.outputs)
    size = dims[axis]
    if size is None or size % count == 0:
        return None
    part = -(-size // count)
    sizes = build.ints(*[part] * (count - 1), size - part * (count - 1))
    return build.ops("Split", [x, sizes], count, axis=axis)


def _with_empty_parts(node: ir.Node, build: Build) -> Replacement:
    """What is empty is a constant; MNN gives it garbage."""
    x, dims, sizes = node.inputs[0], dims_of(node.inputs[0]), array_of(input_at(node, 1))
    if x is None or dims is None or sizes is None or x.dtype is None or (sizes != 0).all():
        return None
    axis = node.attributes.get_int("axis", 0) % len(dims)
    others = [size for place, size in enumerate(dims) if place != axis]
    shape = [0 if place == axis else size for place, size in enumerate(dims)]
    if any(size is None for size in others):
        return None
    empty = build.constant(np.zeros([size or 0 for size in shape], numpy_type(x)))
    kept = [int(size) for size in sizes if size]
    parts = iter([x] if len(kept) == 1 else build.ops("Split", [x, build.ints(*kept)], len(kept), axis=axis))
    return [next(parts) if size else empty for size in sizes]


def _without_empty_inputs(node: ir.Node, build: Build) -> Replacement:
    inputs = [value for value in node.inputs if value is not None]
    kept = [value for value in inputs if 0 not in (dims_of(value) or ())]
    if len(kept) == len(inputs) or not kept or any(shape_of(value) == () for value in kept):
        return None
    axis = node.attributes.get_int("axis", 0)
    return kept[0] if len(kept) == 1 else build.op("Concat", *kept, axis=axis)


RULES: Final = (
    Rule("parts/split-uneven", ("Split",), msg("The sizes of uneven parts are written out"), _uneven),
    Rule("parts/split-empty", ("Split",), msg("Empty parts are left out of Split"), _with_empty_parts),
    Rule("parts/concat-empty", ("Concat",), msg("Empty inputs are left out of Concat"), _without_empty_inputs),
)
