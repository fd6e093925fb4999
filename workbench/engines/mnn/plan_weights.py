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
    """The keyword arguments of ``with_plan_weights``, JSON-ready; {} for a plan that changes no weights.

    ``folder`` holds the files that ``chosen_weights`` asked for.
    """
    if not plan.changes_weights:
        return {}
    not_folded = frozenset(description["scales"])
    keys = {(wanted["subgraph"], wanted["name"]): wanted["key"] for wanted in chosen_weights(plan, layers)}
    listed = []
    for layer in layers:
        quant = plan.of(layer.node_id)
        if quant.is_float and not plan.half_floats:
            continue
        normalization = "" if layer.normalization in not_folded else layer.normalization
        files = {name: folder / f"{keys.get((layer.subgraph, name))}.npy" for name in layer.op_names}
        listed.append(layer_request(layer, quant, normalization) | {"read_back": _first_whole(layer, files)})
    return {
        "layers": listed,
        "half_floats": plan.half_floats,
        "half_constants": dict(description["half_constants"]) if plan.half_floats else {},
    }


def chosen_weights(plan: QuantPlan, layers: tuple[Layer, ...]) -> list[dict[str, Any]]:
    """The operators whose weights the plan alone does not tell, for ``stored_values.save_weights``."""
    if not plan.hqq:
        return []
    quantized = (layer for layer in layers if not plan.of(layer.node_id).is_float)
    names = ((layer.subgraph, name) for layer in quantized for name in layer.op_names)
    return [{"key": str(key), "subgraph": subgraph, "name": name} for key, (subgraph, name) in enumerate(names)]


def _first_whole(layer: Layer, files: Mapping[str, Path]) -> list[str]:
    """The files of the operators that the converter made of ``layer``: of the first name that it used.

    Under two names it made the layer twice, of the same weights.
    """
    pieces = len(layer.layout.suffixes)
    for begin in range(0, len(layer.op_names), pieces):
        made = [files[name] for name in layer.op_names[begin : begin + pieces]]
        if all(file.is_file() for file in made):
            return [str(file) for file in made]
    return []


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
