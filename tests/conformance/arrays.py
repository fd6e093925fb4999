"""Arrays as the engine holds them, and what counts as equal."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

TOLERANCE: Final = 2e-3
"""Largest absolute error, relative to the largest expected value of the output."""
_HALVES: Final = {"float16": 1e-2, "bfloat16": 3e-2}
"""What the expected values themselves are rounded to; the engine holds such tensors as float."""
_INT32: Final = np.iinfo(np.int32)


def is_float(array: Array) -> bool:
    return array.dtype.kind == "f" or array.dtype.name == "bfloat16"


def is_integer(array: Array) -> bool:
    return array.dtype.kind in "iu"


def in_int32(array: Array) -> bool:
    """Whether the engine, which holds every integer in 32 bits, can hold these values at all."""
    if not is_integer(array) or not array.size:
        return True
    return int(array.max()) <= _INT32.max and int(array.min()) >= _INT32.min


def widened(array: Array) -> Array:
    """Without types that a .npy file or the engine does not know: floats as float, integers and bools as int32."""
    with np.errstate(over="ignore"):
        return np.asarray(array).astype(np.float32 if is_float(array) else np.int32)


def tolerance_of(arrays: tuple[Array, ...]) -> float:
    """What the worst output of a test with these inputs and outputs may be off by."""
    return max((_HALVES.get(array.dtype.name, TOLERANCE) for array in arrays), default=TOLERANCE)


def difference(found: Array, expected: Array, tolerance: float) -> str:
    """What is wrong with ``found``, in a few words; "" for nothing."""
    if found.shape != expected.shape:
        return f"shape {list(found.shape)} instead of {list(expected.shape)}"
    if not expected.size:
        return ""
    if not is_float(expected):
        count = int(np.count_nonzero(found.astype(np.int64) != expected.astype(np.int64)))
        return f"{count} of {expected.size} integers" if count else ""
    got, want = found.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(want)
    if not np.array_equal(np.isfinite(got), finite) or not np.array_equal(
        np.nan_to_num(got[~finite]), np.nan_to_num(want[~finite])
    ):
        return "infinities or NaN"
    largest = float(np.abs(want[finite]).max(initial=0.0)) or 1.0
    error = float(np.abs(got[finite] - want[finite]).max(initial=0.0)) / largest
    return f"error {error:.2e}" if error > tolerance else ""
