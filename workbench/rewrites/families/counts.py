"""Operators that MNN 3.6.1 lacks and that comparisons over known sizes write: n-grams, cumulative products."""

from __future__ import annotations

import itertools
from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import Array, array_of, dims_of, is_integer, shape_of
from workbench.rewrites.rule import Replacement, Rule

_MOST_COMPARED: Final = 4_000_000


def _cumulative_product(node: ir.Node, build: Build) -> Replacement:
    """Every place multiplies those before it: the others count as 1."""
    x, at = node.inputs[0], array_of(node.inputs[1])
    dims = dims_of(x)
    if x is None or at is None or dims is None:
        return None
    axis = int(at.ravel()[0]) % len(dims)
    size = dims[axis]
    if size is None or size * size > _MOST_COMPARED:
        return None
    counts = np.tril(np.ones((size, size), bool), -1 if node.attributes.get_int("exclusive", 0) else 0)
    if node.attributes.get_int("reverse", 0):
        counts = counts.T
    mask = build.constant(counts.reshape(size, size, *[1] * (len(dims) - 1 - axis)))
    factors = build.op("Where", mask, build.unsqueeze(x, axis), build.like(x, 1))
    return build.reduce("ReduceProd", factors, (axis + 1,), keepdims=False)


def _n_grams(node: ir.Node, build: Build) -> Replacement:
    x, shape = node.inputs[0], shape_of(node.inputs[0])
    attributes = node.attributes
    if x is None or shape is None or "pool_int64s" not in attributes or not is_integer(x):
        return None
    rows = build.cast(x if len(shape) == 2 else build.unsqueeze(x, 0), ir.DataType.INT64)
    places = np.array(attributes.get_ints("ngram_indexes"))
    width = int(places.max()) + 1
    found = []
    for grams, columns in _pools(node, places):
        for step in range(1, 2 if grams.shape[1] == 1 else attributes.get_int("max_skip_count") + 2):
            count = shape[-1] - (grams.shape[1] - 1) * step
            if count > 0:
                chosen = np.zeros((len(grams), width), np.float32)
                chosen[np.arange(len(grams)), columns] = 1
                found.append(build.op("MatMul", _found(rows, grams, step, count, build), build.constant(chosen)))
    if not found:
        return None
    result = _weighted(build.joined("Add", found), node, places, width, build)
    return result if len(shape) == 2 else build.reshape(result, [width])


def _pools(node: ir.Node, places: Array) -> list[tuple[Array, Array]]:
    """The n-grams of every length that counts, [number, length], and the outputs' places of each."""
    pool = np.array(node.attributes.get_ints("pool_int64s"), np.int64)
    starts = [*node.attributes.get_ints("ngram_counts"), len(pool)]
    shortest, longest = (node.attributes.get_int(name) for name in ("min_gram_length", "max_gram_length"))
    pools, first = [], 0
    for length, (start, end) in enumerate(itertools.pairwise(starts), 1):
        number = (end - start) // length
        if shortest <= length <= longest and number:
            pools.append((pool[start:end].reshape(number, length), places[first : first + number]))
        first += number
    return pools


def _found(rows: ir.Value, grams: Array, step: int, count: int, build: Build) -> ir.Value:
    """How often each n-gram is in each row, with ``step`` from one of its numbers to the next: [rows, n-grams]."""
    equal = []
    for place in range(grams.shape[1]):
        part = build.slice(rows, [place * step], [place * step + count], [1])
        equal.append(build.op("Equal", build.unsqueeze(part, 2), build.constant(grams[:, place])))
    hits = build.cast(build.joined("And", equal), ir.DataType.FLOAT)
    return build.reduce("ReduceSum", hits, (1,), keepdims=False)


def _weighted(total: ir.Value, node: ir.Node, places: Array, width: int, build: Build) -> ir.Value:
    mode = node.attributes.get_string("mode")
    if mode == "TF":
        return total
    weights = np.ones(width, np.float32)
    weights[places] = node.attributes.get_floats("weights", (1.0,) * len(places))
    if mode == "IDF":
        total = build.cast(build.op("Greater", total, build.like(total, 0)), ir.DataType.FLOAT)
    return build.op("Mul", total, build.constant(weights))


RULES: Final = (
    Rule(
        "counts/cumulative-product",
        ("CumProd",),
        msg("A cumulative product is written as products of what is chosen by a triangle"),
        _cumulative_product,
        effect=msg("The matrix grows with the square of the length"),
    ),
    Rule("counts/n-grams", ("TfIdfVectorizer",), msg("N-grams are counted by comparison"), _n_grams),
)
