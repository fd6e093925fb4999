"""Which inputs of a graph are tried at their ends: those that reach operators that engines get wrong there.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from onnx import TensorProto, numpy_helper

from workbench.engines import extremes
from workbench.engines.extremes import Extreme
from workbench.engines.inputs import SEED, Spec, is_length, is_mask
from workbench.engines.ort.influence import Influence, all_nodes, first_readers

_TELL_NOT_FINITE: Final = frozenset((
    "Clip", "Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual", "Max", "Min", "Where",
))  # fmt: skip
_TELL_ZEROS_APART: Final = frozenset((("Div", 1), ("Equal", 0), ("Equal", 1), ("Reciprocal", 0)))
_INDICES: Final = frozenset((
    ("Gather", 1), ("GatherElements", 1), ("GatherND", 1), ("ScatterElements", 1), ("ScatterND", 1),
))  # fmt: skip
_WHOLE: Final = frozenset((TensorProto.INT64, TensorProto.INT32, TensorProto.UINT32, TensorProto.UINT64))
_FAR: Final = 2.0**20
_MOST_OFFSETS: Final = 2
_MOST_INPUTS: Final = 8

Reach = Mapping[str, tuple[float, float]]
"""Least and largest value of every input that was tried, by name."""


def extremes_of(model: Any, specs: Sequence[Spec], reach: Reach, influence: Influence) -> Iterator[tuple[str, Extreme]]:
    """Input name and extreme, each group's in growing order. Nothing for inputs that decide sizes."""
    tried = [spec for spec in specs if spec.name not in influence.sizes and spec.name in reach]
    for number, spec in enumerate(tried[:_MOST_INPUTS]):
        random = np.random.default_rng((SEED, number))
        readers = tuple(first_readers(model, spec.name))
        kind = np.dtype(spec.dtype).kind
        made = _floats if kind == "f" else _integers if spec.is_integer else _none
        for extreme in made(model, spec, readers, reach[spec.name], random):
            yield spec.name, extreme


def _none(*_: Any) -> Iterator[Extreme]:
    yield from ()


def _floats(
    model: Any, spec: Spec, readers: Sequence[tuple[Any, int]], reach: tuple[float, float], random: np.random.Generator
) -> Iterator[Extreme]:
    if any(node.op_type in _TELL_NOT_FINITE for node, _ in readers):
        yield from extremes.not_finite(spec, random)
    if any((node.op_type, position) in _TELL_ZEROS_APART for node, position in readers):
        yield from extremes.negative_zeros(spec, random)
    if any(node.op_type == "MaxPool" or _becomes_whole(node) for node, _ in readers):
        yield from extremes.large_floats(spec, *reach, random)
    if spec.dtype == "float64":
        yield from extremes.precise_doubles(spec, _offsets(model), random)


def _integers(
    model: Any, spec: Spec, readers: Sequence[tuple[Any, int]], reach: tuple[float, float], random: np.random.Generator
) -> Iterator[Extreme]:
    if spec.high is not None and not spec.guessed:
        if any((node.op_type, position) in _INDICES for node, position in readers):
            yield from extremes.negative_indices(spec, random)
    elif is_length(spec.name):
        yield from extremes.empty_lengths(spec, int(reach[0]), int(reach[1]))
    elif not (spec.values or is_mask(spec.name)):
        yield from extremes.large_integers(spec, int(reach[0]), int(reach[1]), random)


def _becomes_whole(node: Any) -> bool:
    return node.op_type == "Cast" and any(a.name == "to" and a.i in _WHOLE for a in node.attribute)


def _offsets(model: Any) -> tuple[float, ...]:
    """The graph's large doubles, beside which a double's last bits may count."""
    tensors = [*model.graph.initializer]
    tensors += [a.t for node in all_nodes(model.graph) for a in node.attribute if a.HasField("t")]
    doubles = [t for t in tensors if t.data_type == TensorProto.DOUBLE and not t.external_data]
    single = [numpy_helper.to_array(tensor) for tensor in doubles if int(np.prod(tensor.dims)) == 1]
    return tuple(float(value.reshape(-1)[0]) for value in single if abs(float(value.reshape(-1)[0])) > _FAR)[
        :_MOST_OFFSETS
    ]
