"""Sampling between the places of an input: GridSample and DeformConv, as weighted sums of gathered elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import Array, input_at, is_float, shape_of
from workbench.rewrites.rule import Replacement, Rule

_F: Final = ir.DataType.FLOAT
_CUBIC: Final = -0.75
"""The coefficient of onnx's GridSample."""
_NAMES: Final = {"bilinear": "linear", "bicubic": "cubic"}


@dataclass(frozen=True, slots=True)
class _Tap:
    """One place read on one axis, int64. ``weight``: None for 1. ``inside``: where it is in the input, None: always."""

    place: ir.Value
    weight: ir.Value | None
    inside: ir.Value | None


def _number(number: float, build: Build) -> ir.Value:
    return build.constant(number, np.float32)


def _grid_sample(node: ir.Node, build: Build) -> Replacement:
    x, grid = node.inputs
    shape, wanted = shape_of(x), shape_of(grid)
    if x is None or grid is None or shape is None or wanted is None or not is_float(x) or 0 in (*shape, *wanted):
        return None
    batch, channels, *sizes = shape
    count = math.prod(wanted[1:-1])
    flat = build.reshape(build.cast(grid, _F), [batch, count, len(sizes)])
    taps = []
    for axis, size in enumerate(sizes):
        # The last coordinate is that of the last axis; onnx counts them from there.
        taps.append(_taps(node, build.at(flat, len(sizes) - 1 - axis, 2), size, build))
    lines = build.reshape(x, [batch, channels, math.prod(sizes)])
    total = _weighted(lines, taps, sizes, (batch, 1, count), (batch, channels, count), build)
    return build.reshape(total, [batch, channels, *wanted[1:-1]])


def _taps(node: ir.Node, coordinate: ir.Value, size: int, build: Build) -> list[_Tap]:
    """What is read along one axis for coordinates from -1 to 1."""
    mode = node.attributes.get_string("mode", "linear")
    mode = _NAMES.get(mode, mode)
    is_aligned = bool(node.attributes.get_int("align_corners", 0))
    above = build.op("Add", coordinate, _number(1, build))
    if is_aligned:
        at = build.op("Mul", above, _number((size - 1) / 2, build))
    else:
        at = build.op(
            "Mul", build.op("Sub", build.op("Mul", above, _number(size, build)), _number(1, build)), _number(0.5, build)
        )
    padding = node.attributes.get_string("padding_mode", "zeros")
    if mode == "nearest":
        return [_tap(build.op("Round", at), None, padding, size, build, is_aligned=is_aligned)]
    below = build.op("Floor", at)
    part = build.op("Sub", at, below)
    if mode == "linear":
        weights = {0: build.op("Sub", _number(1, build), part), 1: part}
    else:
        weights = {step: _cubic(part, step, build) for step in range(-1, 3)}
    return [
        _tap(build.op("Add", below, _number(step, build)), weight, padding, size, build, is_aligned=is_aligned)
        for step, weight in weights.items()
    ]


def _cubic(part: ir.Value, step: int, build: Build) -> ir.Value:
    """Keys' weight of the place ``step`` from the one below."""
    distance = build.op("Abs", build.op("Sub", part, _number(step, build)))
    near = (1.0, 0.0, -(_CUBIC + 3), _CUBIC + 2)
    far = (-4 * _CUBIC, 8 * _CUBIC, -5 * _CUBIC, _CUBIC)
    lowest, *higher = near if step in (0, 1) else far
    result = _number(higher[-1], build)
    for coefficient in (*reversed(higher[:-1]), lowest):
        result = build.op("Add", build.op("Mul", result, distance), _number(coefficient, build))
    return result


def _tap(at: ir.Value, weight: ir.Value | None, padding: str, size: int, build: Build, *, is_aligned: bool) -> _Tap:
    """``at``: a whole number, in the input or not."""
    inside = None
    if padding == "zeros":
        inside = _within(at, size, build)
    elif padding == "reflection":
        at = _reflected(at, size, build, is_aligned=is_aligned)
    return _Tap(_clamped(at, size, build), weight, inside)


def _within(at: ir.Value, size: int, build: Build) -> ir.Value:
    last = build.op("GreaterOrEqual", _number(size - 1, build), at)
    return build.op("And", build.op("GreaterOrEqual", at, _number(0, build)), last)


def _clamped(at: ir.Value, size: int, build: Build) -> ir.Value:
    kept = build.op("Min", build.op("Max", at, _number(0, build)), _number(size - 1, build))
    return build.cast(kept, ir.DataType.INT64)


def _reflected(at: ir.Value, size: int, build: Build, *, is_aligned: bool) -> ir.Value:
    """At the middle of the outer places, or at their outer ends."""
    low, high = (0.0, size - 1.0) if is_aligned else (-0.5, size - 0.5)
    reach = high - low
    if reach == 0:
        return at
    above = build.op("Sub", at, _number(low, build))
    turns = build.op("Floor", build.op("Div", above, _number(2 * reach, build)))
    left = build.op("Sub", above, build.op("Mul", turns, _number(2 * reach, build)))
    back = build.op("Abs", build.op("Sub", left, _number(reach, build)))
    return build.op("Floor", build.op("Add", build.op("Sub", _number(high, build), back), _number(0.5, build)))


def _weighted(
    lines: ir.Value,
    taps: Sequence[Sequence[_Tap]],
    sizes: Sequence[int],
    own: Sequence[int],
    wide: Sequence[int],
    build: Build,
) -> ir.Value:
    """The sum over all taps of all axes.

    ``lines``: elements on the last axis. ``own``: the shape of taps; ``wide``: what they are spread to.
    """
    steps = [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    parts = []
    for corner in itertools.product(*taps):
        scaled = [
            build.op("Mul", tap.place, build.constant(step, np.int64)) for tap, step in zip(corner, steps, strict=True)
        ]
        places = build.op("Expand", build.reshape(build.joined("Add", scaled), own), build.ints(*wide))
        value = build.op("GatherElements", lines, places, axis=len(wide) - 1)
        weights = [tap.weight for tap in corner if tap.weight is not None]
        if weights:
            weight = build.cast(build.joined("Mul", weights), lines.dtype or _F)
            value = build.op("Mul", value, build.reshape(weight, own))
        inside = [tap.inside for tap in corner if tap.inside is not None]
        if inside:
            value = build.op("Where", build.reshape(build.joined("And", inside), own), value, build.like(lines, 0))
        parts.append(value)
    return build.joined("Add", parts)


def _deformed(node: ir.Node, build: Build) -> Replacement:
    """Places of the kernel, moved by the offsets, are sampled and then multiplied."""
    x, weights, offset = node.inputs[:3]
    bias, mask = input_at(node, 3), input_at(node, 4)
    shape, kernel, moved = shape_of(x), shape_of(weights), shape_of(offset)
    if x is None or weights is None or offset is None or shape is None or kernel is None or moved is None:
        return None
    if len(shape) != 4 or x.dtype != _F:
        return None
    groups, offset_groups = (node.attributes.get_int(name, 1) for name in ("group", "offset_group"))
    batch, channels, *sizes = shape
    places, count = math.prod(moved[2:]), math.prod(kernel[2:])
    offsets = build.reshape(offset, [batch, offset_groups, count, 2, places])
    taps = []
    for axis, size in enumerate(sizes):
        at = build.op("Add", build.at(offsets, axis, 3), build.constant(_undeformed(node, axis, kernel, moved)))
        below = build.op("Floor", at)
        part = build.op("Sub", at, below)
        pairs = ((below, build.op("Sub", _number(1, build), part)), (build.op("Add", below, _number(1, build)), part))
        taps.append([_Tap(_clamped(to, size, build), weight, _within(to, size, build)) for to, weight in pairs])
    own = (batch, offset_groups, 1, count * places)
    wide = (batch, offset_groups, channels // offset_groups, count * places)
    lines = build.reshape(x, [batch, offset_groups, channels // offset_groups, math.prod(sizes)])
    total = _weighted(lines, taps, sizes, own, wide, build)
    if mask is not None:
        total = build.op("Mul", total, build.reshape(mask, own))
    columns = build.reshape(total, [batch, groups, channels // groups * count, places])
    matrix = build.reshape(weights, [1, groups, kernel[0] // groups, kernel[1] * count])
    result = build.reshape(build.op("MatMul", matrix, columns), [batch, kernel[0], *moved[2:]])
    return result if bias is None else build.op("Add", result, build.reshape(bias, [1, -1, 1, 1]))


def _undeformed(node: ir.Node, axis: int, kernel: Sequence[int], moved: Sequence[int]) -> Array:
    """Where the kernel's places lie on one axis without offsets: [1, 1, places in the kernel, places of the output]."""
    stride = node.attributes.get_ints("strides", (1, 1))[axis]
    dilation = node.attributes.get_ints("dilations", (1, 1))[axis]
    pad = node.attributes.get_ints("pads", (0,) * 4)[axis]
    inside = np.indices(kernel[2:])[axis].reshape(-1, 1)
    first = np.indices(moved[2:])[axis].reshape(1, -1)
    places: Array = first * stride - pad + inside * dilation
    return places.astype(np.float32)[None, None]


_COST: Final = msg("Every tap gathers its elements by itself: slower than an operator of its own")

RULES: Final = (
    Rule(
        "sampling/grid",
        ("GridSample",),
        msg("GridSample is written as a weighted sum of gathered elements"),
        _grid_sample,
        effect=_COST,
    ),
    Rule(
        "sampling/deformed",
        ("DeformConv",),
        msg("DeformConv is written as a weighted sum of gathered elements and a product"),
        _deformed,
        effect=_COST,
    ),
)
