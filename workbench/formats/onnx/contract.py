"""What an input holds, guessed from the graph: layout, and bounds where a value outside breaks the model.

A token id at or above the rows of its embedding makes onnxruntime refuse and MNN read past the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from workbench.core.contract import InputContract
from workbench.core.graph import Graph, Model, Node, Shape, Tensor

_SAME_VALUES: Final = frozenset((
    "Cast", "Concat", "Dropout", "Expand", "Flatten", "Gather", "Identity", "Reshape", "Slice", "Split", "Squeeze",
    "Tile", "Transpose", "Unsqueeze",
))  # fmt: skip
"""Operators whose outputs hold values of their first input (Concat: of every input), and no others."""
_LENGTHS: Final = {("LSTM", 4): 1, ("GRU", 4): 1, ("RNN", 4): 1, ("ReverseSequence", 1): 0}
"""The least length that a sequence may have, by (operator, input)."""
_LOSSES: Final = ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
_SAME_AXES: Final = frozenset((
    "Add", "BatchNormalization", "Cast", "Clip", "DequantizeLinear", "Div", "HardSwish", "Identity", "LeakyRelu",
    "Mul", "Pad", "QuantizeLinear", "Relu", "Sigmoid", "Sub",
))  # fmt: skip
"""Operators that keep the order of the axes of their inputs."""
_IMAGE_READERS: Final = frozenset((
    "AveragePool", "Conv", "ConvInteger", "ConvTranspose", "GlobalAveragePool", "GlobalMaxPool",
    "InstanceNormalization", "MaxPool", "QLinearConv",
))  # fmt: skip
_LAYOUTS: Final = {3: "NCL", 4: "NCHW", 5: "NCDHW"}


_Readers = Mapping[str, list[tuple[Node, int]]]
_Tensors = Mapping[str, Tensor]


def contracts_of(model: Model) -> tuple[InputContract, ...]:
    """A contract for each input, in graph order. Axes without a name or size get the name ``input.axis``."""
    readers: dict[str, list[tuple[Node, int]]] = {}
    tensors: dict[str, Tensor] = {}
    for node in model.graph.all_nodes():
        for position, name in enumerate(node.inputs):
            readers.setdefault(name, []).append((node, position))
    _add_tensors(model.graph, tensors)
    return tuple(_contract(tensor, readers, tensors) for tensor in model.graph.inputs)


def _add_tensors(graph: Graph, tensors: dict[str, Tensor]) -> None:
    """Inner graphs first, so that an outer name wins."""
    for body in graph.subgraphs:
        _add_tensors(body.graph, tensors)
    tensors |= graph.tensors


def _contract(tensor: Tensor, readers: _Readers, tensors: _Tensors) -> InputContract:
    layout = _layout(tensor, readers)
    low, high = _bounds(tensor, readers, tensors) if "int" in tensor.dtype else (None, None)
    return InputContract(
        tensor.name, _with_names(tensor.name, tensor.shape, layout), tensor.dtype, layout, low=low, high=high
    )


def _with_names(name: str, shape: Shape, layout: str) -> Shape:
    if shape is None:
        return None
    axes = layout or range(len(shape))
    return tuple(f"{name}.{axis}" if dim is None else dim for axis, dim in zip(axes, shape, strict=True))


def _layout(tensor: Tensor, readers: _Readers) -> str:
    """The meaning of the axes, from the first convolution or pooling that the input reaches; "" for none."""
    if tensor.shape is None or len(tensor.shape) not in _LAYOUTS:
        return ""
    rank = len(tensor.shape)
    letters = _LAYOUTS[rank]
    queue = [(tensor.name, tuple(range(rank)))]  # axis i of the value is axis order[i] of the input
    seen: set[str] = set()
    while queue:
        name, order = queue.pop(0)
        if name in seen:
            continue
        seen.add(name)
        for node, position in readers.get(name, ()):
            if node.op in _IMAGE_READERS and position == 0:
                return "".join(letters[order.index(axis)] for axis in range(rank))
            if node.op == "Transpose":
                perm = node.attributes.get("perm", tuple(reversed(range(rank))))
                if isinstance(perm, tuple) and sorted(map(str, perm)) == sorted(map(str, range(rank))):
                    queue += [(output, tuple(order[int(axis)] for axis in perm)) for output in node.outputs]
            elif node.op in _SAME_AXES:
                queue += [(output, order) for output in node.outputs[:1]]
    return ""


def _bounds(tensor: Tensor, readers: _Readers, tensors: _Tensors) -> tuple[float | None, float | None]:
    """(low, high), both inclusive: the narrowest that every reader of the values allows."""
    lows: list[int] = []
    highs: list[int] = []
    for node, position in _value_readers(tensor.name, readers):
        if (node.op, position) in _ROWS:
            rows = _ROWS[node.op, position](node, position, tensors)
            if rows is not None:
                lows.append(0)
                highs.append(max(rows - 1, 0))
            elif node.op in _LOSSES and not _ignores_negative(node):
                lows.append(0)
        elif (node.op, position) in _LENGTHS:
            lows.append(_LENGTHS[node.op, position])
            steps = _size(_tensor(node.inputs, 0, tensors), _time_axis(node))
            if steps is not None:
                highs.append(steps)
    return max(lows, default=None), min(highs, default=None)


def _time_axis(node: Node) -> object:
    return node.attributes.get("time_axis", 0) if node.op == "ReverseSequence" else node.attributes.get("layout", 0)


def _value_readers(name: str, readers: _Readers) -> Iterator[tuple[Node, int]]:
    queue, seen = [name], {name}
    while queue:
        for node, position in readers.get(queue.pop(0), ()):
            yield node, position
            if node.op in _SAME_VALUES and (position == 0 or node.op == "Concat"):
                new = [output for output in node.outputs if output and output not in seen]
                queue += new
                seen.update(new)


def _indexed(node: Node, position: int, tensors: _Tensors) -> int | None:
    return _size(_tensor(node.inputs, 0, tensors), node.attributes.get("axis", 0))


def _one_hot(node: Node, position: int, tensors: _Tensors) -> int | None:
    return _size(_tensor(node.outputs, 0, tensors), node.attributes.get("axis", -1))


def _compared(node: Node, position: int, tensors: _Tensors) -> int | None:
    """One-hot as JAX writes it: values [..., 1] against a table of all values. Beyond it lies nothing but zeros."""
    if _size(_tensor(node.inputs, position, tensors), -1) != 1:
        return None
    rows = _size(_tensor(node.outputs, 0, tensors), -1)
    return rows if rows != 1 else None


def _words(node: Node, position: int, tensors: _Tensors) -> int | None:
    return _size(_tensor(node.inputs, 2, tensors), 0)


def _classes(node: Node, position: int, tensors: _Tensors) -> int | None:
    """A label that stands for "ignore" may lie outside; then the bounds are not known."""
    classes = _size(_tensor(node.inputs, 0, tensors), 1)
    ignored = node.attributes.get("ignore_index", 0)
    return classes if classes is not None and isinstance(ignored, int) and 0 <= ignored < classes else None


def _ignores_negative(node: Node) -> bool:
    ignored = node.attributes.get("ignore_index", 0)
    return isinstance(ignored, int) and ignored < 0


def _segments(node: Node, position: int, tensors: _Tensors) -> int | None:
    return _size(_tensor(node.inputs, 4, tensors), 0)


_ROWS: Final[Mapping[tuple[str, int], Callable[[Node, int, _Tensors], int | None]]] = {
    ("Gather", 1): _indexed,
    ("GatherElements", 1): _indexed,
    ("ScatterElements", 1): _indexed,
    **{(op, 1): _classes for op in _LOSSES},
    ("OneHot", 0): _one_hot,
    ("Equal", 0): _compared,
    ("Equal", 1): _compared,
    ("EmbedLayerNormalization", 0): _words,
    ("EmbedLayerNormalization", 1): _segments,
}
"""How many rows an index selects from, by (operator, input)."""


def _tensor(names: Sequence[str], position: int, tensors: _Tensors) -> Tensor | None:
    return tensors.get(names[position]) if position < len(names) else None


def _size(tensor: Tensor | None, axis: object) -> int | None:
    if tensor is None or tensor.shape is None or not isinstance(axis, int):
        return None
    if not -len(tensor.shape) <= axis < len(tensor.shape):
        return None
    size = tensor.shape[axis]
    return size if isinstance(size, int) else None
