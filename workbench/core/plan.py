"""The quantization plan: how many bits each layer's weights get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from workbench.core.errors import BadInput
from workbench.core.messages import Message, msg

FLOAT_BITS = 0
"""``LayerQuant.bits`` of a layer kept in floating point; MNN's compression file says it the same way."""
BITS = (FLOAT_BITS, 8, 7, 6, 5, 4, 3, 2)
_BLOCK_STEP = 16


@dataclass(frozen=True, slots=True)
class LayerQuant:
    """One layer's weights: ``bits`` 0 (float) or 8 to 2; ``block`` input channels a scale, 0 per channel."""

    bits: int = FLOAT_BITS
    symmetric: bool = False
    block: int = 0

    def __post_init__(self) -> None:
        if self.bits not in BITS:
            raise BadInput(msg("{bits} bits are not possible", bits=self.bits), hint=msg("Use float, or 8 to 2 bits."))
        if self.block < 0 or self.block % _BLOCK_STEP:
            raise BadInput(
                msg("A block of {block} is not possible", block=self.block),
                hint=msg("Use 0 (per channel) or a multiple of 16."),
            )

    @property
    def is_float(self) -> bool:
        return self.bits == FLOAT_BITS

    @property
    def label(self) -> Message:
        """Short form for chips and columns: "float", "8 bit", "4 bit /32 sym"."""
        if self.is_float:
            return msg("float")
        label = msg("{n} bit", n=self.bits)
        if self.block:
            label = msg("{bits} /{block}", bits=label, block=self.block)
        return msg("{bits} sym", bits=label) if self.symmetric else label


FLOAT = LayerQuant()


@dataclass(frozen=True, slots=True)
class QuantPlan:
    """``default`` for every quantizable layer, ``layers`` by node id where it differs.

    ``hqq`` is MNN's half-quadratic quantization, which is global and asymmetric.
    ``half_floats`` stores what stays floating point as fp16.
    """

    default: LayerQuant = FLOAT
    layers: Mapping[str, LayerQuant] = field(default_factory=dict)
    hqq: bool = False
    half_floats: bool = False

    def of(self, node_id: str) -> LayerQuant:
        return self.layers.get(node_id, self.default)

    def with_layer(self, node_id: str, quant: LayerQuant) -> QuantPlan:
        """The plan with one layer set; a layer equal to the default is not listed."""
        return self.with_layers((node_id,), quant)

    def with_layers(self, node_ids: tuple[str, ...], quant: LayerQuant) -> QuantPlan:
        layers = {key: value for key, value in self.layers.items() if key not in node_ids}
        if quant != self.default:
            layers |= dict.fromkeys(node_ids, quant)
        return replace(self, layers=layers)

    def with_default(self, quant: LayerQuant) -> QuantPlan:
        layers = {key: value for key, value in self.layers.items() if value != quant}
        return replace(self, default=quant, layers=layers)

    @property
    def is_float(self) -> bool:
        """True where no layer is quantized to integers."""
        return self.default.is_float and all(quant.is_float for quant in self.layers.values())

    @property
    def changes_weights(self) -> bool:
        return self.half_floats or not self.is_float
