"""Choices by position: OneHot, Hardmax, reversed sequences."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build, Size
from workbench.rewrites.facts import array_of, is_float, rank_of
from workbench.rewrites.rule import Replacement, Rule


def along(values: ir.Value, axis: int, rank: int, build: Build) -> ir.Value:
    """A vector laid along one of ``rank`` axes, to be broadcast over the others."""
    return build.reshape(values, [-1, *(1 for _ in range(rank - 1 - axis))])


def _one_hot(node: ir.Node, build: Build) -> Replacement:
    """MNN does not end with a depth that is a float, and takes other axes than the last for it."""
    indices, depth, values = node.inputs
    rank = rank_of(indices)
    if indices is None or depth is None or values is None or rank is None:
        return None
    axis = node.attributes.get_int("axis", -1) % (rank + 1)
    size = _scalar(depth, build)
    whole = build.cast(indices, ir.DataType.INT64)
    negative = build.op("Greater", build.constant(0, np.int64), whole)
    counted = build.op("Where", negative, build.op("Add", whole, build.scalar(size)), whole)
    places = along(build.range(size), axis, rank + 1, build)
    is_there = build.op("Equal", build.unsqueeze(counted, axis), places)
    return build.op("Where", is_there, build.at(values, 1), build.at(values, 0))


def _scalar(depth: ir.Value, build: Build) -> Size:
    array = array_of(depth)
    if array is not None:
        return int(array.ravel()[0])
    return build.reshape(build.cast(depth, ir.DataType.INT64), [])


def _hardmax(node: ir.Node, build: Build) -> Replacement:
    x = node.inputs[0]
    rank = rank_of(x)
    if x is None or rank is None or not is_float(x) or x.dtype is None:
        return None
    axis = node.attributes.get_int("axis", -1) % rank
    first = build.op("ArgMax", x, axis=axis, keepdims=1)
    places = along(build.range(build.size(x, axis)), axis, rank, build)
    return build.cast(build.op("Equal", first, places), x.dtype)


def _reverse_sequence(node: ir.Node, build: Build) -> Replacement:
    """Within its length, place t holds what was at length - 1 - t. MNN fails on a length of 0."""
    x, lengths = node.inputs
    rank = rank_of(x)
    if x is None or lengths is None or rank is None:
        return None
    batch, time = node.attributes.get_int("batch_axis", 1), node.attributes.get_int("time_axis", 0)
    places = along(build.range(build.size(x, time)), time, rank, build)
    length = along(build.cast(lengths, ir.DataType.INT64), batch, rank, build)
    mirrored = build.op("Sub", build.op("Sub", length, build.constant(1, np.int64)), places)
    source = build.op("Where", build.op("Greater", length, places), mirrored, places)
    wide = build.op("Expand", source, build.op("Shape", x))
    return build.op("GatherElements", x, wide, axis=time)


RULES: Final = (
    Rule("selection/one-hot", ("OneHot",), msg("OneHot is written as a comparison of indices with places"), _one_hot),
    Rule("selection/hardmax", ("Hardmax",), msg("Hardmax is written as a comparison with ArgMax"), _hardmax),
    Rule(
        "selection/reverse-sequence",
        ("ReverseSequence",),
        msg("ReverseSequence is written as GatherElements with computed indices"),
        _reverse_sequence,
    ),
)
