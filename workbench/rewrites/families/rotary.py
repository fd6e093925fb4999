"""RotaryEmbedding in plain operators: MNN 3.6.1 lacks it, and ONNX's own body of it has empty parts."""

from __future__ import annotations

from typing import Final

import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import dims_of, input_at
from workbench.rewrites.rule import Replacement, Rule


def _rotary(node: ir.Node, build: Build) -> Replacement:
    """Pairs of elements are turned by an angle that grows with the position: [batch, position, head, element]."""
    x, dims = node.inputs[0], dims_of(node.inputs[0])
    heads = node.attributes.get_int("num_heads", 0)
    if x is None or dims is None or dims[-1] is None or (len(dims) == 3 and not heads):
        return None
    size = dims[-1] if len(dims) == 4 else dims[-1] // heads
    turned = node.attributes.get_int("rotary_embedding_dim", 0) or size
    by_position = _by_position(x, heads, size, build)
    rotated = _rotated(node, by_position, turned, size, build)
    if turned < size:
        rotated = build.op("Concat", rotated, build.slice(by_position, [turned], [None], [-1]), axis=-1)
    return (
        build.op("Reshape", rotated, build.op("Shape", x)) if len(dims) == 3 else build.transpose(rotated, 0, 2, 1, 3)
    )


def _by_position(x: ir.Value, heads: int, size: int, build: Build) -> ir.Value:
    if len(dims_of(x) or ()) == 4:
        return build.transpose(x, 0, 2, 1, 3)
    return build.reshape(x, [build.size(x, 0), build.size(x, 1), heads, size])


def _rotated(node: ir.Node, x: ir.Value, turned: int, size: int, build: Build) -> ir.Value:
    cosines, sines = (_angles(node, place, turned, build) for place in (1, 2))
    part = build.slice(x, [0], [turned], [-1]) if turned < size else x
    if node.attributes.get_int("interleaved", 0):
        pairs = build.reshape(part, [*(build.size(part, axis) for axis in range(3)), turned // 2, 2])
        first, second = build.at(pairs, 0, 4), build.at(pairs, 1, 4)
    else:
        first = build.slice(part, [0], [turned // 2], [-1])
        second = build.slice(part, [turned // 2], [None], [-1])
    real = build.op("Sub", build.op("Mul", cosines, first), build.op("Mul", sines, second))
    imaginary = build.op("Add", build.op("Mul", sines, first), build.op("Mul", cosines, second))
    if not node.attributes.get_int("interleaved", 0):
        return build.op("Concat", real, imaginary, axis=-1)
    both = build.op("Concat", build.unsqueeze(real, -1), build.unsqueeze(imaginary, -1), axis=-1)
    return build.reshape(both, [*(build.size(part, axis) for axis in range(3)), turned])


def _angles(node: ir.Node, place: int, turned: int, build: Build) -> ir.Value:
    """The table's rows of the positions, one for all heads: [batch, position, 1, half]."""
    table, positions = node.inputs[place], input_at(node, 3)
    assert table is not None
    rows = table if positions is None else build.op("Gather", table, positions, axis=0)
    return build.unsqueeze(build.slice(rows, [0], [turned // 2], [-1]), 2)


RULES: Final = (
    Rule("rotary/embedding", ("RotaryEmbedding",), msg("RotaryEmbedding is written as products and sums"), _rotary),
)
