"""Which sizes to try where a model leaves axes open.

Standard library only: the reference's worker asks which of the candidates the reference accepts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

Dim = int | str | None
Sizes = dict[str, int]
"""Axis key to size."""

LADDER: Final = (1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 160, 192, 224, 256, 288, 320, 384, 512, 576, 640, 1024, 2048)
SMALLEST_IMAGE: Final = 32
"""Below 32 pixels a detector's feature maps shrink to one pixel and fit each other by broadcasting
(PP-OCRv4_det takes 1 x 1 and answers 32 x 32): accepted, and no use as a test."""
_NAMELESS: Final = ("", "?", "-1", "None", "unk")
_IMAGE_CHANNELS: Final = (1, 3, 4)
_SIDES: Final = ((225, 224), (319, 320))
_LONG: Final = (17, 16)
"""Odd sizes first: MNN pads and splits wrongly only where something is left over."""
_LARGE: Final = 128
_MOST_CANDIDATES: Final = 300
_MOST_MIXED: Final = 6


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis that the model leaves open; ``key`` is its name, or its place where it has none."""

    key: str
    is_batch: bool
    is_pixels: bool

    @property
    def smallest(self) -> int:
        return SMALLEST_IMAGE if self.is_pixels else 1


def axis_key(name: str, position: int, dim: Dim) -> str:
    """What identifies an open axis: equal names mean equal sizes, "?" and the like mean nothing."""
    if isinstance(dim, str) and dim not in _NAMELESS:
        return dim
    return f"{name}:{position}"


def is_open(dim: Dim) -> bool:
    return not isinstance(dim, int) or dim < 0


def open_axes(shapes: Mapping[str, Sequence[Dim]], layouts: Mapping[str, str]) -> tuple[Axis, ...]:
    """The open axes of all inputs, each key once, in graph order. ``layouts``: "NCHW" and the like, "" unknown."""
    axes: dict[str, Axis] = {}
    for name, dims in shapes.items():
        pixels = _pixel_positions(dims, layouts.get(name, ""))
        for position, dim in enumerate(dims):
            if is_open(dim):
                key = axis_key(name, position, dim)
                axes.setdefault(key, Axis(key, position == 0 and len(dims) > 1, position in pixels))
    return tuple(axes.values())


def _pixel_positions(dims: Sequence[Dim], layout: str) -> tuple[int, ...]:
    if "H" in layout:
        return tuple(position for position, letter in enumerate(layout) if letter in "HW")
    if len(dims) != 4:
        return ()
    if dims[1] in _IMAGE_CHANNELS and any(map(is_open, dims[2:])):
        return (2, 3)
    if dims[3] in _IMAGE_CHANNELS and any(map(is_open, dims[1:3])):
        return (1, 2)
    return ()


def bind(shapes: Mapping[str, Sequence[Dim]], sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Every input's shape with ``sizes`` put in for the open axes."""
    return {
        name: tuple(
            sizes[axis_key(name, position, dim)] if is_open(dim) or dim is None else int(dim)
            for position, dim in enumerate(dims)
        )
        for name, dims in shapes.items()
    }


def first_candidates(axes: Sequence[Axis], fixed: Mapping[str, int]) -> Iterator[Sizes]:
    """Batch 1 and all other axes equal, smallest first; then mixed with the smallest; then every pair."""
    free = [axis for axis in axes if axis.key not in fixed]
    batch = {axis.key: 1 for axis in free if axis.is_batch}
    others = [axis for axis in free if not axis.is_batch]
    seen: set[tuple[int, ...]] = set()
    for values in _mixtures(others):
        if values not in seen:
            seen.add(values)
            yield {**fixed, **batch, **dict(zip((axis.key for axis in others), values, strict=True))}
        if len(seen) >= _MOST_CANDIDATES:
            return


def _mixtures(axes: Sequence[Axis]) -> Iterator[tuple[int, ...]]:
    for size in LADDER:
        yield tuple(max(size, axis.smallest) for axis in axes)
    for size in LADDER:  # an image below the least useful size is better than none
        yield tuple(size for _ in axes)
    if len(axes) > 1:
        some = axes[:_MOST_MIXED]
        for size in LADDER:
            choices = ((axis.smallest, max(size, axis.smallest)) for axis in some)
            for values in product(*choices):
                yield (*values, *(axis.smallest for axis in axes[_MOST_MIXED:]))
    if len(axes) == 2:
        pairs = product(*([size for size in LADDER if size >= axis.smallest] for axis in axes))
        yield from sorted(pairs, key=max)


def second_candidates(axes: Sequence[Axis], fixed: Mapping[str, int], first: Mapping[str, int]) -> Iterator[Sizes]:
    """Sizes that differ from ``first``: those that change most axes first, and of them the largest."""
    free = [axis for axis in axes if axis.key not in fixed][:_MOST_MIXED]
    choices = [list(enumerate(_others(axis, order, first[axis.key]))) for order, axis in enumerate(free)]
    ranked = sorted(product(*choices), key=lambda picks: _rank(picks, free, first))
    for picks in ranked[:_MOST_CANDIDATES]:
        sizes = {**first, **{axis.key: size for axis, (_, size) in zip(free, picks, strict=True)}}
        if sizes != dict(first):
            yield sizes


def _others(axis: Axis, order: int, size: int) -> tuple[int, ...]:
    """Sizes to take in place of ``size``, the best first; ``size`` itself last.

    An image gets sides as in use, because MNN chooses its convolutions by them: Winograd's loss on
    PP-OCRv4_det shows at 224 pixels and not at 64. Sides differ, so that one taken for the other shows.
    """
    if axis.is_batch:
        return (2, size) if size == 1 else (2 * size, 1)
    if size > _LARGE:
        return (size // 2, size // 2 + size // 4, size)
    if axis.is_pixels:
        return (*_SIDES[order % 2], 2 * size, size)
    longer = (*_LONG, 2 * size, size) if 2 * size < min(_LONG) else (2 * size + 1, 2 * size, size)
    return tuple(dict.fromkeys(longer))


def _rank(picks: Sequence[tuple[int, int]], free: Sequence[Axis], first: Mapping[str, int]) -> tuple[int, int]:
    alike = sum(first[axis.key] == size for axis, (_, size) in zip(free, picks, strict=True))
    return alike, sum(place for place, _ in picks)
