"""What a rule builds with: nodes, constants, and arithmetic on shapes that are known only in part.

Worker side. Nodes go before the one that is replaced; the last one takes over its outputs' names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import onnx_ir as ir
from numpy.typing import ArrayLike, NDArray

from workbench.rewrites.facts import dims_of, numpy_type, rank_of
from workbench.rewrites.inference import infer_outputs

Size = int | ir.Value
"""A size: known, or an int64 scalar that is computed."""
_PREFIX: Final = "wb_"
_SHARED_BYTES: Final = 1024
"""Constants up to this size are made once."""
_END: Final = (1 << 31) - 1
"""MNN holds int64 as int32: the largest end that a Slice may have."""


def is_ours(value: ir.Value) -> bool:
    """Whether a rule named the value, not the model."""
    return value.name is not None and value.name.startswith(_PREFIX)


class Names:
    """Names that no value of the model has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._count = 0

    def fresh(self, stem: str) -> str:
        while True:
            self._count += 1
            name = f"{_PREFIX}{stem}_{self._count}"
            if name not in self._taken:
                self._taken.add(name)
                return name


class Constants:
    """The model's constants: they live in the main graph, so that bodies share them."""

    def __init__(self, graph: ir.Graph, names: Names) -> None:
        self._graph = graph
        self._names = names
        self._shared: dict[tuple[str, tuple[int, ...], bytes], ir.Value] = {}

    def add(self, array: NDArray[Any], name: str | None = None) -> ir.Value:
        """A constant; an equal small one is used again unless a ``name`` is asked for."""
        array = np.asarray(array)
        shared = name is None and array.nbytes <= _SHARED_BYTES
        key = (array.dtype.name, array.shape, array.tobytes() if shared else b"")
        if shared and key in self._shared:
            return self._shared[key]
        name = self._names.fresh("k") if name is None else name
        tensor = ir.tensor(np.array(array, order="C"), name=name)
        value = ir.Value(name=name, shape=ir.Shape(array.shape), type=ir.TensorType(tensor.dtype), const_value=tensor)
        self._graph.register_initializer(value)
        if shared:
            self._shared[key] = value
        return value


class Build:
    """Makes what stands for one node. ``nodes``: those made so far, in order.

    ``in_body``: the node is in a body of If, Loop or Scan.
    """

    def __init__(self, constants: Constants, names: Names, opset: int, *, in_body: bool = False) -> None:
        self.nodes: list[ir.Node] = []
        self.opset = opset
        self.in_body = in_body
        self.constants = constants
        self.names = names

    # Nodes and constants

    def ops(
        self, op: str, inputs: Sequence[ir.Value | None], outputs: int, /, *, domain: str = "", **attributes: Any
    ) -> tuple[ir.Value, ...]:
        """A node with several outputs. Attributes that are None are left out."""
        given = {name: value for name, value in attributes.items() if value is not None}
        values = [ir.Value(name=self.names.fresh(op)) for _ in range(outputs)]
        node = ir.Node(domain, op, inputs, ir.convenience.convert_attributes(given), outputs=values)
        self.nodes.append(node)
        infer_outputs(node, self.opset)
        return tuple(values)

    def op(self, op: str, /, *inputs: ir.Value | None, domain: str = "", **attributes: Any) -> ir.Value:
        """A node with one output. Attributes that are None are left out."""
        return self.ops(op, inputs, 1, domain=domain, **attributes)[0]

    def constant(self, array: ArrayLike, dtype: Any = None) -> ir.Value:
        return self.constants.add(np.asarray(array, dtype))

    def like(self, value: ir.Value, number: float | int | bool) -> ir.Value:
        """A scalar constant of the type of ``value``."""
        return self.constants.add(np.asarray(number, numpy_type(value)))

    def ints(self, *numbers: int) -> ir.Value:
        """A vector of int64: axes, sizes, pads."""
        return self.constants.add(np.array(numbers, np.int64))

    def shaped(self, value: ir.Value, dims: Sequence[int | None], dtype: ir.DataType | None = None) -> ir.Value:
        """``value``, with what a rule knows of it and inference does not."""
        value.shape = ir.Shape(dims)
        if dtype is not None:
            value.type = ir.TensorType(dtype)
        return value

    # Bodies of If, Loop and Scan

    def inside(self) -> Build:
        """Makes the nodes of a body; constants are shared with the graph around it."""
        return Build(self.constants, self.names, self.opset, in_body=True)

    def given(self, stem: str, dtype: ir.DataType, dims: Sequence[int | None]) -> ir.Value:
        """An input of the body that is being made."""
        return ir.Value(name=self.names.fresh(stem), type=ir.TensorType(dtype), shape=ir.Shape(dims))

    def body(self, inputs: Sequence[ir.Value], outputs: Sequence[ir.Value]) -> ir.Graph:
        """The nodes made so far as a graph."""
        return ir.Graph(inputs, outputs, nodes=self.nodes, name=self.names.fresh("body"))

    # Shapes, known or computed

    def size(self, value: ir.Value, axis: int) -> Size:
        """The size of an axis: a number where it is known, else an int64 scalar."""
        dims = dims_of(value)
        if dims is not None and (known := dims[axis]) is not None:
            return known
        return self.op("Gather", self.op("Shape", value), self.constant(axis, np.int64), axis=0)

    def scalar(self, size: Size) -> ir.Value:
        """A size as an int64 scalar."""
        return size if isinstance(size, ir.Value) else self.constant(size, np.int64)

    def sizes(self, sizes: Sequence[Size]) -> ir.Value:
        """A vector of int64 from sizes that are known or computed."""
        known = [size for size in sizes if isinstance(size, int)]
        if len(known) == len(sizes):
            return self.ints(*known)
        parts = [self.unsqueeze(size, 0) if isinstance(size, ir.Value) else self.ints(size) for size in sizes]
        return parts[0] if len(parts) == 1 else self.op("Concat", *parts, axis=0)

    def range(self, size: Size) -> ir.Value:
        """0, 1 ... ``size`` - 1 as int64."""
        if isinstance(size, int):
            return self.constant(np.arange(size, dtype=np.int64))
        return self.op("Range", self.constant(0, np.int64), size, self.constant(1, np.int64))

    # Operators that are used everywhere

    def cast(self, value: ir.Value, to: ir.DataType) -> ir.Value:
        return value if value.dtype == to else self.op("Cast", value, to=to.value)

    def reshape(self, value: ir.Value, sizes: Sequence[Size]) -> ir.Value:
        return self.op("Reshape", value, self.sizes(sizes))

    def unsqueeze(self, value: ir.Value, *axes: int) -> ir.Value:
        return self.op("Unsqueeze", value, self.ints(*axes))

    def squeeze(self, value: ir.Value, *axes: int) -> ir.Value:
        return self.op("Squeeze", value, self.ints(*axes))

    def at(self, value: ir.Value, index: int, axis: int = 0) -> ir.Value:
        """The part at ``index``; the axis is gone."""
        return self.op("Gather", value, self.constant(index, np.int64), axis=axis)

    def slice(
        self, value: ir.Value, starts: Sequence[int], ends: Sequence[int | None], axes: Sequence[int]
    ) -> ir.Value:
        """Parts along ``axes``; an end of None is the end of the axis."""
        stops = [_END if end is None else end for end in ends]
        return self.op("Slice", value, self.ints(*starts), self.ints(*stops), self.ints(*axes))

    def reversed(self, value: ir.Value, axis: int) -> ir.Value:
        return self.op("Slice", value, self.ints(-1), self.ints(-_END), self.ints(axis), self.ints(-1))

    def transpose(self, value: ir.Value, *order: int) -> ir.Value:
        return self.op("Transpose", value, perm=order)

    def reduce(self, op: str, value: ir.Value, axes: Sequence[int], *, keepdims: bool) -> ir.Value:
        """A reduction over ``axes``. Those of MNN want them as an attribute, which the end of the pass writes."""
        return self.op(op, value, self.ints(*axes), keepdims=int(keepdims))

    def joined(self, op: str, values: Sequence[ir.Value]) -> ir.Value:
        """Two-place ``op`` over all ``values``, from the left."""
        result = values[0]
        for value in values[1:]:
            result = self.op(op, result, value)
        return result

    def all_axes(self, value: ir.Value) -> tuple[int, ...] | None:
        """Every axis of ``value``, None where its rank is unknown."""
        rank = rank_of(value)
        return None if rank is None else tuple(range(rank))
