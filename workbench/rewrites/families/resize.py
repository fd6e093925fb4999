"""Resize, axis by axis: a choice of places, or a product with the matrix that resizes one axis.

The matrix is what Resize makes of an identity, so it follows ONNX in every mode; MNN 3.6.1 does so in few.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import Array, array_of, dims_of, input_at, is_float
from workbench.rewrites.rule import Replacement, Rule

_COORDINATES: Final = "coordinate_transformation_mode"
_KEPT: Final = (
    "antialias",
    _COORDINATES,
    "cubic_coeff_a",
    "exclude_outside",
    "mode",
    "nearest_mode",
)
_CROP: Final = "tf_crop_and_resize"
_POLICY: Final = "keep_aspect_ratio_policy"


@dataclass(frozen=True, slots=True)
class _Axis:
    """One axis that is resized. ``scale``, ``size``: one of them, the other None. ``roi``: what is cropped."""

    axis: int
    length: int
    scale: float | None
    size: int | None
    roi: tuple[float, float]


def _resized(node: ir.Node, build: Build) -> Replacement:
    x, axes = node.inputs[0], _axes_of(node)
    if x is None or axes is None or x.dtype is None:
        return None
    is_choice = node.attributes.get_string("mode", "nearest") == "nearest"
    if not is_choice and not is_float(x):
        return None
    result, outside = x, None
    rank = len(dims_of(x) or ())
    for axis in axes:
        matrix = _matrix(node, axis, np.eye(axis.length, dtype=np.float32), 0.0, build)
        if is_choice:
            result = build.op("Gather", result, build.op("ArgMax", matrix, axis=1, keepdims=0), axis=axis.axis)
        else:
            result = _product(result, matrix, axis.axis, rank, build)
        if _is_crop(node):
            outside = _outside(node, axis, rank, outside, build)
    if outside is None:
        return result
    value = build.like(x, node.attributes.get_float("extrapolation_value", 0.0))
    return build.op("Where", outside, value, result)


def _axes_of(node: ir.Node) -> list[_Axis] | None:
    """The axes that change; None where that or by how much is not known."""
    dims = dims_of(node.inputs[0])
    roi, scales, sizes = (array_of(input_at(node, place)) for place in (1, 2, 3))
    scales, sizes = _given(scales), _given(sizes)
    if dims is None or (scales is None) == (sizes is None) or (_is_crop(node) and _given(roi) is None):
        return None
    chosen = [axis % len(dims) for axis in node.attributes.get_ints("axes", range(len(dims)))]
    policy = node.attributes.get_string(_POLICY, "stretch")
    if sizes is not None and policy != "stretch":
        scales, sizes = _in_proportion(sizes, [dims[axis] for axis in chosen], policy), None
        if scales is None:
            return None
    found = []
    for place, axis in enumerate(chosen):
        scale = None if scales is None else float(scales[place])
        size = None if sizes is None else int(sizes[place])
        length = dims[axis]
        if scale == 1.0 or (size is not None and size == length and not _is_crop(node)):
            continue
        if length is None or _is_undefined(node, length, scale, size):
            return None
        ends = (
            (float(roi[place]), float(roi[place + len(chosen)])) if _is_crop(node) and roi is not None else (0.0, 1.0)
        )
        found.append(_Axis(axis, length, scale, size, ends))
    return found or None


def _is_undefined(node: ir.Node, length: int, scale: float | None, size: int | None) -> bool:
    """onnx's evaluator and onnxruntime differ on a single place of PyTorch's."""
    count = math.floor(length * (scale or 0)) if size is None else size
    return count == 1 and node.attributes.get_string(_COORDINATES, "half_pixel") == "pytorch_half_pixel"


def _given(array: Array | None) -> Array | None:
    return None if array is None or array.size == 0 else array


def _is_crop(node: ir.Node) -> bool:
    return node.attributes.get_string(_COORDINATES, "half_pixel") == _CROP


def _in_proportion(sizes: Array, lengths: list[int | None], policy: str) -> Array | None:
    """The one scale of all axes; None where onnx would round the sizes up, which a scale does not."""
    known = [length for length in lengths if length is not None]
    if len(known) < len(lengths):
        return None
    ratios = [int(size) / length for size, length in zip(sizes, known, strict=True)]
    scale = min(ratios) if policy == "not_larger" else max(ratios)
    if any(math.floor(scale * length + 0.5) != math.floor(scale * length) for length in known):
        return None
    return np.full(len(known), scale, np.float32)


def _matrix(node: ir.Node, axis: _Axis, square: Array, extrapolation: float, build: Build) -> ir.Value:
    """What the node makes of the first axis of ``square``: [resized, length]; folded to a constant."""
    attributes: dict[str, Any] = {name: node.attributes.get(name) for name in _KEPT}
    roi = build.constant([axis.roi[0], 0, axis.roi[1], 1], np.float32) if _is_crop(node) else None
    scales = None if axis.scale is None else build.constant([axis.scale, 1], np.float32)
    sizes = None if axis.size is None else build.ints(axis.size, axis.length)
    return build.op(
        "Resize", build.constant(square), roi, scales, sizes, extrapolation_value=extrapolation, **attributes
    )


def _product(x: ir.Value, matrix: ir.Value, axis: int, rank: int, build: Build) -> ir.Value:
    if axis == rank - 1:
        return build.op("MatMul", x, build.transpose(matrix, 1, 0))
    if axis == rank - 2:
        return build.op("MatMul", matrix, x)
    order = [*range(rank)]
    order[axis], order[-1] = order[-1], order[axis]
    last = build.op("MatMul", build.transpose(x, *order), build.transpose(matrix, 1, 0))
    return build.transpose(last, *order)


def _outside(node: ir.Node, axis: _Axis, rank: int, others: ir.Value | None, build: Build) -> ir.Value:
    """Where the crop leaves the input, on this axis or on ``others``."""
    nothing = np.zeros((axis.length, axis.length), np.float32)
    marked = build.reduce("ReduceMax", _matrix(node, axis, nothing, 1.0, build), (1,), keepdims=False)
    own = build.op("Greater", marked, build.constant(0.5, np.float32))
    own = build.reshape(own, [-1, *[1] * (rank - 1 - axis.axis)])
    return own if others is None else build.op("Or", others, own)


def _chosen(node: ir.Node, build: Build) -> Replacement:
    attributes = node.attributes
    if attributes.get_string("mode", "nearest") != "nearest":
        return None
    modes = (
        attributes.get_string(_COORDINATES, "half_pixel"),
        attributes.get_string("nearest_mode", "round_prefer_floor"),
    )
    if modes == ("asymmetric", "floor") and "axes" not in attributes and _POLICY not in attributes:
        return None  # which MNN does right, and faster
    return _resized(node, build)


def _multiplied(node: ir.Node, build: Build) -> Replacement:
    return None if node.attributes.get_string("mode", "nearest") == "nearest" else _resized(node, build)


_TITLE: Final = msg("Resize is written as a choice of places, or as a product with constant matrices")

RULES: Final = (
    Rule("resize/nearest", ("Resize",), _TITLE, _chosen),
    Rule("resize/interpolated", ("Resize",), _TITLE, _multiplied, effect=msg("Resizing becomes products of matrices")),
)
