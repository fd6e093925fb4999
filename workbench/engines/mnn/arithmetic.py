"""MNN's weight quantization to the last bit, in numpy.

The converter quantizes every output channel, or every block of one, as one row: a step and (if
asymmetric) a smallest value in float32, and integers of ``bits`` bits. All operations here are
float32 in the converter's order; ``tests/engines/mnn/test_arithmetic.py`` holds the result to what
the converter of MNN 3.6.1 writes.

Standard library and numpy only: workers import this.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
STEP_THRESHOLD: Final = np.float32(1e-6)
"""MNN 3.6.1 gives all of a row the same integer where the step is not above this."""
_HALF: Final = np.float32(0.5)
_HALF_MAX: Final = np.float32(65504)
_SMALLEST_NORMAL: Final = np.finfo(np.float32).tiny


@dataclass(frozen=True, slots=True)
class QuantizedRows:
    """``integers`` (rows, row length) int8, ``steps`` (rows,), ``smallest`` (rows,) or None if symmetric."""

    integers: NDArray[np.int8]
    steps: Floats
    smallest: Floats | None
    bits: int


def quantize_as_engine(rows: Floats, bits: int, *, symmetric: bool) -> QuantizedRows:
    """What the converter writes for ``rows``, its loss of rows with a small step included."""
    return _quantize(rows, bits, symmetric=symmetric, threshold=STEP_THRESHOLD)


def quantize_as_planned(rows: Floats, bits: int, *, symmetric: bool) -> QuantizedRows:
    """The same rounding without the threshold: what a plan asks for."""
    return _quantize(rows, bits, symmetric=symmetric, threshold=np.float32(0.0))


def dequantize(quantized: QuantizedRows) -> Floats:
    """The weights that an engine computes with, float32 (rows, row length)."""
    steps = quantized.steps[:, None]
    weights = quantized.integers.astype(np.float32) * steps
    if quantized.smallest is not None:
        lowest = np.float32(_lowest(quantized.bits))
        weights += quantized.smallest[:, None] - lowest * steps
    return weights


def steps_of(rows: Floats, bits: int, *, symmetric: bool) -> Floats:
    """The step of each row: at or below STEP_THRESHOLD the engine destroys a row that is not constant."""
    if symmetric:
        return np.asarray(np.abs(rows).max(axis=1) / np.float32((1 << (bits - 1)) - 1), np.float32)
    return np.asarray((rows.max(axis=1) - rows.min(axis=1)) / np.float32((1 << bits) - 1), np.float32)


def half_as_planned(values: Floats) -> Floats:
    """``values`` rounded to fp16 toward zero, as the converter rounds; infinite above 65504.

    There the converter writes 65504, which is not what a plan asks for.
    """
    with np.errstate(over="ignore"):
        nearest = values.astype(np.float16)
    too_far = np.isfinite(nearest) & (np.abs(nearest.astype(np.float32)) > np.abs(values))
    return np.where(too_far, np.nextafter(nearest, np.float16(0)), nearest).astype(np.float32)


def half_digest(values: Floats) -> str:
    """What tells an fp16 constant from others, whatever its name and shape: ``values`` are fp16 already."""
    with np.errstate(over="ignore"):
        stored = np.clip(values, -_HALF_MAX, _HALF_MAX).astype("<f2")
    return sha256(stored.tobytes()).hexdigest()


def flushed(weights: NDArray[Any]) -> Floats:
    """Float32 with denormal values as zeros, as the converter does first (``alignDenormalizedValue``)."""
    values = np.array(weights, np.float32)
    values[np.abs(values) < _SMALLEST_NORMAL] = 0
    return values


def _quantize(rows: Floats, bits: int, *, symmetric: bool, threshold: np.float32) -> QuantizedRows:
    lowest, highest = _lowest(bits), -_lowest(bits) - 1
    steps = steps_of(rows, bits, symmetric=symmetric)
    smallest = None if symmetric else rows.min(axis=1)
    kept = steps > threshold
    divisor = np.where(kept, steps, np.float32(1.0))[:, None]
    with np.errstate(invalid="ignore"):  # weights that are not finite have no right integers
        if smallest is None:
            ratio = rows / divisor
            rounded = np.copysign(_round(np.abs(ratio)), ratio)
            lost = 0
        else:
            rounded = _round((rows - smallest[:, None]) / divisor) + np.float32(lowest)
            lost = lowest
        integers = np.where(kept[:, None], np.clip(rounded, lowest, highest), lost).astype(np.int8)
    return QuantizedRows(integers, steps, smallest, bits)


def _round(positive: Floats) -> Floats:
    """Halves up. Not floor(x + 0.5): in float32 that makes 1 of 0.49999997, and C's round makes 0."""
    whole = np.trunc(positive)
    return np.asarray(whole + (positive - whole >= _HALF), np.float32)


def _lowest(bits: int) -> int:
    return -(1 << (bits - 1))
