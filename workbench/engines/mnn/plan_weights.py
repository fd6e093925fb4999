"""What the reference must know to compute with the plan's weights: a request for ``dequantized.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.core.plan import LayerQuant, QuantPlan
from workbench.engines.mnn.names import Layer


def plan_weights(
    plan: QuantPlan, layers: tuple[Layer, ...], description: Mapping[str, Any], folder: Path
) -> dict[str, Any]:
    """The keyword arguments of ``with_plan_weights``, JSON-ready; {} for a plan that changes no weights."""
    if not plan.changes_weights:
        return {}
    not_folded = frozenset(description["scales"])
    listed = []
    numbers = iter(range(sum(len(layer.op_names) for layer in layers)))
    for layer in layers:
        files = {name: folder / f"{next(numbers)}.npy" for name in layer.op_names}
        quant = plan.of(layer.node_id)
        if quant.is_float and not plan.half_floats:
            continue
        saved = [str(file) for file in files.values() if file.is_file()]
        normalization = "" if layer.normalization in not_folded else layer.normalization
        listed.append(
            layer_request(layer, quant, normalization) | {"read_back": saved if plan.hqq and not quant.is_float else []}
        )
    return {
        "layers": listed,
        "half_floats": plan.half_floats,
        "half_constants": dict(description["half_constants"]) if plan.half_floats else {},
    }


def layer_request(layer: Layer, quant: LayerQuant, normalization: str) -> dict[str, Any]:
    """``layer`` for a worker that computes its weights: see ``dequantized.with_plan_weights``."""
    return {
        "output": layer.output,
        "subgraph": layer.subgraph,
        "layout": asdict(layer.layout),
        "bits": quant.bits,
        "symmetric": quant.symmetric,
        "block": quant.block,
        "normalization": normalization,
    }
