"""What a graph tells of the integers it takes: table rows, one-hot classes, switches.

Worker side: the reference's worker asks it where the input contract bounds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import numpy_helper

_PASS_ON: Final = frozenset(
    ("Identity", "Cast", "Reshape", "Expand", "Unsqueeze", "Squeeze", "Transpose", "Flatten", "Tile", "Slice")
)
_COMPARE: Final = frozenset(("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"))
_MOST_SWITCHES: Final = 4


@dataclass(frozen=True, slots=True)
class Hint:
    """Bounds from a table or a one-hot range; ``values`` on both sides of each comparison."""

    low: int | None = None
    high: int | None = None
    values: tuple[int, ...] = ()


def integer_hints(model: Any, names: tuple[str, ...]) -> dict[str, Hint]:
    """A hint for each of the inputs ``names`` that the main graph indexes with or compares."""
    constants = _constants(model.graph)
    return {name: _hint(model.graph, constants, name) for name in names}


def _constants(graph: Any) -> dict[str, Any]:
    """Tensors by name, whose values are read only where they are asked for."""
    found = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            for attribute in node.attribute:
                if attribute.name == "value":
                    found[node.output[0]] = attribute.t
    return found


def _hint(graph: Any, constants: dict[str, Any], name: str) -> Hint:
    highs: list[int] = []
    lows: list[int] = []
    switches: list[int] = []
    for node, position in _uses(graph, name):
        if node.op_type == "Gather" and position == 1 and node.input[0] in constants:
            highs.append(_rows(constants[node.input[0]], node) - 1)
            lows.append(0)
        elif node.op_type == "OneHot" and position == 0 and (depth := _values(constants, node.input[1])) is not None:
            highs.append(int(depth.ravel()[0]) - 1)
            lows.append(0)
        elif node.op_type in _COMPARE and (other := _values(constants, node.input[1 - position])) is not None:
            if other.size > 1:
                lows.append(int(other.min()))
                highs.append(int(other.max()))
            elif other.size == 1:
                switches.append(int(other.ravel()[0]))
    values = tuple(dict.fromkeys(v + step for v in switches[:_MOST_SWITCHES] for step in (0, 1, -1)))
    return Hint(max(lows) if lows else None, min(highs) if highs else None, values)


def _uses(graph: Any, name: str) -> Iterator[tuple[Any, int]]:
    """The nodes that read ``name``, or what only reshapes it, and at which input."""
    carried = {name}
    for node in graph.node:
        for position, value in enumerate(node.input):
            if value in carried:
                yield node, position
                if node.op_type in _PASS_ON and position == 0:
                    carried.update(node.output)


def _rows(table: Any, node: Any) -> int:
    axis = next((attribute.i for attribute in node.attribute if attribute.name == "axis"), 0)
    return int(table.dims[axis])


def _values(constants: dict[str, Any], name: str) -> NDArray[Any] | None:
    """A constant's integers; None where it is no constant, or lies outside the model file."""
    tensor = constants.get(name)
    if tensor is None or tensor.external_data:
        return None
    values: NDArray[Any] = np.asarray(numpy_helper.to_array(tensor))
    return values if values.size else None
