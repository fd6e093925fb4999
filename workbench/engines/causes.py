"""Usages of operators that MNN 3.6.1 is known to compute wrong, in words.

Each was measured with the ONNX node tests or with a model in public use. The table explains, it does
not judge: a cause is told where a comparison, a crash or a hang of this very model has named the node,
and beside what ``op_table.py`` knows of an operator where nothing was run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.core.graph import Graph, Node
from workbench.core.messages import Message, msg
from workbench.engines.op_conditions import Place, constants_of

_BOOL: Final = 9  # onnx.TensorProto.BOOL
_INT32_MAX: Final = 2**31 - 1
_EXPONENT: Final = 80
_RECURRENT: Final = ("LSTM", "GRU", "RNN")
_POOLS: Final = ("MaxPool", "AveragePool", "LpPool")
_INITIAL_STATE: Final = 5
_READ_OUTPUTS: Final = {"LSTM": 3, "GRU": 2, "RNN": 2}


@dataclass(frozen=True, slots=True)
class Observed(Place):
    """A node in its graph. ``values``: .npy files by tensor name, where the node was compared."""

    values: Mapping[str, str] = field(default_factory=dict)

    def attribute(self, name: str, default: object = None) -> object:
        return self.node.attributes.get(name, default)

    def has_input(self, position: int) -> bool:
        return bool(self.input(position))

    def is_constant(self, position: int) -> bool:
        return self.input(position) in self.constants

    def numbers(self, position: int) -> NDArray[Any]:
        """What the reference fed this input; nothing where that is not known."""
        file = self.values.get(self.input(position))
        return np.zeros(0) if file is None else np.asarray(np.load(file, mmap_mode="r"))

    def has_negatives(self, position: int) -> bool:
        return bool(np.any(self.numbers(position) < 0))

    def dtype(self, position: int) -> str:
        tensor = self.tensor(position)
        return tensor.dtype if tensor else ""

    def is_open(self, position: int, axis: int) -> bool:
        """Whether the graph leaves this axis of an input open, or does not know it."""
        tensor = self.tensor(position)
        if tensor is None or tensor.shape is None or len(tensor.shape) <= axis:
            return True
        return not isinstance(tensor.shape[axis], int)


Applies = Callable[[Observed], bool]
_Row = tuple[tuple[str, ...], Applies, Message]


def lacks_outputs(node: Node) -> bool:
    """Whether ``node`` is a recurrent one that declares fewer outputs than the converter reads."""
    return sum(map(bool, node.outputs)) < _READ_OUTPUTS.get(node.op, 0)


_CAUSES: Final[tuple[_Row, ...]] = (
    (
        ("LSTM", "GRU"),
        lambda p: lacks_outputs(p.node),
        msg("It does not declare all of its outputs, which the converter reads anyway"),
    ),
    (
        _RECURRENT,
        lambda p: p.has_input(_INITIAL_STATE) and p.is_open(0, 0),
        msg("With an initial state and an open sequence axis the engine takes the sequence for the batch"),
    ),
    (
        ("GRU",),
        lambda p: not p.attribute("linear_before_reset", 0),
        msg("The engine computes linear_before_reset=0 as if it were 1"),
    ),
    (
        _POOLS,
        lambda p: any(size != 1 for size in _numbers(p.attribute("dilations"))),
        msg("The engine has no pooling with dilations"),
    ),
    (_POOLS, lambda p: p.attribute("strides") is None, msg("The engine does not know the default of strides")),
    (
        ("BatchNormalization",),
        lambda p: not all(p.is_constant(position) for position in range(1, 5)),
        msg("The converter needs the parameters as constants"),
    ),
    (
        ("QuantizeLinear", "DequantizeLinear"),
        lambda p: not p.is_constant(1),
        msg("The converter needs the scale as a constant"),
    ),
    (
        ("QuantizeLinear", "DequantizeLinear"),
        lambda _: True,
        msg("Models quantized as QuantizeLinear and DequantizeLinear pairs are not computed"),
    ),
    (("OneHot",), lambda p: "float" in p.dtype(1), msg("The engine does not end with a depth that is a float")),
    (("Mod",), lambda p: bool(p.attribute("fmod", 0)), msg("The engine gives the remainder the divisor's sign")),
    (("Round",), lambda _: True, msg("The engine rounds halves away from zero, not to even")),
    (("Cast",), lambda p: p.attribute("to") == _BOOL, msg("The engine keeps the number where a bool is asked for")),
    (("Resize",), lambda p: p.attribute("mode") == "cubic", msg("The engine's cubic interpolation is another one")),
    (
        ("Resize",),
        lambda p: p.attribute("nearest_mode") in ("round_prefer_ceil", "ceil"),
        msg("The engine rounds positions another way"),
    ),
    (
        ("GridSample",),
        lambda p: p.attribute("mode") in ("bicubic", "cubic"),
        msg("The engine has no bicubic sampling and goes on with bilinear"),
    ),
    (
        ("ScatterND", "ScatterElements"),
        lambda p: p.attribute("reduction", "none") != "none",
        msg("The engine does not combine values that meet at one place"),
    ),
    (
        ("ScatterND", "ScatterElements"),
        lambda p: p.has_negatives(1),
        msg("The engine does not count negative indices from the end"),
    ),
    (("Gemm",), lambda p: bool(p.attribute("transA", 0)), msg("The engine does not transpose the first matrix")),
    (
        ("Softmax", "LogSoftmax", "Hardmax"),
        lambda p: p.attribute("axis") is None,
        msg("The engine assumes another default axis"),
    ),
    (
        ("ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"),
        lambda p: p.has_input(1),
        msg("The engine does not read axes that are an input"),
    ),
    (("Pad",), lambda p: p.has_negatives(1), msg("The engine has no negative pads (crops)")),
    (("Pad",), lambda p: p.has_input(3), msg("The engine does not read axes that are an input")),
    (("TopK",), lambda p: _has_ties(p.numbers(0)), msg("The engine orders equal values another way")),
    (
        ("ArgMax", "ArgMin"),
        lambda p: bool(p.attribute("select_last_index", 0)),
        msg("The engine takes the first of equal values"),
    ),
    (("Less",), lambda p: p.has_negatives(0) or p.has_negatives(1), msg("The engine compares negative numbers wrong")),
    (
        ("Softplus",),
        lambda p: bool(np.any(p.numbers(0) > _EXPONENT)),
        msg("The engine's exponential ends at about 88, and this input goes further"),
    ),
    (
        ("ConstantOfShape",),
        lambda p: p.attribute("value") is None,
        msg("Without a value the converter fills it with anything"),
    ),
    (
        ("GatherND",),
        lambda p: p.input(1) in p.values and p.numbers(1).size == 0,
        msg("The engine does not get the shapes of empty tensors right"),
    ),
    (("If", "Loop", "Scan"), lambda _: True, msg("The fault lies in a body of this operator")),
)


def cause_of(
    node: Node, graph: Graph, values: Mapping[str, str] | None = None, *, constants: frozenset[str] | None = None
) -> Message | None:
    """Why the engine fails at ``node``, where that is known. ``values``: what the reference computed.

    ``constants``: of the graph, where the caller knows them.
    """
    observed = Observed(node, graph, constants_of(graph) if constants is None else constants, values or {})
    return next((text for ops, applies, text in _CAUSES if node.op in ops and applies(observed)), None)


def explain(node: Node, graph: Graph, largest: float, values: Mapping[str, str]) -> Message | None:
    """As ``cause_of``, or that ``largest``, the reference's largest value there, is no 32-bit integer."""
    integers = any("int" in graph.tensors[name].dtype for name in node.outputs if name in graph.tensors)
    if integers and largest > _INT32_MAX:
        return msg("Its integers exceed 32 bits, which is all that the engine holds")
    return cause_of(node, graph, values)


def _has_ties(values: NDArray[Any]) -> bool:
    return np.unique(values).size < values.size


def _numbers(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()
