"""A quantization plan from what a user says: a default, and layers by id, name or pattern."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final

from workbench.core.errors import UsageError
from workbench.core.graph import Graph
from workbench.core.messages import msg
from workbench.core.plan import FLOAT, LayerQuant, QuantPlan
from workbench.engines.mnn.compression import check_plan, close_matches
from workbench.engines.mnn.names import Layer, quantizable_layers

Override = tuple[str, LayerQuant]
_FLOAT_WORD: Final = "float"
_MOST_LISTED: Final = 5


def make_plan(
    graph: Graph,
    default: LayerQuant,
    overrides: Iterable[Override] = (),
    *,
    hqq: bool = False,
    half_floats: bool = False,
) -> QuantPlan:
    """``default`` for every layer, then each override in turn on the layers that its pattern names.

    A pattern is a node id, a node name, or a glob over both. Raises UsageError for one that names
    no layer, a name that several layers share, and what a conversion would refuse: a block that does
    not fit, HQQ of symmetric layers or of none.
    """
    layers = quantizable_layers(graph)
    plan = QuantPlan(default, hqq=hqq, half_floats=half_floats)
    for pattern, quant in overrides:
        chosen = _find_layers(pattern, layers, graph)
        plan = plan.with_layers(tuple(layer.node_id for layer in chosen), quant)
    check_plan(plan, layers, graph)
    return plan


def parse_override(text: str, default: LayerQuant) -> Override:
    """PATTERN=BITS as (pattern, quant), with ``default``'s symmetry and block. BITS: 8 to 2, 0 or "float".

    Raises UsageError, BadInput for bits that are not possible.
    """
    pattern, equals, bits = text.rpartition("=")
    if not equals or not pattern or not (bits == _FLOAT_WORD or bits.isdecimal()):
        raise UsageError(
            msg("{text} is not LAYER=BITS", text=text),
            hint=msg("For example: --layer '/features/*=8' or 'conv1=float'."),
        )
    if bits == _FLOAT_WORD or int(bits) == 0:
        return pattern, FLOAT
    return pattern, LayerQuant(int(bits), default.symmetric, default.block)


def _find_layers(pattern: str, layers: tuple[Layer, ...], graph: Graph) -> tuple[Layer, ...]:
    """The layers that ``pattern`` names: the one of that id, else the one of that name, else all that match.

    Raises UsageError where that is none, or a name that several share.
    """
    for layer in layers:
        if layer.node_id == pattern:
            return (layer,)
    named = tuple(layer for layer in layers if layer.name == pattern)
    if len(named) > 1:
        raise UsageError(
            msg("{count} layers are called {name}", count=len(named), name=pattern),
            where=pattern,
            hint=msg("Say which one by its id: {ids}.", ids=_listed(layer.node_id for layer in named)),
        )
    matching = named or tuple(
        layer for layer in layers if fnmatchcase(layer.node_id, pattern) or fnmatchcase(layer.name, pattern)
    )
    if matching:
        return matching
    if any(pattern in (node.id, node.name) for node in graph.all_nodes()):
        raise UsageError(
            msg("{node} has no weights that the converter can quantize", node=pattern),
            where=pattern,
            hint=msg("Convolutions and products with a constant matrix have."),
        )
    near = close_matches(pattern, {layer.node_id: layer.title for layer in layers})
    raise UsageError(
        msg("No layer is called {pattern}", pattern=pattern),
        where=pattern,
        hint=msg("Did you mean {names}?", names=", ".join(near))
        if near
        else msg("Layers that can be quantized: {names}.", names=_listed(layer.title for layer in layers) or "-"),
    )


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:_MOST_LISTED]) + (", ..." if len(shown) > _MOST_LISTED else "")
