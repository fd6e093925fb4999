"""Which ONNX node an operator of a .mnn, or a row of its profile, comes from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from workbench.core.graph import Graph
from workbench.engines.mnn.names import MATMUL_SUFFIX, quantizable_layers

# What MNN 3.6.1 appends where it converts a layout, cuts a layer in pieces or moves data.
_APPENDED: Final = re.compile(rf"(__before_tr|_raster_\d+|__group__\d+|__\d+|_____slice|{MATMUL_SUFFIX})$")
_CONVERTED_FOR: Final = "___tr4"  # between the value and the operator that wants it in another layout


def nodes_by_op_name(graph: Graph) -> dict[str, str]:
    """Node ids by every name that MNN may give to what it makes of a node.

    A constant Add that is folded into the layer before it leads to that layer.
    """
    names = {node.outputs[0]: node.id for node in graph.all_nodes() if node.outputs}
    for layer in quantizable_layers(graph):
        names |= dict.fromkeys(layer.op_names, layer.node_id)
    return names


def node_of(op_name: str, names: Mapping[str, str]) -> str | None:
    """The node that ``op_name`` belongs to; None for an operator of MNN's own ("Shape13")."""
    _, converted, target = op_name.partition(_CONVERTED_FOR)
    name = target if converted else op_name
    while name not in names:
        shorter = _APPENDED.sub("", name)
        if shorter == name:
            return None
        name = shorter
    return names[name]
