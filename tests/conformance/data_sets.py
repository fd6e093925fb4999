"""What a model is fed: the test's own inputs, the same in another order, and inputs that faults show on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tests.conformance.arrays import Array, in_int32, is_float, is_integer
from tests.conformance.node_tests import expected

_SEED: Final = 5
_Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Data:
    """Inputs with the outputs that are right for them, by name."""

    label: str
    inputs: dict[str, Array]
    outputs: dict[str, Array]


def own_data(model: Any, arrays: tuple[Array, ...], outputs: tuple[Array, ...]) -> Data:
    """The test's own."""
    return _named("own", model, arrays, outputs)


def permuted(model: Any, arrays: tuple[Array, ...]) -> Data | None:
    """The same floats at other places; None where that changes nothing, or where nothing tells what is right."""
    random = np.random.default_rng(_SEED)
    moved = tuple(
        random.permutation(array.ravel()).reshape(array.shape) if is_float(array) else array for array in arrays
    )
    if all(np.array_equal(one, other) for one, other in zip(moved, arrays, strict=True)):
        return None
    outputs = expected(model, moved)
    return None if outputs is None else _named("permuted", model, moved, outputs)


# Ties, halves (every rounding rule), both signs and large values; integers near the ends of what is usual.
_FLOATS: Final[dict[str, Callable[[_Random, tuple[int, ...]], Array]]] = {
    "zeros": lambda _, shape: np.zeros(shape),
    "halves": lambda random, shape: random.integers(-6, 7, shape) / 2.0,
    "wide": lambda random, shape: 10.0 * random.standard_normal(shape),
    "pixels": lambda random, shape: random.integers(0, 256, shape),
    "ones": lambda _, shape: np.ones(shape),
}
_INTEGERS: Final[dict[str, Callable[[_Random, tuple[int, ...]], Array]]] = {
    "zeros": lambda _, shape: np.zeros(shape),
    "halves": lambda random, shape: random.integers(-8, 9, shape),
    "wide": lambda random, shape: random.integers(-100, 101, shape),
    "pixels": lambda random, shape: random.integers(0, 101, shape),
    "ones": lambda _, shape: np.ones(shape),
}


def hard_data(model: Any, arrays: tuple[Array, ...], *, integers: bool) -> Iterator[Data]:
    """The permuted inputs, then others of the same shapes and types; only those for which it is known what is right.

    ``integers`` False: those after the first input keep the test's values, as they are sizes, indices, divisors.
    """
    if (moved := permuted(model, arrays)) is not None:
        yield moved
    random = np.random.default_rng(_SEED)
    for kind in _FLOATS:
        made = tuple(
            _like(array, kind, random) if integers or position == 0 or not is_integer(array) else array
            for position, array in enumerate(arrays)
        )
        mixed = (made[0], *arrays[1:]) if made else ()
        for label, feeds in ((kind, made), (f"{kind} first", mixed)):
            outputs = expected(model, feeds)
            if outputs is not None and all(map(in_int32, outputs)):
                yield _named(label, model, feeds, outputs)


def _like(array: Array, kind: str, random: _Random) -> Array:
    if array.dtype.kind == "b":
        return random.random(array.shape) < 0.5
    if is_float(array):
        return np.asarray(_FLOATS[kind](random, array.shape)).astype(array.dtype)
    values = np.asarray(_INTEGERS[kind](random, array.shape))
    return (np.abs(values) if array.dtype.kind == "u" else values).astype(array.dtype)


def _named(label: str, model: Any, arrays: tuple[Array, ...], outputs: tuple[Array, ...]) -> Data:
    inputs = [value.name for value in model.graph.input]
    named = [value.name for value in model.graph.output]
    return Data(label, dict(zip(inputs, arrays, strict=True)), dict(zip(named, outputs, strict=True)))
