"""What the converter applied against what the plan asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from workbench.core.artifact import AppliedLayer
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.engines.mnn.compression import Expected, expected
from workbench.engines.mnn.names import Layer

_HALF_BITS: Final = 16


@dataclass(frozen=True, slots=True)
class NotApplied:
    """A layer whose operators are not what the plan says."""

    layer: Layer
    what: Message


def applied_layers(
    layers: Iterable[Layer], stored: Iterable[Mapping[str, Any]]
) -> tuple[tuple[AppliedLayer, ...], dict[str, tuple[Mapping[str, Any], ...]]]:
    """The operators of each layer as AppliedLayer, and as they were read back, by node id."""
    by_name = {(entry["subgraph"], entry["name"]): entry for entry in stored}
    found = {
        layer.node_id: tuple(
            by_name[layer.subgraph, name] for name in layer.op_names if (layer.subgraph, name) in by_name
        )
        for layer in layers
    }
    applied = tuple(
        AppliedLayer(
            node=node_id,
            op_name=entry["name"],
            bits=_HALF_BITS if entry["form"] == "half" else entry["bits"],
            asymmetric=entry["asymmetric"],
            blocks=entry["blocks"],
        )
        for node_id, entries in found.items()
        for entry in entries
    )
    return applied, found


def not_applied(
    plan: QuantPlan, layers: Iterable[Layer], found: Mapping[str, tuple[Mapping[str, Any], ...]]
) -> tuple[NotApplied, ...]:
    """The layers where the converter did something else than ``plan`` says."""
    faults = []
    for layer in layers:
        quant = plan.of(layer.node_id)
        want = expected(layer, quant, half_floats=plan.half_floats)
        entries = found[layer.node_id]
        if not entries and not quant.is_float:
            faults.append(NotApplied(layer, msg("no operator of the converted model holds its weights")))
        for entry in entries:
            have = Expected(entry["form"], entry["bits"], entry["asymmetric"], entry["blocks"])
            if have != want:
                faults.append(NotApplied(layer, msg("{have} instead of {want}", have=_label(have), want=_label(want))))
                break
    return tuple(faults)


def _label(how: Expected) -> Message | str:
    if how.form != "int":
        return how.form
    bits = msg("{n} bit", n=how.bits)
    if not how.asymmetric:
        bits = msg("{bits} sym", bits=bits)
    if how.blocks == 1:
        return msg("{bits}, one scale a channel", bits=bits)
    return msg("{bits}, {blocks} scales a channel", bits=bits, blocks=how.blocks)
