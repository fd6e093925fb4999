"""The inside of an open group, laid out: what ``arrange`` makes and the scene is put together from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.ui.graph.layout import Point


@dataclass(frozen=True, slots=True)
class Route:
    """An edge drawn inside one group. ``edges`` are those of the hierarchy that it stands for."""

    points: tuple[Point, ...]
    edges: tuple[int, ...]
    shown: bool
    has_head: bool


@dataclass(frozen=True, slots=True)
class Inside:
    """The inside of an open group, relative to its upper left corner.

    ``entries`` and ``exits`` lead from a value to its port, ``entry_x`` and ``exit_x`` from a
    port to its x. ``axis`` is the x that the group is aligned by.
    """

    children: tuple[int, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    width: float
    height: float
    routes: tuple[Route, ...]
    entries: Mapping[int, int]
    exits: Mapping[int, int]
    entry_x: tuple[float, ...]
    exit_x: tuple[float, ...]
    axis: float
