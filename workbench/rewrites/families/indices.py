"""Negative pads and indices, and pads of some axes: MNN 3.6.1 crashes on them or computes others."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import array_of, dims_of, input_at, rank_of, shape_of
from workbench.rewrites.rule import Replacement, Rule


def _pads(node: ir.Node) -> tuple[list[int], list[int]] | None:
    """Before and after every axis; None where they are not known."""
    rank = rank_of(node.inputs[0])
    amounts, axes = array_of(input_at(node, 1)), input_at(node, 3)
    chosen = np.arange(rank or 0) if axes is None else array_of(axes)
    if rank is None or amounts is None or chosen is None:
        return None
    before, after = [0] * rank, [0] * rank
    for position, axis in enumerate(chosen.ravel()):
        before[axis % rank] = int(amounts[position])
        after[axis % rank] = int(amounts[position + chosen.size])
    return before, after


def _pad(node: ir.Node, build: Build) -> Replacement:
    """The negative part is a Slice; the rest names every axis."""
    found = _pads(node)
    x = node.inputs[0]
    if found is None or x is None:
        return None
    before, after = found
    negative = any(pad < 0 for pad in (*before, *after))
    if not negative and input_at(node, 3) is None:
        return None
    if negative:
        axes = [axis for axis in range(len(before)) if before[axis] < 0 or after[axis] < 0]
        starts = [max(-before[axis], 0) for axis in axes]
        x = build.slice(x, starts, [after[axis] if after[axis] < 0 else None for axis in axes], axes)
        before, after = [max(pad, 0) for pad in before], [max(pad, 0) for pad in after]
    if not any((*before, *after)):
        return x
    mode = node.attributes.get_string("mode", "constant")
    return build.op("Pad", x, build.ints(*before, *after), input_at(node, 2), mode=mode)


def _pad_of_computed_amounts(node: ir.Node, build: Build) -> Replacement:
    """Some axes, by amounts that are computed: the amounts of the others are 0."""
    rank, axes, amounts = rank_of(node.inputs[0]), array_of(input_at(node, 3)), input_at(node, 1)
    if rank is None or axes is None or amounts is None or array_of(amounts) is not None:
        return None
    chosen = [int(axis) % rank for axis in axes.ravel()]
    parts = []
    for half in range(2):
        for axis in range(rank):
            place = chosen.index(axis) + half * len(chosen) if axis in chosen else -1
            parts.append(build.ints(0) if place < 0 else build.slice(amounts, [place], [place + 1], [0]))
    mode = node.attributes.get_string("mode", "constant")
    return build.op("Pad", node.inputs[0], build.op("Concat", *parts, axis=0), input_at(node, 2), mode=mode)


def _pad_around(node: ir.Node, build: Build) -> Replacement:
    found = _pads(node)
    x, shape = node.inputs[0], shape_of(node.inputs[0])
    if node.attributes.get_string("mode", "constant") != "wrap" or found is None or x is None or shape is None:
        return None
    if any(pad < 0 for pads in found for pad in pads):
        return None  # what is cut is cut first, and does not come back around
    for axis, (before, after) in enumerate(zip(*found, strict=True)):
        if before or after:
            places = np.arange(-before, shape[axis] + after) % shape[axis]
            x = build.op("Gather", x, build.constant(places, np.int64), axis=axis)
    return x


def positive_indices(indices: ir.Value, x: ir.Value, axis: int, build: Build) -> ir.Value | None:
    """``indices`` into an axis of ``x`` with negative ones counted from the start; None where there are none."""
    array = array_of(indices)
    if array is not None and (array >= 0).all():
        return None
    size = build.size(x, axis)
    if array is not None and isinstance(size, int):
        return build.constant(np.where(array < 0, array + size, array), array.dtype)
    length = (
        build.cast(size, indices.dtype or ir.DataType.INT64)
        if isinstance(size, ir.Value)
        else build.like(indices, size)
    )
    return build.op(
        "Where", build.op("Greater", build.like(indices, 0), indices), build.op("Add", indices, length), indices
    )


def _gather_elements(node: ir.Node, build: Build) -> Replacement:
    x, indices = node.inputs
    dims = dims_of(x)
    if x is None or indices is None or dims is None or indices.dtype is None:
        return None
    axis = node.attributes.get_int("axis", 0) % len(dims)
    positive = positive_indices(indices, x, axis, build)
    return None if positive is None else build.op("GatherElements", x, positive, axis=axis)


RULES: Final = (
    Rule("indices/pad-around", ("Pad",), msg("A pad that wraps around is written as Gather"), _pad_around),
    Rule("indices/pad", ("Pad",), msg("Negative pads are written as Slice, and every axis is named"), _pad),
    Rule("indices/pad-axes", ("Pad",), msg("A pad of some axes names every axis"), _pad_of_computed_amounts),
    Rule(
        "indices/gather-elements",
        ("GatherElements",),
        msg("Negative indices of GatherElements are counted from the start"),
        _gather_elements,
    ),
)
