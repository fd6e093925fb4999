"""Edits that a person makes: each gives a label for undo and what holds from then on, a plan where not said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from workbench.core.messages import Message, msg
from workbench.core.plan import FLOAT, LayerQuant, QuantPlan

Edit = tuple[Message, QuantPlan]


def with_bits(plan: QuantPlan, nodes: tuple[str, ...], bits: int) -> Edit:
    """Each layer gets ``bits`` (0 is float) and keeps its block and symmetry."""
    count = len(nodes)
    if bits == 0:
        label = msg("Keep {count} layers float", count=count)
    else:
        label = msg("Set {count} layers to {bits} bit", count=count, bits=bits)
    return label, _changed(plan, nodes, lambda quant: with_quant_bits(quant, bits))


def with_block(plan: QuantPlan, nodes: tuple[str, ...], block: int) -> Edit:
    """``block`` input channels share a scale, 0 for one scale a channel; float layers stay float."""
    count = len(nodes)
    if block == 0:
        label = msg("One scale a channel for {count} layers", count=count)
    else:
        label = msg("Blocks of {block} for {count} layers", block=block, count=count)
    return label, _changed(plan, nodes, lambda quant: quant if quant.is_float else replace(quant, block=block))


def with_symmetry(plan: QuantPlan, nodes: tuple[str, ...], symmetric: bool) -> Edit:
    count = len(nodes)
    if symmetric:
        label = msg("Make {count} layers symmetric", count=count)
    else:
        label = msg("Make {count} layers asymmetric", count=count)
    return label, _changed(plan, nodes, lambda quant: quant if quant.is_float else replace(quant, symmetric=symmetric))


def with_default_bits(plan: QuantPlan, bits: int) -> Edit:
    """The default of every layer that was not set by itself."""
    label = msg("Set the default to {bits} bit", bits=bits) if bits else msg("Set the default to float")
    return label, plan.with_default(with_quant_bits(plan.default, bits))


def with_default_block(plan: QuantPlan, block: int) -> Edit:
    label = msg("Blocks of {block} by default", block=block) if block else msg("One scale a channel by default")
    return label, plan.with_default(replace(plan.default, block=block))


def with_default_symmetry(plan: QuantPlan, symmetric: bool) -> Edit:
    label = msg("Symmetric by default") if symmetric else msg("Asymmetric by default")
    return label, plan.with_default(replace(plan.default, symmetric=symmetric))


def with_all_default(plan: QuantPlan) -> Edit:
    """Every layer back to the default."""
    return msg("Set all layers to the default"), replace(plan, layers={})


def with_hqq(plan: QuantPlan, on: bool) -> Edit:
    return (msg("Turn on HQQ") if on else msg("Turn off HQQ")), replace(plan, hqq=on)


def with_half_floats(plan: QuantPlan, on: bool) -> Edit:
    label = msg("Store floats as fp16") if on else msg("Store floats as they are")
    return label, replace(plan, half_floats=on)


def with_rewriting(on: bool) -> tuple[Message, bool]:
    """Whether a conversion may rewrite, exactly, what is not right as it is."""
    return (msg("Fix all by exact rewrites") if on else msg("Turn off rewrites")), on


def with_quant_bits(quant: LayerQuant, bits: int) -> LayerQuant:
    return FLOAT if bits == 0 else replace(quant, bits=bits)


def _changed(plan: QuantPlan, nodes: tuple[str, ...], change: Callable[[LayerQuant], LayerQuant]) -> QuantPlan:
    by_quant: dict[LayerQuant, list[str]] = {}
    for node in nodes:
        by_quant.setdefault(plan.of(node), []).append(node)
    for quant, those in by_quant.items():
        plan = plan.with_layers(tuple(those), change(quant))
    return plan
