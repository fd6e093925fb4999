"""Pooling that MNN 3.6.1 crashes on or computes otherwise: dilated, 3-D, rounded up, padded unevenly.

Windows are taken apart: the k-th element of every window is one strided slice, and the slices are
put together by Max or Add. Sizes may be open, but where the windows' number cannot be told without them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any, Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import INTEGER_RANGES, is_float, is_used, numpy_type, shape_of
from workbench.rewrites.rule import Replacement, Rule
from workbench.rewrites.windows import SAME, Windows, padded, slices, trimmed, windows_of, without_cuts

_MOST_SLICES: Final = 128


def _written_out(node: ir.Node, build: Build) -> Replacement:
    """MNN divides by zero where strides are left out, and pads three axes by numbers alone."""
    windows = windows_of(node)
    named = node.attributes.get_string("auto_pad", "NOTSET") in SAME
    written = "strides" in node.attributes and ("pads" in node.attributes or "auto_pad" in node.attributes)
    rounds_up = _rounds_up(node) and node.op_type == "MaxPool" and len(_kernel(node)) > 2
    if windows is None or (written and not named and not rounds_up):
        return None
    after = windows.after
    kept = {name: value for name, value in node.attributes.items() if name != "auto_pad"}
    if rounds_up:  # what counts for the largest value is only that a window reaches there
        if min(windows.beyond) < 0:
            return None
        after = tuple(a + b for a, b in zip(after, windows.beyond, strict=True))
        del kept["ceil_mode"]
    given: dict[str, Any] = kept | {"strides": windows.strides, "pads": (*windows.before, *after)}
    return build.ops(node.op_type, node.inputs, len(node.outputs), **given)


def _kernel(node: ir.Node) -> Sequence[int]:
    return node.attributes.get_ints("kernel_shape", ())


def _rounds_up(node: ir.Node) -> bool:
    return bool(node.attributes.get_int("ceil_mode", 0))


def _is_plain(node: ir.Node, windows: Windows) -> bool:
    """What MNN computes right once its attributes are written out."""
    same = node.attributes.get_string("auto_pad", "NOTSET") in SAME
    if same or set(windows.dilations) != {1} or is_used(node, 1) or not is_float(node.inputs[0]):
        return False
    if _rounds_up(node) and (
        node.op_type == "LpPool" or any(s > r for s, r in zip(windows.strides, windows.reach, strict=True))
    ):
        return False
    if len(windows.kernel) <= 2:
        return True
    padded_mean = node.op_type == "AveragePool" and windows.is_padded
    # MNN pads three axes on both sides by what is to come before them.
    return node.op_type != "LpPool" and not _rounds_up(node) and not padded_mean and windows.before == windows.after


def _max_pool(node: ir.Node, build: Build) -> Replacement:
    x, windows = node.inputs[0], windows_of(node)
    if (
        x is None
        or x.dtype is None
        or windows is None
        or _is_plain(node, windows)
        or prod(windows.kernel) > _MOST_SLICES
    ):
        return None
    if is_used(node, 1) and shape_of(x) is None:
        return None
    parts = slices(_padded_with_least(x, windows, build), windows, build)
    largest = build.joined("Max", parts)
    if not is_used(node, 1):
        return (largest, None)
    return largest, _indices(node, windows, parts, largest, build)


def _padded_with_least(x: ir.Value, windows: Windows, build: Build) -> ir.Value:
    assert x.dtype is not None
    least = float(np.finfo(np.float32).min) if is_float(x) else max(INTEGER_RANGES[x.dtype][0], -(1 << 31))
    return trimmed(padded(x, without_cuts(windows), build.like(x, least), build), windows, build)


def _padded_beforehand(node: ir.Node, build: Build) -> Replacement:
    """Over three axes, pads and what rounding up adds become a Pad; a mean is divided by the share that counts."""
    x, windows = node.inputs[0], windows_of(node)
    if x is None or windows is None or _is_plain(node, windows) or not is_float(x) or is_used(node, 1):
        return None
    rank = len(windows.kernel)
    if rank != 3 or set(windows.dilations) != {1}:
        return None
    plain: dict[str, Any] = {"kernel_shape": windows.kernel, "strides": windows.strides, "pads": [0] * (2 * rank)}
    if node.op_type == "MaxPool":
        return (build.op("MaxPool", _padded_with_least(x, windows, build), **plain), None)
    wide = trimmed(padded(x, without_cuts(windows), build.like(x, 0), build), windows, build)
    mean = build.op("AveragePool", wide, **plain)
    if not windows.is_padded:
        return mean
    return build.op("Div", mean, build.op("AveragePool", _counting(node, x, windows, build), **plain))


def _indices(node: ir.Node, windows: Windows, parts: Sequence[ir.Value], largest: ir.Value, build: Build) -> ir.Value:
    """Where each largest value lies in the flat input: the first place whose value equals it."""
    shape = shape_of(node.inputs[0])
    assert shape is not None
    places = np.arange(prod(shape[2:]))
    if node.attributes.get_int("storage_order", 0):
        flat = places.reshape(shape[2:][::-1]).transpose()
    else:
        flat = places.reshape(shape[2:])
    around = [(b, a + max(c, 0)) for b, a, c in zip(windows.before, windows.after, windows.beyond, strict=True)]
    wide = np.pad(flat, around)
    result = build.constant(np.zeros((1,) * len(shape)), np.int32)
    for place, part in reversed(list(zip(itertools.product(*map(range, windows.kernel)), parts, strict=True))):
        sizes = shape_of(part)
        assert sizes is not None
        cut = tuple(
            slice(p * d, p * d + (n - 1) * s + 1, s)
            for p, d, s, n in zip(place, windows.dilations, windows.strides, sizes[2:], strict=True)
        )
        own = build.constant(np.broadcast_to(wide[cut], sizes), np.int32)
        result = build.op("Where", build.op("Equal", part, largest), own, result)
    maps = np.arange(shape[0] * shape[1]).reshape(shape[:2] + (1,) * len(windows.kernel)) * prod(shape[2:])
    return build.cast(build.op("Add", result, build.constant(maps, np.int32)), ir.DataType.INT64)


def _average_pool(node: ir.Node, build: Build) -> Replacement:
    x, windows = node.inputs[0], windows_of(node)
    if x is None or windows is None or _is_plain(node, windows) or prod(windows.kernel) > _MOST_SLICES:
        return None
    if not is_float(x):
        return None
    zero = build.like(x, 0)
    wide = trimmed(padded(x, without_cuts(windows), zero, build), windows, build)
    total = build.joined("Add", slices(wide, windows, build))
    if not windows.is_padded:
        return build.op("Div", total, build.like(x, prod(windows.kernel)))
    return build.op("Div", total, build.joined("Add", slices(_counting(node, x, windows, build), windows, build)))


def _counting(node: ir.Node, x: ir.Value, windows: Windows, build: Build) -> ir.Value:
    """1 at the places that count, those of the input, and the pads where these are included; 0 around."""
    rank = len(windows.kernel)
    sizes = build.sizes([1, 1, *(build.size(x, axis + 2) for axis in range(rank))])
    ones = build.op("ConstantOfShape", sizes, value=ir.tensor(np.ones(1, numpy_type(x))))
    around = without_cuts(windows)
    if node.attributes.get_int("count_include_pad", 0):
        ones = padded(ones, around, build.like(x, 1), build, beyond=False)
        around = replace(around, before=(0,) * rank, after=(0,) * rank)
    return trimmed(padded(ones, around, build.like(x, 0), build), windows, build)


def _lp_pool(node: ir.Node, build: Build) -> Replacement:
    x, windows = node.inputs[0], windows_of(node)
    if x is None or windows is None or _is_plain(node, windows) or prod(windows.kernel) > _MOST_SLICES:
        return None
    if not is_float(x):
        return None
    power = node.attributes.get_int("p", 2)
    size = build.op("Abs", x)
    raised = (
        size if power == 1 else build.op("Mul", x, x) if power == 2 else build.op("Pow", size, build.like(x, power))
    )
    wide = trimmed(padded(raised, without_cuts(windows), build.like(x, 0), build), windows, build)
    total = build.joined("Add", slices(wide, windows, build))
    if power == 1:
        return total
    return build.op("Sqrt", total) if power == 2 else build.op("Pow", total, build.like(x, 1 / power))


_SLOW: Final = msg("Pooling by slices takes a pass over the data for each element of the window")

RULES: Final = (
    Rule(
        "pooling/attributes",
        ("MaxPool", "AveragePool", "LpPool"),
        msg("Strides and pads of a pool are written out as numbers"),
        _written_out,
    ),
    Rule(
        "pooling/padded-beforehand",
        ("MaxPool", "AveragePool"),
        msg("What a pool over three axes is padded with is put around its input"),
        _padded_beforehand,
    ),
    Rule("pooling/max", ("MaxPool",), msg("The pool is the largest of strided slices"), _max_pool, effect=_SLOW),
    Rule(
        "pooling/average", ("AveragePool",), msg("The pool is the mean of strided slices"), _average_pool, effect=_SLOW
    ),
    Rule("pooling/lp", ("LpPool",), msg("The pool is written as a sum of strided slices"), _lp_pool, effect=_SLOW),
)
