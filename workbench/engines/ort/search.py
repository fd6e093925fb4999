"""A search for inputs that make a model do what it did on none so far: run a body, move an output.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.engines.inputs import INTEGER_KINDS, NARROWER, SEED, Spec, make
from workbench.engines.sizes import LADDER, Axis

Array = NDArray[Any]
Arrays = dict[str, Array]
Random = np.random.Generator

_MAGNITUDES: Final = (1.0, 10.0, 100.0, 1e3, 1e4, 1e6)
_LARGEST_SIZE: Final = 1e3
_SMALL: Final = NARROWER[1]
"""Of integers that decide sizes: four of a hundred each would make a tensor of gigabytes."""
_LARGE: Final = 30_000
"""An integer whose square fits in 32 bits."""
_MOST_VALUES: Final = 1 << 22
"""Of one input: a size above it costs more than it may find."""

_PATTERNS: Final[tuple[Callable[[Random, tuple[int, ...]], Array], ...]] = (
    lambda random, shape: random.standard_normal(shape),
    lambda _, shape: np.ones(shape),
    lambda _, shape: -np.ones(shape),
    lambda random, shape: random.random(shape),
    lambda random, shape: -random.random(shape),
    lambda random, shape: np.where(random.random(shape) < 0.1, 1.0, 0.0),
    lambda _, shape: np.linspace(-1.0, 1.0, int(np.prod(shape))).reshape(shape),
)


def value_candidates(specs: Sequence[Spec], base: Mapping[str, Array], sizes: frozenset[str]) -> Iterator[Arrays]:
    """Every boolean both ways, every integer at its ends, then all floats at once from small to large, then each.

    ``base``: what the others hold. ``sizes``: inputs that decide sizes, whose values stay small.
    """
    for number, spec in enumerate(specs):
        kind = np.dtype(spec.dtype).kind
        random = np.random.default_rng((SEED, number))
        if kind == "b":
            yield from ({**base, spec.name: np.full(spec.shape, value)} for value in (True, False))
        elif kind in "iu":
            yield from ({**base, spec.name: np.full(spec.shape, v, spec.dtype)} for v in _held(spec))
            highest = _SMALL if spec.name in sizes else NARROWER[0]
            made = (make(spec, number, choice, random, highest=highest) for choice in range(len(INTEGER_KINDS)))
            yield from ({**base, spec.name: array} for array in made)
            if spec.high is None and spec.name not in sizes:
                yield {**base, spec.name: make(spec, number, 0, random, highest=_LARGE)}
    floats = [spec for spec in specs if np.dtype(spec.dtype).kind == "f"]
    together = [floats] if len(floats) > 1 else []
    for chosen, magnitude, pattern in product([*together, *([spec] for spec in floats)], _MAGNITUDES, _PATTERNS):
        if magnitude > _LARGEST_SIZE and any(spec.name in sizes for spec in chosen):
            continue
        random = np.random.default_rng(SEED)
        yield {
            **base,
            **{spec.name: _bounded(spec, magnitude * np.asarray(pattern(random, spec.shape))) for spec in chosen},
        }


def size_candidates(
    axes: Sequence[Axis], chosen: Mapping[str, int], specs: Callable[[Mapping[str, int]], list[Spec]]
) -> Iterator[Arrays]:
    """Ordinary inputs, one open axis at a time from short to long, the others as ``chosen``."""
    for axis in axes:
        for size in LADDER:
            made = specs({**chosen, axis.key: size})
            if size != chosen[axis.key] and all(int(np.prod(spec.shape)) <= _MOST_VALUES for spec in made):
                yield {spec.name: _ordinary(spec, number) for number, spec in enumerate(made)}


def variations(feeds: Mapping[str, Array]) -> Iterator[Arrays]:
    """``feeds`` with floats that differ: whole ones with halves beside them, then up to half as large."""
    for change in (_with_halves, _smaller):
        random = np.random.default_rng(SEED)
        made = {name: change(random, array) for name, array in feeds.items() if array.dtype.kind == "f"}
        if made:
            yield {**feeds, **made}


def _with_halves(random: Random, array: Array) -> Array:
    return np.asarray(np.round(array) + random.integers(-6, 7, array.shape) / 2.0).astype(array.dtype)


def _smaller(random: Random, array: Array) -> Array:
    return np.asarray(array * random.uniform(0.5, 1.0, array.shape)).astype(array.dtype)


def _ordinary(spec: Spec, position: int) -> Array:
    return make(spec, position, 0, np.random.default_rng((SEED, position)))


def _held(spec: Spec) -> Iterator[int]:
    """The values that the graph compares an input with, as far as its type holds them."""
    limits = np.iinfo(spec.dtype)
    yield from (value for value in spec.values if limits.min <= value <= limits.max)


def _bounded(spec: Spec, array: Array) -> Array:
    if spec.low is not None or spec.high is not None:
        array = np.clip(array, spec.low, spec.high)
    limits = np.finfo(spec.dtype)
    return np.clip(array, float(limits.min), float(limits.max)).astype(spec.dtype)
