"""Reductions: MNN 3.6.1 wants their axes said, and lacks those that are made of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import array_of, input_at, is_float, rank_of, shape_of
from workbench.rewrites.rule import Replacement, Rule

Axes = Sequence[int]


def _axes(node: ir.Node) -> Axes | None:
    """The axes to reduce over, [] for none; None where they are not known."""
    rank = rank_of(node.inputs[0])
    given = input_at(node, 1)
    found: list[int] | None
    if given is None:
        found = list(node.attributes.get_ints("axes", ()))
    else:
        array = array_of(given)
        found = [] if shape_of(given) == (0,) else None if array is None else [int(axis) for axis in array.ravel()]
    if found is None or found or node.attributes.get_int("noop_with_empty_axes", 0) != 0:
        return found
    return None if rank is None else range(rank)


def _parts(node: ir.Node) -> tuple[ir.Value, Axes, bool] | None:
    axes = _axes(node)
    x = node.inputs[0]
    return None if axes is None or x is None else (x, axes, bool(node.attributes.get_int("keepdims", 1)))


def _reduced(op: str, x: ir.Value, axes: Axes, build: Build, *, keepdims: bool) -> ir.Value:
    return build.reduce(op, x, axes, keepdims=keepdims) if axes else x


def _all_axes(node: ir.Node, build: Build) -> Replacement:
    """Without axes, over all of them; over none, nothing. Axes that are said are right."""
    given = array_of(input_at(node, 1))
    parts = _parts(node)
    if parts is None or (given is not None and given.size):
        return None
    x, axes, keepdims = parts
    return _reduced(node.op_type, x, axes, build, keepdims=keepdims)


def _of_bools(node: ir.Node, build: Build) -> Replacement:
    parts = _parts(node)
    if parts is None or parts[0].dtype != ir.DataType.BOOL:
        return None
    x, axes, keepdims = parts
    number = build.cast(x, ir.DataType.INT32)
    return build.cast(_reduced(node.op_type, number, axes, build, keepdims=keepdims), ir.DataType.BOOL)


def _l1(x: ir.Value, axes: Axes, build: Build, keepdims: bool) -> ir.Value:
    return _reduced("ReduceSum", build.op("Abs", x), axes, build, keepdims=keepdims)


def _square(x: ir.Value, axes: Axes, build: Build, keepdims: bool) -> ir.Value:
    return _reduced("ReduceSum", build.op("Mul", x, x), axes, build, keepdims=keepdims)


def _l2(x: ir.Value, axes: Axes, build: Build, keepdims: bool) -> ir.Value:
    return build.op("Sqrt", _square(x, axes, build, keepdims))


def _log_sum(x: ir.Value, axes: Axes, build: Build, keepdims: bool) -> ir.Value:
    return build.op("Log", _reduced("ReduceSum", x, axes, build, keepdims=keepdims))


def _log_sum_exp(x: ir.Value, axes: Axes, build: Build, keepdims: bool) -> ir.Value:
    if not axes:
        return x
    largest = build.reduce("ReduceMax", x, axes, keepdims=True)
    total = build.reduce("ReduceSum", build.op("Exp", build.op("Sub", x, largest)), axes, keepdims=True)
    result = build.op("Add", build.op("Log", total), largest)
    return result if keepdims else build.squeeze(result, *axes)


_COMPOSED: Final[dict[str, Callable[[ir.Value, Axes, Build, bool], ir.Value]]] = {
    "ReduceL1": _l1,
    "ReduceL2": _l2,
    "ReduceSumSquare": _square,
    "ReduceLogSum": _log_sum,
    "ReduceLogSumExp": _log_sum_exp,
}


def _composed(node: ir.Node, build: Build) -> Replacement:
    parts = _parts(node)
    if parts is None:
        return None
    x, axes, keepdims = parts
    return _COMPOSED[node.op_type](x, axes, build, keepdims)


_OF_NOTHING: Final = {"ReduceProd": 1.0, "ReduceMean": np.nan, "ReduceMax": -np.inf, "ReduceMin": np.inf}


def _of_nothing(node: ir.Node, build: Build) -> Replacement:
    """A reduction over an axis of size 0."""
    shape, result = shape_of(node.inputs[0]), shape_of(node.outputs[0])
    if shape is None or result is None or 0 not in shape or 0 in result or not is_float(node.inputs[0]):
        return None
    return build.constant(np.full(result, _OF_NOTHING.get(node.op_type, 0.0)), np.float32)


def _last_of_equals(node: ir.Node, build: Build) -> Replacement:
    """MNN tells the first of equal values; the last is the first from the other end."""
    x = node.inputs[0]
    rank = rank_of(x)
    if not node.attributes.get_int("select_last_index", 0) or x is None or rank is None:
        return None
    axis = node.attributes.get_int("axis", 0) % rank
    keepdims = node.attributes.get_int("keepdims", 1)
    from_end = build.op(node.op_type, build.reversed(x, axis), axis=axis, keepdims=keepdims)
    last = build.op("Sub", build.scalar(build.size(x, axis)), build.constant(1, np.int64))
    return build.op("Sub", last, from_end)


_PLAIN: Final = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd")

RULES: Final = (
    Rule("reductions/nothing", _PLAIN, msg("A reduction over nothing is written as its known result"), _of_nothing),
    Rule("reductions/bools", ("ReduceMax", "ReduceMin"), msg("A reduction of bools is one of integers"), _of_bools),
    Rule("reductions/axes", _PLAIN, msg("The axes of a reduction, all by default, are written out"), _all_axes),
    Rule(
        "reductions/composed",
        tuple(_COMPOSED),
        msg("The reduction is written with the operators that it is made of"),
        _composed,
    ),
    Rule(
        "reductions/last-index",
        ("ArgMax", "ArgMin"),
        msg("The last of equal values is found as the first from the other end"),
        _last_of_equals,
    ),
)
