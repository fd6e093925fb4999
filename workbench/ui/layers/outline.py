"""A model as the table lists it; made in a job, since a large model takes a while."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from workbench.core.graph import Model
from workbench.ui.graph.hierarchy import build_hierarchy
from workbench.ui.layers.places import places_of
from workbench.ui.layers.row import Row, rows_of
from workbench.ui.layers.tree import Place, Tree, flat, grouped


@dataclass(frozen=True, slots=True)
class Outline:
    """``places``: the groups around each operator, by node id. ``whole`` and ``plan``: all rows grouped,
    and those that can be quantized. ``parameters``: of the whole model.
    """

    rows: tuple[Row, ...]
    places: Mapping[str, tuple[Place, ...]]
    whole: Tree
    plan: Tree
    parameters: int


NOTHING: Final = Outline((), {}, Tree.of(flat(())), Tree.of(flat(())), 0)


def outline_of(model: Model, layers: tuple[str, ...]) -> Outline:
    rows, places = rows_of(model, layers), places_of(build_hierarchy(model.graph))
    layer_rows = tuple(row for row in rows if row.can_quantize)
    whole, plan = Tree.of(grouped(rows, places)), Tree.of(grouped(layer_rows, places))
    return Outline(rows, places, whole, plan, model.graph.parameters)
