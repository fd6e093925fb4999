"""Made-up inputs that find faults: values by kind, within what an input may hold.

Standard library and numpy only: the reference's worker makes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Random = np.random.Generator

SEED: Final = 20240229
GIVEN: Final = "given"
"""What a case of the user's own arrays is called; others have the name of their kind."""
_PIXEL: Final = 255
_BEYOND: Final = 2.0
"""How far made-up values may exceed the user's."""
_UNBOUNDED: Final = 100
"""Highest integer where nothing bounds an input; narrower ranges follow where the reference refuses."""
NARROWER: Final = (_UNBOUNDED, 8, 4, 2, 1, 0)


@dataclass(frozen=True, slots=True)
class Spec:
    """One input at one size. ``values``: integers that the graph compares this input with.

    ``mean`` and ``std`` (a value a channel of ``channel_axis``) turn pixels into what the model takes.
    ``span``: largest absolute value of the user's own array, where there is one.
    ``longest``: the size of the shortest axis that a length may be of, for inputs that hold lengths.
    ``state``: it carries a recurrent state. ``guessed``: ``low`` and ``high`` are only what the user's own array holds.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    low: float | None = None
    high: float | None = None
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    channel_axis: int = 1
    values: tuple[int, ...] = ()
    span: float | None = None
    longest: int = 1
    state: bool = False
    guessed: bool = False

    @property
    def is_integer(self) -> bool:
        """True for indices, ids, lengths: not for pixels (uint8), whose every value is harmless."""
        return np.dtype(self.dtype).kind in "iu" and self.dtype != "uint8"


# What a float input is filled with, in this order. The halves hit ties, signs and every rounding rule.
_FLOATS: Final[dict[str, Callable[[Random, tuple[int, ...]], Array]]] = {
    "normal": lambda random, shape: random.standard_normal(shape),
    "uniform": lambda random, shape: random.random(shape),
    "pixels": lambda random, shape: random.integers(0, _PIXEL + 1, shape).astype(np.float64),
    "wide": lambda random, shape: 10.0 * random.standard_normal(shape),
    "halves": lambda random, shape: _zero_first(np.asarray(random.integers(-6, 7, shape) / 2.0)),
    "zeros": lambda _random, shape: np.zeros(shape),
}


def _zero_first(array: Array) -> Array:
    """MNN's Det loses its sign where the first pivot is 0."""
    array.flat[:1] = 0.0
    return array


# Inputs after the first, and recurrent states: zero at the start of a stream, ordinary later on. Both negative
# at once only where one is wide and the other normal: MNN's Less is wrong there.
_COMPANION: Final = {
    "normal": "zeros",
    "uniform": "ones",
    "pixels": "halves",
    "wide": "normal",
    "halves": "uniform",
    "zeros": "normal",
}
_NEGATIVE: Final = "wide"
_ALIKE: Final = "ones"
"""A companion alone: MNN's NonMaxSuppression takes boxes of one score in another order than it should."""
FLOAT_KINDS: Final = tuple(_FLOATS)
INTEGER_KINDS: Final = (
    "random", "low", "high", "ramp", "narrow", "head", "tail", "runs", "pairs", "middle", "signed", "random again",
)  # fmt: skip
SECOND_SIZE_FLOATS: Final = ("normal", "halves", "pixels")
SECOND_SIZE_INTEGERS: Final = ("random", "head", "high", "runs", "narrow")

ORDINARY: Final = frozenset(("normal", "uniform", "random", "random again", "narrow", "head"))
"""Kinds that are like inputs in use."""
OF_USUAL_SIZE: Final = ORDINARY | {"halves"}
"""Kinds whose values are as large as those of inputs in use."""

_MASK: Final = re.compile(r"mask", re.IGNORECASE)
_LENGTH: Final = re.compile(r"len(gth)?s?$|_len|len_|^n_", re.IGNORECASE)
_STATE: Final = re.compile(r"^(h|c|hn|cn|h0|c0|.*state.*|.*cache.*|past.*|.*hidden.*)$", re.IGNORECASE)


def is_state(name: str) -> bool:
    """Whether an input's name says that it carries a recurrent state."""
    return _STATE.match(name) is not None


def is_mask(name: str) -> bool:
    """Whether an input's name says that it holds ones and zeros."""
    return _MASK.search(name) is not None


def is_length(name: str) -> bool:
    """Whether an input's name says that it counts elements of an axis."""
    return _LENGTH.search(name) is not None


def make(spec: Spec, index: int, kind_number: int, random: Random, *, highest: int = _UNBOUNDED) -> Array:
    """The array for case ``kind_number`` of the input at position ``index``.

    ``highest`` replaces the upper bound where the graph gives none.
    """
    dtype = np.dtype(spec.dtype)
    if dtype.kind == "b":
        made = _booleans(spec, kind_number, random)
    elif dtype.kind in "iu":
        made = _integers(spec, kind_number, random, highest)
    else:
        kind = FLOAT_KINDS[kind_number % len(FLOAT_KINDS)]
        made = _floats(spec, _COMPANION[kind] if spec.state or index > 0 else kind, random)
        if index > 0 and kind == _NEGATIVE and made.size == 1 and spec.low is None:
            # One value alone may be positive by chance, and MNN's Less is wrong below zero. Bounds come in pairs.
            made = np.abs(made) if index % 2 == 0 else -np.abs(made)
    return np.asarray(made).astype(dtype)  # numpy makes plain numbers of arrays without axes


def _booleans(spec: Spec, number: int, random: Random) -> Array:
    if number % 3 == 1:
        return np.ones(spec.shape, bool)
    if number % 3 == 2:
        return np.zeros(spec.shape, bool)
    return random.random(spec.shape) < 0.5


def _floats(spec: Spec, kind: str, random: Random) -> Array:
    made = np.ones(spec.shape) if kind == _ALIKE else _FLOATS[kind](random, spec.shape)
    if kind == "pixels" and spec.std:
        channels = [1] * len(spec.shape)
        channels[spec.channel_axis] = len(spec.std)
        made = (made - np.reshape(spec.mean, channels)) / np.reshape(spec.std, channels)
    if spec.span:  # what the user feeds tells how large values get
        made *= min(1.0, _BEYOND * spec.span / max(1.0, float(np.max(np.abs(made), initial=0.0))))
    if spec.low is not None or spec.high is not None:
        made = np.clip(made, spec.low, spec.high)
    return made


def _integers(spec: Spec, number: int, random: Random, highest: int) -> Array:
    if spec.values and int(np.prod(spec.shape)) == 1:  # a switch, such as a sample rate
        return np.full(spec.shape, spec.values[number % len(spec.values)])
    if spec.dtype == "uint8":
        return _uint8(spec, number, random)
    if is_mask(spec.name) and spec.high is None:
        return _mask(spec, number, random)
    kind = INTEGER_KINDS[number % len(INTEGER_KINDS)]
    low = 0 if spec.low is None else int(spec.low)
    high = highest if spec.high is None else int(spec.high)
    if is_length(spec.name) and spec.high is None:
        low, high = 1, max(1, min(spec.longest, highest))
    elif kind == "signed" and spec.low is None and np.dtype(spec.dtype).kind == "i":
        low = -high
    return _INTEGERS[kind](random, spec.shape, low, max(low, high))


def _uint8(spec: Spec, number: int, random: Random) -> Array:
    kind = FLOAT_KINDS[number % len(FLOAT_KINDS)]
    if kind == "zeros":
        return np.zeros(spec.shape)
    if kind == "wide":
        return np.full(spec.shape, _PIXEL)
    top = {"uniform": 1, "halves": 6}.get(kind, _PIXEL)
    return random.integers(0, top + 1, spec.shape)


def _mask(spec: Spec, number: int, random: Random) -> Array:
    """Ones, then a prefix of ones in each row: what attention masks hold. Never a row of zeros."""
    made = np.ones(spec.shape)
    if number % 2 and made.ndim:
        kept = random.integers(1, made.shape[-1] + 1, made.shape[:-1])
        made = (np.arange(made.shape[-1]) < kept[..., None]).astype(np.int64)
    return made


def _random(random: Random, shape: tuple[int, ...], low: int, high: int) -> Array:
    return random.integers(low, high + 1, shape)


def _ramp(_: Random, shape: tuple[int, ...], low: int, high: int) -> Array:
    return low + np.arange(int(np.prod(shape))).reshape(shape) % (high - low + 1)


def _narrow(random: Random, shape: tuple[int, ...], low: int, high: int) -> Array:
    """A few neighbouring values over and over, as in text."""
    start = int(random.integers(low, high + 1))
    return random.integers(start, min(high, start + 4) + 1, shape)


def _padded(random: Random, shape: tuple[int, ...], low: int, high: int, *, at_end: bool) -> Array:
    """Values, and the highest id as padding: at the end, or before them."""
    made = random.integers(low, high + 1, shape)
    if not shape:
        return made
    length = shape[-1]
    padding = np.arange(length) >= length // 3
    return np.where(padding if at_end else padding[::-1], high, made)


def _runs(random: Random, shape: tuple[int, ...], low: int, high: int) -> Array:
    """Each value many times in a row, as in bitmaps and zero-filled files."""
    count = int(np.prod(shape))
    values = random.integers(low, high + 1, count // 16 + 1)
    return np.repeat(values, 16)[:count].reshape(shape)


_INTEGERS: Final[dict[str, Callable[[Random, tuple[int, ...], int, int], Array]]] = {
    "random": _random,
    "low": lambda _, shape, low, high: np.full(shape, low),
    "high": lambda _, shape, low, high: np.full(shape, high),
    "ramp": _ramp,
    "narrow": _narrow,
    "head": lambda random, shape, low, high: _padded(random, shape, low, high, at_end=True),
    "tail": lambda random, shape, low, high: _padded(random, shape, low, high, at_end=False),
    "runs": _runs,
    "pairs": lambda random, shape, low, high: np.where(random.random(shape) < 0.5, low, high),
    "middle": lambda _, shape, low, high: np.full(shape, (low + high) // 2),
    "signed": _random,
    "random again": _random,
}
