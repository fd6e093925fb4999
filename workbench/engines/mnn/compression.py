"""A quantization plan as the converter takes it: the file of ``--compressionParamsFile``.

Every quantizable layer is listed, floats with 0 bits, so that nothing depends on global flags.
``weight[].name`` is required: without it MNN 3.6.1 silently ignores the whole file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from workbench.core.errors import UsageError
from workbench.core.graph import Graph
from workbench.core.messages import Message, msg
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.engines.mnn.layout import block_count
from workbench.engines.mnn.names import Layer


@dataclass(frozen=True, slots=True)
class Expected:
    """What an operator of a layer must be in the converter's output."""

    form: str
    bits: int
    asymmetric: bool
    blocks: int


def compression_file(plan: QuantPlan, layers: Iterable[Layer]) -> dict[str, Any]:
    """The file's document. A name that the converter does not use after all does no harm."""
    listed = [_listed(name, layer, plan.of(layer.node_id)) for layer in layers for name in layer.op_names]
    return {"version": "1", "forGuide": True, "algo": [{"type": "QUANTIZE", "quantParams": {"layer": listed}}]}


def _listed(name: str, layer: Layer, quant: LayerQuant) -> dict[str, Any]:
    weight = {"name": name, "bits": quant.bits, "asymmetric": not quant.symmetric, "blockSize": quant.block}
    # MNN 3.6.1 crashes on a layer without inputs and outputs where a 1-D convolution meets a Relu or an Add;
    # their names must match no tensor, or the layer counts as fully quantized.
    no_tensor = [{"name": ""}]
    return {"opName": name, "weight": [weight], "input": no_tensor, "output": no_tensor} | (
        {"subgraphName": layer.subgraph} if layer.subgraph else {}
    )


def expected(layer: Layer, quant: LayerQuant, *, half_floats: bool) -> Expected:
    if quant.is_float:
        return Expected("half" if half_floats else "float", 0, False, 0)
    return Expected("int", quant.bits, not quant.symmetric, block_count(layer.in_channels, quant.block))


def check_plan(plan: QuantPlan, layers: tuple[Layer, ...], graph: Graph) -> None:
    """Raise UsageError where the converter would silently do something else than ``plan`` says."""
    by_id = {layer.node_id: layer for layer in layers}
    titles = {node.id: node.title for node in graph.all_nodes()}
    for node_id, quant in plan.layers.items():
        if node_id not in by_id:
            raise _not_a_layer(node_id, quant, by_id, titles)
        check_block(by_id[node_id], quant)
    quants = {plan.of(layer.node_id) for layer in layers}
    if plan.hqq and all(quant.is_float for quant in quants):
        raise UsageError(
            msg("HQQ needs layers with bits"), hint=msg("Give the plan a number of bits, or leave HQQ out.")
        )
    if plan.hqq and any(quant.symmetric and not quant.is_float for quant in quants):
        raise UsageError(msg("HQQ quantizes asymmetrically only"), hint=msg("Make every layer asymmetric."))


def check_block(layer: Layer, quant: LayerQuant) -> None:
    """Raise UsageError where ``quant`` has a block size that the converter ignores for ``layer``."""
    if quant.is_float or not quant.block or _divides(layer, quant.block):
        return
    fitting = [size for size in range(16, layer.in_channels + 1, 16) if layer.in_channels % size == 0]
    hint = (
        msg("Blocks of {sizes} fit.", sizes=", ".join(map(str, fitting)))
        if fitting
        else msg("No block size fits it: use 0, one scale a channel.")
    )
    raise UsageError(
        msg(
            "{layer} has {channels} input channels: blocks of {block} do not fit",
            layer=layer.title,
            channels=layer.in_channels,
            block=quant.block,
        ),
        where=layer.node_id,
        hint=hint,
    )


def ignored_blocks(plan: QuantPlan, layers: Iterable[Layer]) -> tuple[Message, ...]:
    """What to say of layers that get one scale a channel because the plan's default block does not fit them."""
    default = plan.default
    if default.is_float or not default.block:
        return ()
    names = [layer.title for layer in layers if layer.node_id not in plan.layers and not _divides(layer, default.block)]
    if not names:
        return ()
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    text = "{count} layers get one scale a channel, as blocks of {block} do not fit their input channels: {layers}"
    return (msg(text, count=len(names), block=default.block, layers=shown),)


def close_matches(wanted: str, names: Mapping[str, str]) -> list[str]:
    """Titles near ``wanted`` among ``names`` (id to title)."""
    candidates = [*names, *names.values()]
    near = get_close_matches(wanted, candidates, n=3, cutoff=0.5)
    return list(dict.fromkeys(names.get(match, match) for match in near))


def _divides(layer: Layer, block: int) -> bool:
    return layer.in_channels % block == 0


def _not_a_layer(node_id: str, quant: LayerQuant, by_id: Mapping[str, Layer], titles: Mapping[str, str]) -> UsageError:
    if node_id in titles:
        return UsageError(
            msg("{node} has no weights that the converter can quantize", node=titles[node_id]),
            where=node_id,
            hint=msg("Leave it out of the plan: it stays floating point."),
        )
    near = close_matches(node_id, {key: layer.title for key, layer in by_id.items()})
    return UsageError(
        msg("The plan gives {label} to a layer that this model does not have", label=quant.label),
        where=node_id,
        hint=msg("Did you mean {names}?", names=", ".join(near))
        if near
        else msg("Make a plan for this model: workbench plan MODEL -o P.json."),
    )
