"""All rules. Worker side."""

from __future__ import annotations

from typing import Final

from workbench.rewrites.families import (
    arithmetic,
    attributes,
    bits,
    comparisons,
    contrib,
    control,
    counts,
    functions,
    graph,
    indices,
    losses,
    normalization,
    parts,
    pooling,
    products,
    quantized,
    quantized_recurrent,
    recurrent,
    reductions,
    resize,
    rotary,
    sampling,
    scatter,
    selection,
    transforms,
    types,
)
from workbench.rewrites.rule import Rule

FAMILIES: Final = (
    graph,
    functions,
    contrib,
    quantized,
    quantized_recurrent,
    comparisons,
    arithmetic,
    products,
    normalization,
    attributes,
    reductions,
    resize,
    sampling,
    rotary,
    scatter,
    selection,
    control,
    counts,
    indices,
    bits,
    losses,
    parts,
    pooling,
    recurrent,
    transforms,
    types,
)
RULES: Final[tuple[Rule, ...]] = tuple(rule for family in FAMILIES for rule in family.RULES)


def by_operator(rules: tuple[Rule, ...]) -> dict[str, tuple[Rule, ...]]:
    """The rules that look at each operator, in the catalogue's order."""
    table: dict[str, tuple[Rule, ...]] = {}
    for rule in rules:
        for op in rule.ops:
            table[op] = (*table.get(op, ()), rule)
    return table
