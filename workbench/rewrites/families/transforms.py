"""Linear maps that MNN 3.6.1 lacks, as products with constant matrices: DFT and Col2Im."""

from __future__ import annotations

import itertools
import math
from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build, Size
from workbench.rewrites.facts import Array, array_of, dims_of, input_at, is_float, numpy_type
from workbench.rewrites.rule import Replacement, Rule

_MOST_ELEMENTS: Final = 16_000_000
"""Of a constant matrix."""


def _dft(node: ir.Node, build: Build) -> Replacement:
    """Axis and parts are laid last, multiplied, and laid back."""
    x, dims, axis = node.inputs[0], dims_of(node.inputs[0]), _dft_axis(node, build)
    length = array_of(input_at(node, 1))
    if (
        x is None
        or dims is None
        or axis is None
        or not is_float(x)
        or (input_at(node, 1) is not None) > (length is not None)
    ):
        return None
    axis %= len(dims)
    size, parts = dims[axis], dims[-1]
    if size is None or parts is None:
        return None
    matrix = _dft_matrix(node, size, parts, None if length is None else int(length.ravel()[0]))
    if matrix.size > _MOST_ELEMENTS:
        return None
    count, made = matrix.shape[2:]
    order = [*(place for place in range(len(dims) - 1) if place != axis), axis, len(dims) - 1]
    others: list[Size] = [build.size(x, place) for place in order[:-2]]
    flat = build.reshape(build.transpose(x, *order), [*others, size * parts])
    weights = build.constant(matrix.reshape(size * parts, count * made), numpy_type(x))
    result = build.reshape(build.op("MatMul", flat, weights), [*others, count, made])
    return build.transpose(result, *(order.index(place) for place in range(len(dims))))


def _dft_axis(node: ir.Node, build: Build) -> int | None:
    given = input_at(node, 2)
    if given is not None:
        array = array_of(given)
        return None if array is None else int(array.ravel()[0])
    return node.attributes.get_int("axis", 1 if build.opset < _AXIS_AS_INPUT else -2)


_AXIS_AS_INPUT: Final = 20


def _dft_matrix(node: ir.Node, size: int, parts: int, length: int | None) -> Array:
    """[size, parts in, places out, parts out]; parts are the real and the imaginary one."""
    inverse, half = (bool(node.attributes.get_int(name, 0)) for name in ("inverse", "onesided"))
    if inverse and half:
        return _real_inverse(size, parts, 2 * (size - 1) if length is None else length)
    count = size if length is None else length
    places = np.arange(count // 2 + 1 if half else count)
    angle = np.arange(size)[:, None] * places * (2 * math.pi / count) * (1 if inverse else -1)
    is_read = (np.arange(size) < count)[:, None]
    real, imaginary = np.cos(angle) * is_read, np.sin(angle) * is_read
    rows = [np.stack([real, imaginary], -1), np.stack([-imaginary, real], -1)]
    return np.stack(rows[:parts], 1) / (count if inverse else 1)


def _real_inverse(size: int, parts: int, count: int) -> Array:
    """From half a spectrum: what is not at its ends counts twice."""
    places = np.arange(size)[:, None]
    angle = places * np.arange(count) * (2 * math.pi / count)
    weight = np.where((places == 0) | (2 * places == count), 1, 2) * (2 * places <= count) / count
    return np.stack([weight * np.cos(angle), -weight * np.sin(angle)][:parts], 1)[..., None]


def _col2im(node: ir.Node, build: Build) -> Replacement:
    x, dims = node.inputs[0], dims_of(node.inputs[0])
    image, block = (array_of(input_at(node, place)) for place in (1, 2))
    if x is None or dims is None or image is None or block is None or not is_float(x) or dims[1] is None:
        return None
    matrix = _col2im_matrix(node, [int(size) for size in image], [int(size) for size in block])
    if matrix is None:
        return None
    channels = dims[1] // matrix.shape[0]
    flat = build.reshape(x, [build.size(x, 0), channels, matrix.shape[0] * matrix.shape[1]])
    weights = build.constant(matrix.reshape(-1, matrix.shape[2]), numpy_type(x))
    result = build.op("MatMul", flat, weights)
    return build.reshape(result, [build.size(x, 0), channels, *(int(size) for size in image)])


def _col2im_matrix(node: ir.Node, image: list[int], block: list[int]) -> Array | None:
    """[places in a block, blocks, places in the image]: 1 where the one lies on the other."""
    rank = len(image)
    strides = node.attributes.get_ints("strides", (1,) * rank)
    dilations = node.attributes.get_ints("dilations", (1,) * rank)
    pads = node.attributes.get_ints("pads", (0,) * (2 * rank))
    counts = [
        (image[k] + pads[k] + pads[k + rank] - dilations[k] * (block[k] - 1) - 1) // strides[k] + 1 for k in range(rank)
    ]
    shape = (math.prod(block), math.prod(counts), math.prod(image))
    if math.prod(shape) > _MOST_ELEMENTS:
        return None
    matrix = np.zeros(shape, np.float32)
    for row, inside in enumerate(itertools.product(*map(range, block))):
        for column, first in enumerate(itertools.product(*map(range, counts))):
            place = [first[k] * strides[k] - pads[k] + inside[k] * dilations[k] for k in range(rank)]
            if all(0 <= at < size for at, size in zip(place, image, strict=True)):
                matrix[row, column, np.ravel_multi_index(place, image)] = 1
    return matrix


RULES: Final = (
    Rule(
        "transforms/dft",
        ("DFT",),
        msg("The transform is written as a product with a constant matrix"),
        _dft,
        effect=msg("The matrix grows with the square of the length"),
    ),
    Rule(
        "transforms/col2im",
        ("Col2Im",),
        msg("Col2Im is written as a product with a constant matrix"),
        _col2im,
        effect=msg("The matrix grows with the size of the image and the number of blocks"),
    ),
)
