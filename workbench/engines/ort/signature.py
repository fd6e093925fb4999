"""A model's inputs as the reference's worker sees them: contracts, and what the graph tells of integers.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray

from workbench.children.serve import Refusal
from workbench.engines import inputs as made_up
from workbench.engines import sizes
from workbench.engines.inputs import Spec
from workbench.engines.ort.evaluator import NO_REFERENCE
from workbench.engines.ort.given import BAD_SHAPE
from workbench.engines.ort.hints import Hint, integer_hints

_NUMBERS: Final = "fiub"


@dataclass(frozen=True, slots=True)
class Range:
    """Least and largest value of the user's array for an input."""

    low: float
    high: float

    @property
    def span(self) -> float:
        return max(abs(self.low), abs(self.high))


@dataclass(frozen=True, slots=True)
class Signature:
    """The model's inputs as the request tells them. ``given``: ranges of the user's arrays by input."""

    contracts: tuple[Mapping[str, Any], ...]
    hints: Mapping[str, Hint]
    given: Mapping[str, Range]
    shapes: Mapping[str, Sequence[sizes.Dim]]
    axes: tuple[sizes.Axis, ...]

    @property
    def ones(self) -> dict[str, int]:
        """The least size of every open axis."""
        return {axis.key: 1 for axis in self.axes}

    def is_of_state(self, axis: sizes.Axis) -> bool:
        """Whether an input that carries a state has this axis."""
        return any(
            sizes.axis_key(name, position, dim) == axis.key
            for name, dims in self.shapes.items()
            if made_up.is_state(name)
            for position, dim in enumerate(dims)
        )

    def specs(self, chosen: Mapping[str, int]) -> list[Spec]:
        """What to make for each input at the sizes ``chosen``."""
        bound = sizes.bind(self.shapes, chosen)
        longest = self._longest(chosen, bound)
        return [self._spec(contract, bound[contract["name"]], longest) for contract in self.contracts]

    def _longest(self, chosen: Mapping[str, int], bound: Mapping[str, tuple[int, ...]]) -> int:
        """What a length may be: the shortest open axis; where none is open, the shortest that is no batch.

        How many lengths there are bounds none of them.
        """
        counted = {
            sizes.axis_key(name, position, dim)
            for name, dims in self.shapes.items()
            if not made_up.is_length(name)
            for position, dim in enumerate(dims)
        }
        lengths = [chosen[axis.key] for axis in self.axes if not axis.is_batch and axis.key in counted]
        fixed = (size for shape in bound.values() for size in shape[1:] if size > 1)
        return min(lengths or fixed, default=1)

    def _spec(self, contract: Mapping[str, Any], shape: tuple[int, ...], longest: int) -> Spec:
        name, layout = contract["name"], contract["layout"]
        hint = self.hints.get(name, Hint())
        low, high = contract["low"], contract["high"]
        given = self.given.get(name)
        guessed = high is None and hint.high is None and given is not None
        if _kind(contract["dtype"]) in "iu":
            low = _first(low, hint.low, given.low if given else None)
            high = _first(high, hint.high, given.high if given else None)
        return Spec(
            name,
            contract["dtype"],
            shape,
            low=low,
            high=high,
            mean=tuple(contract["mean"]),
            std=tuple(contract["std"]),
            channel_axis=layout.index("C") if "C" in layout else 1,
            values=hint.values,
            span=given.span if given else None,
            longest=longest,
            state=made_up.is_state(name),
            guessed=guessed,
        )


def dtypes_of(contracts: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Every input's dtype. Refuses with "no_reference" where numpy has none such."""
    for contract in contracts:
        if not _kind(contract["dtype"]):
            raise Refusal(NO_REFERENCE, f"Input {contract['name']} takes {contract['dtype']}, which cannot be fed here")
    return {contract["name"]: contract["dtype"] for contract in contracts}


def read_signature(contracts: Sequence[Mapping[str, Any]], path: Path, given: Mapping[str, NDArray[Any]]) -> Signature:
    """The signature of the model in ``path``, whose graph is read only where integers are not bounded."""
    shapes = {contract["name"]: contract["shape"] for contract in contracts}
    for name, shape in shapes.items():
        if shape is None and name not in given:
            raise Refusal(BAD_SHAPE, f"The model does not say how many axes input {name} has")
        if shape is None:
            shapes[name] = list(given[name].shape)
    unbounded = tuple(
        contract["name"]
        for contract in contracts
        if _kind(contract["dtype"]) in "iu" and contract["dtype"] != "uint8" and contract["high"] is None
    )
    hints = integer_hints(onnx.load(path, load_external_data=False), unbounded) if unbounded else {}
    layouts = {contract["name"]: contract["layout"] for contract in contracts}
    return Signature(tuple(contracts), hints, _ranges(given), shapes, sizes.open_axes(shapes, layouts))


def _ranges(given: Mapping[str, NDArray[Any]]) -> dict[str, Range]:
    ranges: dict[str, Range] = {}
    for name, array in given.items():
        finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
        if finite.size:
            ranges[name] = Range(float(np.min(finite)), float(np.max(finite)))
    return ranges


def _kind(dtype: str) -> str:
    """numpy's letter for the kind of number; "" for bfloat16, strings and the like."""
    try:
        kind = np.dtype(dtype).kind
    except TypeError:
        return ""
    return kind if kind in _NUMBERS else ""


def _first(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)
