"""How large a converted model will be, without converting it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from workbench.core.graph import Graph, Initializer
from workbench.core.plan import FLOAT, LayerQuant, QuantPlan
from workbench.engines.mnn.layout import block_count
from workbench.engines.mnn.names import FOLDED_FROM_CONSTANTS, Layer, quantizable_layers

_FLOAT_BYTES: Final = 4
_HALF_BYTES: Final = 2
# Fitted on the models of tests/quantize/test_forecast.py, converted by MNN 3.6.1 without a plan:
_FILE_BYTES: Final = 500
_OPERATOR_BYTES: Final = 125
_NAME_COPIES: Final = 2  # an operator's name, and its output's
_MATRIX_BYTES: Final = 1400  # the reshapes around a product that became a convolution
_PIECE_BYTES: Final = 250  # each further operator of a grouped or 3-D convolution
_QUANTIZED_BYTES: Final = 55  # the description of a quantized operator's weights
_ABSORBED: Final = ("Constant", "Relu", "Identity")
_RECURRENT: Final = ("LSTM", "GRU", "RNN")  # MNN may write their weights several times
_BIASED: Final = ("Conv", "ConvTranspose", "Gemm")


@dataclass(frozen=True, slots=True)
class Forecast:
    """``bytes`` in all. ``layers``: each layer's share by node id. ``rest``: everything else.

    ``exact``: the rest was measured on a conversion of the same model, not estimated.
    """

    bytes: int
    exact: bool
    layers: Mapping[str, int]
    rest: int


def forecast_bytes(graph: Graph, plan: QuantPlan, float_bytes: int | None = None) -> Forecast:
    """The size of ``graph`` converted with ``plan``. ``float_bytes``: its size converted without a plan, if known."""
    layers = quantizable_layers(graph)
    shares = {layer.node_id: _layer_bytes(layer, plan.of(layer.node_id), half=plan.half_floats) for layer in layers}
    others = _others(graph, layers)
    if float_bytes is None:
        rest = _described(graph, layers) + sum(_FLOAT_BYTES * other.elements for other in others)
    else:
        rest = float_bytes - sum(_layer_bytes(layer, FLOAT, half=False) for layer in layers)
    if plan.half_floats:
        rest -= sum((_FLOAT_BYTES - _HALF_BYTES) * other.elements for other in others if other.dtype == "float32")
    exact = float_bytes is not None and not (plan.half_floats and any(n.op in _RECURRENT for n in graph.all_nodes()))
    return Forecast(rest + sum(shares.values()), exact, shares, rest)


def _layer_bytes(layer: Layer, quant: LayerQuant, *, half: bool) -> int:
    """What the weights and the bias of ``layer`` take in the file."""
    operators = len(layer.layout.suffixes)
    bias = _FLOAT_BYTES * layer.out_channels
    if quant.is_float and not half:
        return layer.parameters * _FLOAT_BYTES + bias
    if quant.is_float:
        return layer.parameters * _HALF_BYTES + bias + operators * _QUANTIZED_BYTES
    packed = -(-layer.parameters * quant.bits // 8)
    # Each operator has a header: rank, two sizes of 16 bits, the count of levels and the levels.
    header = operators * (_QUANTIZED_BYTES + 1 + 2 * 2 + 1 + (1 << quant.bits))
    scales = layer.out_channels * block_count(layer.in_channels, quant.block) * (1 if quant.symmetric else 2)
    return packed + header + scales * _FLOAT_BYTES + bias


def _others(graph: Graph, layers: tuple[Layer, ...]) -> tuple[Initializer, ...]:
    """The constants that stay constants: neither weights nor biases, nor folded into them."""
    held = {layer.weight for layer in layers}
    folded = {layer.normalization for layer in layers if layer.normalization}
    for node in graph.all_nodes():
        if node.op in _BIASED:
            held.update(node.inputs[2:3])
        if not folded.isdisjoint(node.outputs):
            held.update(node.inputs[1:])
    for node in reversed(tuple(graph.all_nodes())):
        if node.op in FOLDED_FROM_CONSTANTS and not held.isdisjoint(node.outputs):
            held.update(node.inputs)
    return tuple(initializer for initializer in graph.all_initializers() if initializer.name not in held)


def _described(graph: Graph, layers: tuple[Layer, ...]) -> int:
    """What the operators take without any constants."""
    folded = {layer.normalization for layer in layers if layer.normalization}
    operators = [node for node in graph.all_nodes() if node.op not in _ABSORBED and folded.isdisjoint(node.outputs)]
    names = sum(len(output) for node in operators for output in node.outputs)
    matrices = sum(layer.op in ("Gemm", "MatMul") for layer in layers)
    pieces = sum(len(layer.layout.suffixes) - 1 for layer in layers)
    return (
        _FILE_BYTES
        + len(operators) * _OPERATOR_BYTES
        + names * _NAME_COPIES
        + matrices * _MATRIX_BYTES
        + pieces * _PIECE_BYTES
    )
