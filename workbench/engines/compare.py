"""One output of the engine against the reference's: what differs, and by how much.

Nothing heavier than numpy is imported: workers use it beside the arrays, so that no output travels twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.engines.comparison import EXACT, NONFINITE, SHAPE, Comparison, Slices

Array = NDArray[Any]

_MAPS: Final = 4
_MOST_SLICES: Final = 256
"""Longer axes are places, not channels or attributes."""


def compare(got: Array, want: Array) -> Comparison:
    """``got`` of the engine against ``want`` of the reference; ``want.dtype`` decides how.

    Integers and booleans must be equal as numbers, whatever type carries them: MNN holds int64 and
    bool as int32, so a true that comes back as 5 and an int64 that wrapped are differences.
    """
    if got.shape != want.shape:
        return Comparison(SHAPE, f"{list(got.shape)} instead of {list(want.shape)}", relative_l2=1.0, cosine=0.0)
    if want.size == 0:
        return Comparison()
    if want.dtype.kind in "iub":
        return _exact(got, want)
    ours, theirs = got.astype(np.float64), want.astype(np.float64)
    for name, where in (("NaN", np.isnan), ("+infinity", np.isposinf), ("-infinity", np.isneginf)):
        odd = int(np.count_nonzero(where(ours) != where(theirs)))
        if odd:
            return _figures(ours, theirs, NONFINITE, f"{name} differs at {odd} of {want.size} positions")
    return replace(_figures(ours, theirs), slices=tuple(_slices(ours, theirs)))


def _exact(got: Array, want: Array) -> Comparison:
    ours, theirs = _number(got), _number(want)
    different = int(np.count_nonzero(ours != theirs))
    fault, detail = (EXACT, f"{different} of {want.size} values differ") if different else ("", "")
    return _figures(ours.astype(np.float64), theirs.astype(np.float64), fault, detail)


def _slices(ours: Array, theirs: Array) -> Iterator[Slices]:
    """Along every axis of channels or attributes; positions that are not finite count as zero."""
    axes = [axis for axis in _channel_axes(theirs.shape) if 1 < theirs.shape[axis] <= _MOST_SLICES]
    if not axes:
        return
    finite = np.isfinite(theirs)
    with np.errstate(over="ignore"):
        errors = np.where(finite, np.abs(np.subtract(ours, theirs, where=finite, out=np.zeros_like(theirs))), 0.0)
    values = np.where(finite, np.abs(theirs), 0.0)
    whole = values == np.floor(values)
    for axis in axes:
        others = tuple(other for other in range(theirs.ndim) if other != axis)
        count = theirs.size // theirs.shape[axis]
        worst, largest = (tuple(array.max(axis=others).tolist()) for array in (errors, values))
        yield Slices(axis, count, worst, largest, tuple(whole.all(axis=others).tolist()))


def _channel_axes(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The axes that may be channels or attributes: of maps the second, the last or both, of anything smaller every one.

    Neighbours of one size are the sides of an image; where no two are, the shorter end holds the channels.
    """
    rank = len(shape)
    if rank < _MAPS:
        return tuple(range(rank))
    sides = {axis for first in range(1, rank - 1) if shape[first] == shape[first + 1] for axis in (first, first + 1)}
    ends = tuple(axis for axis in (1, rank - 1) if axis not in sides)
    return ends if sides else (min(ends, key=lambda axis: shape[axis]),)


def _number(array: Array) -> Array:
    """A type in which integers of 64 bits compare without rounding."""
    if array.dtype.kind == "b":
        return array.astype(np.int64)
    if array.dtype == np.uint64 and array.size and int(array.max()) > np.iinfo(np.int64).max:
        return array.astype(object)
    return array.astype(np.int64) if array.dtype.kind in "iu" else array.astype(np.float64)


def _figures(ours: Array, theirs: Array, fault: str = "", detail: str = "") -> Comparison:
    """Figures over the positions where both are finite."""
    finite = np.isfinite(ours) & np.isfinite(theirs)
    a, b = ours[finite], theirs[finite]
    if a.size == 0:
        return Comparison(fault, detail)
    difference = a - b  # an overflow to infinity is a difference of its own: see below
    largest = float(np.max(np.abs(b)))
    max_abs = float(np.max(np.abs(difference)))
    scale = max(largest, float(np.max(np.abs(a))))
    if scale == 0.0:
        return Comparison(fault, detail)
    if not np.isfinite(max_abs):
        return Comparison(fault or NONFINITE, detail or "the error overflows", largest=largest, relative_l2=1.0)
    a, b, difference = a / scale, b / scale, difference / scale  # squares of 1e200 would overflow
    norm_a, norm_b = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    apart = float(np.linalg.norm(difference))
    relative_l2 = apart / norm_b if norm_b else float(apart > 0.0)
    cosine = float(np.dot(a, b)) / (norm_a * norm_b) if norm_a and norm_b else 0.0
    return Comparison(fault, detail, max_abs, largest, relative_l2, min(1.0, max(-1.0, cosine)))
