"""ScatterElements and ScatterND with what MNN 3.6.1 ignores: reductions, and negative indices of the former."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build, Size
from workbench.rewrites.facts import FLOATS, INTEGER_RANGES, array_of, dims_of, numpy_type, rank_of, shape_of
from workbench.rewrites.families.indices import positive_indices
from workbench.rewrites.rule import Replacement, Rule

_MOST_COMPARED: Final = 2_000_000
"""Every place is compared with every update; above this many elements that is no remedy."""
_FOLDS: Final = {"add": "ReduceSum", "mul": "ReduceProd", "max": "ReduceMax", "min": "ReduceMin"}
_JOINS: Final = {"add": "Add", "mul": "Mul", "max": "Max", "min": "Min"}


@dataclass(frozen=True, slots=True)
class _Updates:
    """``places``: where each update goes among the ``rows`` of the data, each of ``width`` elements."""

    places: ir.Value
    rows: Size
    width: Size


def _reduced(node: ir.Node, build: Build) -> Replacement:
    reduction = node.attributes.get_string("reduction", "none")
    data, _, values = node.inputs
    if reduction not in _FOLDS or data is None or data.dtype not in FLOATS | INTEGER_RANGES.keys():
        return None
    updates = _of_nd(node, build) if node.op_type == "ScatterND" else _of_elements(node, build)
    if updates is None or values is None or _is_too_much(updates):
        return None
    rows = build.unsqueeze(build.range(updates.rows), 1)
    goes_here = build.op("Equal", rows, build.reshape(updates.places, [1, -1]))
    each = build.reshape(values, [1, -1, updates.width])
    chosen = build.op("Where", build.unsqueeze(goes_here, -1), each, build.like(data, _neutral(reduction, data)))
    total = build.reduce(_FOLDS[reduction], chosen, (1,), keepdims=False)
    joined = build.op(_JOINS[reduction], build.reshape(data, [updates.rows, updates.width]), total)
    return build.op("Reshape", joined, build.op("Shape", data))


def _is_too_much(updates: _Updates) -> bool:
    shape = shape_of(updates.places)
    if shape is None or isinstance(updates.rows, ir.Value) or isinstance(updates.width, ir.Value):
        return False
    return updates.rows * updates.width * int(np.prod(shape)) > _MOST_COMPARED


def _neutral(reduction: str, data: ir.Value) -> float | int:
    """What the reduction makes no difference of."""
    if reduction in ("add", "mul"):
        return int(reduction == "mul")
    if data.dtype in FLOATS:
        # Not infinity: MNN's ReduceMax begins with the lowest finite number.
        return float(np.finfo(np.float32).min if reduction == "max" else np.finfo(np.float32).max)
    limits = np.iinfo(numpy_type(data))  # MNN holds integers in 32 bits
    return max(int(limits.min), -(1 << 31)) if reduction == "max" else min(int(limits.max), (1 << 31) - 1)


def _product(sizes: Sequence[Size], build: Build) -> Size:
    known = int(np.prod([size for size in sizes if isinstance(size, int)], dtype=np.int64))
    computed = [size for size in sizes if isinstance(size, ir.Value)]
    if not computed:
        return known
    return build.joined("Mul", computed if known == 1 else [*computed, build.scalar(known)])


def _of_elements(node: ir.Node, build: Build) -> _Updates | None:
    data, indices = node.inputs[:2]
    rank = rank_of(data)
    if data is None or indices is None or rank is None:
        return None
    axis = node.attributes.get_int("axis", 0) % rank
    sizes = [build.size(data, place) for place in range(rank)]
    own = build.cast(indices, ir.DataType.INT64)
    parts = []
    for place in range(rank):
        step = build.scalar(_product(sizes[place + 1 :], build))
        if place == axis:
            along = positive_indices(own, data, axis, build) or own
        else:
            along = build.reshape(build.range(build.size(indices, place)), [-1, *[1] * (rank - 1 - place)])
        parts.append(build.op("Mul", along, step))
    return _Updates(build.joined("Add", parts), _product(sizes, build), 1)


def _of_nd(node: ir.Node, build: Build) -> _Updates | None:
    data, indices = node.inputs[:2]
    depth = _depth(indices)
    rank = rank_of(data)
    if data is None or indices is None or rank is None or depth is None:
        return None
    sizes = [build.size(data, axis) for axis in range(rank)]
    steps = build.sizes([_product(sizes[axis + 1 : depth], build) for axis in range(depth)])
    positive = _positive_tuples(indices, data, depth, build) or indices
    places = build.reduce("ReduceSum", build.op("Mul", positive, steps), (-1,), keepdims=False)
    return _Updates(places, _product(sizes[:depth], build), _product(sizes[depth:], build))


def _depth(indices: ir.Value | None) -> int | None:
    dims = dims_of(indices)
    return dims[-1] if dims else None


def _positive_tuples(indices: ir.Value, data: ir.Value, depth: int, build: Build) -> ir.Value | None:
    """Tuples of indices on the last axis, counted from the start; None where all are already."""
    array = array_of(indices)
    if array is not None and (array >= 0).all():
        return None
    counted = build.op("Add", indices, build.sizes([build.size(data, axis) for axis in range(depth)]))
    return build.op("Where", build.op("Greater", build.like(indices, 0), indices), counted, indices)


def _negative_elements(node: ir.Node, build: Build) -> Replacement:
    data, indices, values = node.inputs
    if data is None or indices is None or data.shape is None or indices.dtype is None:
        return None
    axis = node.attributes.get_int("axis", 0) % len(data.shape)
    positive = positive_indices(indices, data, axis, build)
    if positive is None:
        return None
    reduction = node.attributes.get_string("reduction", None)
    return build.op("ScatterElements", data, positive, values, axis=axis, reduction=reduction)


RULES: Final = (
    Rule(
        "scatter/reduced",
        ("ScatterElements", "ScatterND"),
        msg("Updates that are added, multiplied or compared are chosen for every place by comparison"),
        _reduced,
        effect=msg("Every place is compared with every update: slow where there are many"),
    ),
    Rule(
        "scatter/elements",
        ("ScatterElements",),
        msg("Negative indices of ScatterElements are counted from the start"),
        _negative_elements,
    ),
)
