"""A model as the table lists it; made in a job, since a large model takes a while."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.graph import Model
from workbench.ui.graph.hierarchy import build_hierarchy
from workbench.ui.layers.places import places_of
from workbench.ui.layers.row import Row, rows_of
from workbench.ui.layers.tree import Place


@dataclass(frozen=True, slots=True)
class Outline:
    """``places``: the groups around each operator, by node id."""

    rows: tuple[Row, ...]
    places: Mapping[str, tuple[Place, ...]]


def outline_of(model: Model, layers: tuple[str, ...]) -> Outline:
    return Outline(rows_of(model, layers), places_of(build_hierarchy(model.graph)))
