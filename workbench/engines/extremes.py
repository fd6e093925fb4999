"""Inputs at the ends of what an input may hold: values with which engines are known to go wrong.

Each comes with the condition that holds for the model where the engine is wrong on it. Standard library and
numpy only: the reference's worker makes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.engines.inputs import Spec

Array = NDArray[Any]
Random = np.random.Generator

INT_RUNGS: Final = (30_000, 2**25 - 1, 2**31 - 1, 2**40)
"""Squares up to the first fit in 32 bits; float tells whole numbers apart up to 2^24; the engine holds 32 bits;
milliseconds since 1970 are about 2^40."""
FLOAT_RUNGS: Final = (1e6, 3e7, 4e9)
"""MNN's MaxPool begins at -16777216 instead of minus infinity; whole numbers above 2^31 do not fit in an int32."""
_SECONDS: Final = 1.7e9
"""Seconds since 1970: the numbers in use that need more than float's 24 bits."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """An array for one input. Of one ``group`` the first that is wrong tells: then ``condition`` holds."""

    label: str
    group: str
    condition: str
    array: Array


def large_integers(spec: Spec, low: int, high: int, random: Random) -> Iterator[Extreme]:
    """Ever larger whole numbers, of both signs where the type has them. ``low``, ``high``: what was tried before."""
    limits = np.iinfo(spec.dtype)
    for rung in dict.fromkeys(min(rung, int(limits.max)) for rung in INT_RUNGS):
        if rung <= high:
            continue
        least = max(-rung, int(limits.min)) if low < 0 else 0
        made = random.integers(least, rung, spec.shape, dtype=np.int64, endpoint=True)
        flat = np.asarray(made).reshape(-1)
        flat[:1] = rung
        yield _ranged(spec, np.asarray(made).astype(spec.dtype), low, high, f"up to {rung}")
        low, high = least, rung


def negative_indices(spec: Spec, random: Random) -> Iterator[Extreme]:
    """Indices that count from the end, where ``spec`` says how many rows there are."""
    if spec.high is None or np.iinfo(spec.dtype).min == 0:
        return
    rows = int(spec.high) + 1
    made = np.asarray(random.integers(-rows, 0, spec.shape)).astype(spec.dtype)
    yield _ranged(spec, made, int(spec.low or 0), int(spec.high), "counted from the end")


def empty_lengths(spec: Spec, low: int, high: int) -> Iterator[Extreme]:
    """Lengths of 0. ``low``, ``high``: what was tried before."""
    if low > 0:
        yield _ranged(spec, np.zeros(spec.shape, spec.dtype), low, high, "of 0")


def large_floats(spec: Spec, low: float, high: float, random: Random) -> Iterator[Extreme]:
    """Ever larger numbers: the first half of them negative, so that some windows hold nothing else."""
    for rung in FLOAT_RUNGS:
        if rung <= high or rung > float(np.finfo(spec.dtype).max):
            continue
        made = np.asarray(rung * random.uniform(0.6, 1.0, spec.shape))
        flat = made.reshape(-1)
        flat[: (flat.size + 1) // 2] *= -1.0
        yield _ranged(spec, made.astype(spec.dtype), low, high, f"up to {rung:g}")
        low, high = -rung, rung


def not_finite(spec: Spec, random: Random) -> Iterator[Extreme]:
    """Ordinary values with NaN and both infinities among them."""
    made = np.asarray(random.standard_normal(spec.shape))
    odd = (np.nan, np.inf, -np.inf)
    flat = made.reshape(-1)
    for number, value in enumerate(odd):
        flat[2 * number :: 2 * len(odd)] = value
    if flat.size == 1:
        flat[0] = np.nan
    yield Extreme(f"{spec.name} not finite", f"finite={spec.name}", f"finite={spec.name}", made.astype(spec.dtype))


def negative_zeros(spec: Spec, random: Random) -> Iterator[Extreme]:
    """Zeros of both signs, and ones."""
    made = np.asarray(random.choice((0.0, -0.0, 1.0, -1.0), spec.shape))
    made.reshape(-1)[:1] = -0.0
    group = f"zeros={spec.name}"
    yield Extreme(f"{spec.name} with -0.0", group, f"{group} positive", made.astype(spec.dtype))


def precise_doubles(spec: Spec, offsets: tuple[float, ...], random: Random) -> Iterator[Extreme]:
    """Seconds since 1970, and numbers beside the graph's own large constants."""
    for offset in dict.fromkeys((_SECONDS, *offsets)):
        made = np.asarray(offset + 100.0 * random.random(spec.shape))
        group = f"precision={spec.name}"
        yield Extreme(f"{spec.name} at {offset:g}", group, f"{group} within 24 bits", made)


def _ranged(spec: Spec, array: Array, low: float, high: float, label: str) -> Extreme:
    group = f"range={spec.name}"
    return Extreme(f"{spec.name} {label}", group, f"{group} within {low:.10g}..{high:.10g}", array)
