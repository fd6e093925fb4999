"""Shapes that a person writes, ``NAME=1x3x224x224``, held against the model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod
from typing import Final

from workbench.core.errors import BadInput, UsageError
from workbench.core.graph import Model, Shape, Tensor
from workbench.core.messages import msg

_MOST_ELEMENTS: Final = 1 << 28
"""1 GiB of float32: the reference, the engine and the comparison hold it several times."""
_SIZES: Final = re.compile(r"(?:[0-9]{1,9}(?:x[0-9]{1,9})*)?", re.IGNORECASE)


def parse_shape(text: str) -> tuple[str, tuple[int, ...]]:
    """(name, sizes) of ``NAME=1x3x224x224``; the last ``=`` divides, for names may hold one. ``NAME=`` is a scalar.

    Raises UsageError.
    """
    name, divider, sizes = text.rpartition("=")
    if not divider or not name or not _SIZES.fullmatch(sizes):
        raise UsageError(
            msg("{text} is not a shape", text=text),
            where="--shape",
            hint=msg("Write it as NAME=1x3x224x224."),
        )
    return name, tuple(int(size) for size in re.split("[xX]", sizes)) if sizes else ()


def chosen_shapes(model: Model, texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Sizes by input name. Raises UsageError for a name that is no input or comes twice, BadInput for a misfit."""
    inputs = {tensor.name: tensor for tensor in model.graph.inputs}
    chosen: dict[str, tuple[int, ...]] = {}
    axes: dict[str, tuple[int, str]] = {}
    for text in texts:
        name, sizes = parse_shape(text)
        if name not in inputs:
            raise UsageError(
                msg("There is no input {name}", name=name),
                where="--shape",
                hint=msg("The inputs are: {names}.", names=", ".join(map(_written, inputs.values()))),
            )
        if name in chosen:
            raise UsageError(msg("Input {name} got two shapes", name=name), where="--shape", hint=msg("Give it once."))
        _check_fit(inputs[name], sizes, axes)
        _check_extent(inputs[name], sizes)
        chosen[name] = sizes
    return chosen


def _check_fit(tensor: Tensor, sizes: tuple[int, ...], axes: dict[str, tuple[int, str]]) -> None:
    """Raise BadInput where ``sizes`` do not fit. ``axes``: the size of each named axis so far, and whose it is."""
    if tensor.shape is None:
        return
    hint = msg("The model's shape is {shape}.", shape=_written(tensor))
    rank = len(tensor.shape)
    if rank != len(sizes):
        raise BadInput(
            msg("Input {name} has {rank} axes, not {found}", name=tensor.name, rank=rank, found=len(sizes)),
            where=tensor.name,
            hint=hint,
        )
    for axis, (dim, size) in enumerate(zip(tensor.shape, sizes, strict=True)):
        if isinstance(dim, int) and dim != size:
            raise BadInput(
                msg("Axis {axis} of input {name} is fixed at {size}", axis=axis, name=tensor.name, size=dim),
                where=tensor.name,
                hint=hint,
            )
        if isinstance(dim, str):
            known, owner = axes.setdefault(dim, (size, tensor.name))
            if known != size:
                raise BadInput(
                    msg("Axis {dim} is {size} in input {name}, but {known} in {owner}",
                        dim=dim, size=size, name=tensor.name, known=known, owner=owner),
                    where=tensor.name,
                    hint=msg("Axes of one name have one size."),
                )  # fmt: skip


def _check_extent(tensor: Tensor, sizes: tuple[int, ...]) -> None:
    """Raise BadInput for sizes that leave nothing to compare, or more than any computer compares."""
    if 0 in sizes and 0 not in (tensor.shape or ()):
        raise BadInput(
            msg("Input {name} would be empty: no number could be compared", name=tensor.name),
            where=tensor.name,
            hint=msg("Give sizes from 1 up."),
        )
    if prod(sizes) > _MOST_ELEMENTS:
        raise BadInput(
            msg("Input {name} would have {count} elements", name=tensor.name, count=f"{prod(sizes):,}"),
            where=tensor.name,
            hint=msg("Give sizes as the model has them in use: at most {most} elements.", most=f"{_MOST_ELEMENTS:,}"),
        )


def _written(tensor: Tensor) -> str:
    shape: Shape = tensor.shape
    if shape is None:
        return tensor.name
    return f"{tensor.name}={'x'.join('?' if dim is None else str(dim) for dim in shape)}"
