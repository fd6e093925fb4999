"""Nested groups put together: everything in its place, whatever is open."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.graph import models
from workbench.core.errors import Cancelled
from workbench.core.graph import Graph
from workbench.ui.graph.hierarchy import ROOT
from workbench.ui.graph.laid_out import LaidOut, lay_out, reopened, resized
from workbench.ui.graph.scene import Scene
from workbench.ui.graph.sizes import HEADER, INSET, Advances, Fonts

FONTS = Fonts(Advances({}, 7.5, 13.0), Advances({}, 6.6, 11.0))


def go_on() -> None:
    return None


def laid(model: Graph) -> LaidOut:
    return lay_out(model, FONTS, {}, go_on)


def with_open(start: LaidOut, seed: int) -> LaidOut:
    """``start`` with a random choice of its groups open."""
    chance = random.Random(seed)
    groups = [number for number, item in enumerate(start.hierarchy.items) if item.is_group]
    opened = frozenset(group for group in groups if group == ROOT or chance.random() < 0.6)
    return reopened(start, opened, go_on)


def box(scene: Scene, item: int) -> tuple[float, float, float, float]:
    x, y, width, height = scene.boxes[scene.row[item]].tolist()
    return x, y, x + width, y + height


def check(view: LaidOut) -> None:
    scene, items = view.scene, view.hierarchy.items
    for item in scene.item.tolist():
        left, top, right, bottom = box(scene, item)
        parent = items[item].parent
        if parent > ROOT:
            p_left, p_top, p_right, p_bottom = box(scene, parent)
            assert p_left + INSET <= left
            assert right <= p_right - INSET
            assert p_top + HEADER <= top
            assert bottom <= p_bottom - INSET
        siblings = [other for other in items[parent].children if other < item and other in scene.row]
        for other in siblings:
            o_left, o_top, o_right, o_bottom = box(scene, other)
            assert right <= o_left or o_right <= left or bottom <= o_top or o_bottom <= top
    for route in range(len(scene.shown)):
        points = scene.route(route)
        assert len(points) >= 2
        edges = scene.route_edges(route)
        sources = {view.hierarchy.source[edge] for edge in edges}
        ends = on_border(view, points[0].tolist()), on_border(view, points[-1].tolist())
        assert all(ends), (ends, points.tolist(), sources)


def on_border(view: LaidOut, point: list[float]) -> bool:
    x, y = point
    boxes = view.scene.boxes
    inside = (boxes[:, 0] <= x) & (x <= boxes[:, 0] + boxes[:, 2])
    return bool((inside & ((boxes[:, 1] == y) | (boxes[:, 1] + boxes[:, 3] == y))).any())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 80), st.integers(0, 10_000), st.integers(0, 3))
def test_children_lie_in_their_groups_and_edges_end_on_borders(count: int, seed: int, scopes: int) -> None:
    check(with_open(laid(models.random_graph(count, seed, scopes)), seed))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [models.silero_like, models.with_bodies, lambda: models.transformer(3)])
def test_real_shapes_of_graphs_lie_well(make: object, seed: int) -> None:
    check(with_open(laid(make()), seed))  # type: ignore[operator]


def test_every_edge_of_the_model_is_drawn_or_inside_a_closed_group() -> None:
    view = with_open(laid(models.transformer(3)), 5)
    drawn = set(view.scene.edges.tolist())
    for edge in range(len(view.hierarchy.source)):
        source = view.scene.visible_item(view.hierarchy, int(view.hierarchy.source[edge]))
        target = view.scene.visible_item(view.hierarchy, int(view.hierarchy.target[edge]))
        assert (edge in drawn) == (source != target)


def test_the_pieces_of_an_edge_through_borders_join() -> None:
    start = laid(models.silero_like())
    everything = frozenset(number for number, item in enumerate(start.hierarchy.items) if item.is_group)
    view = reopened(start, everything, go_on)
    scene, hierarchy = view.scene, view.hierarchy
    lstm = next(n for n, item in enumerate(hierarchy.items) if item.title == "LSTM")
    state = hierarchy.index["in:state"]
    edge = next(e for e in hierarchy.edges_to(lstm).tolist() if hierarchy.source[e] == state)
    pieces = [scene.route(route) for route in scene.routes_of(np.array([edge])).tolist()]
    assert len(pieces) == 2
    outer, inner = sorted(pieces, key=lambda points: points[0, 1])
    assert outer[-1].tolist() == inner[0].tolist()
    assert scene.has_head[scene.routes_of(np.array([edge]))].sum() == 1


def test_edges_pass_beside_the_titles_of_open_groups() -> None:
    view = with_open(laid(models.transformer(3)), 1)
    scene = view.scene
    for group in scene.item[scene.is_open].tolist():
        left, top, _, _ = box(scene, group)
        title_end = left + view.sizes.header[group]
        for route in range(len(scene.shown)):
            if scene.group[route] != group:
                continue
            for (x0, y0), (x1, y1) in pairwise(scene.route(route).tolist()):
                if min(y0, y1) < top + HEADER and max(y0, y1) > top:
                    assert min(x0, x1) >= title_end - 1


def test_opening_a_group_lays_out_only_what_it_touches() -> None:
    start = laid(models.transformer(6))
    closed = next(
        child
        for child in start.scene.item.tolist()
        if start.hierarchy.items[child].is_group and child not in start.opened
    )
    after = reopened(start, start.toggled(closed), go_on)
    untouched = set(start.insides) - start.stale(after.opened)
    assert untouched
    assert all(after.insides[group] is start.insides[group] for group in untouched)
    back = reopened(after, after.toggled(closed), go_on)
    assert np.array_equal(back.scene.boxes, start.scene.boxes)


def test_opening_deep_opens_all_inside() -> None:
    start = laid(models.transformer(3))
    layers = next(n for n, item in enumerate(start.hierarchy.items) if item.title == "layers")
    opened = start.toggled(layers, deep=True)
    inside = [n for n in range(layers, start.hierarchy.items[layers].end) if start.hierarchy.items[n].is_group]
    assert set(inside) <= opened
    assert layers not in reopened(start, opened, go_on).toggled(layers)


def test_a_layout_stops_when_it_is_asked_to() -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        lay_out(models.chain(5), FONTS, {}, stop)


def test_wider_badges_make_wider_nodes_and_others_stay() -> None:
    start = laid(models.silero_like())
    lstm = next(item.key for item in start.hierarchy.items if item.title == "LSTM")
    assert resized(start, FONTS, {lstm: 60}, go_on) is start
    wider = resized(start, FONTS, {lstm: 160}, go_on)
    assert wider.sizes.width[start.hierarchy.index[lstm]] > 176
    check(wider)


def test_a_group_with_hundreds_of_values_coming_in_shares_its_ports() -> None:
    nodes = [models.node(f"s{i}", "Relu", ["x"], [f"v{i}"]) for i in range(60)]
    nodes += [models.node(f"/g/t{i}", "Relu", [f"v{i}"]) for i in range(60)]
    start = laid(models.graph(nodes, [models.tensor("x", 1)]))
    group = next(n for n, item in enumerate(start.hierarchy.items) if item.title == "g")
    view = reopened(start, start.opened | {group}, go_on)
    assert len(view.scene.entries[group]) == 16
    check(view)


def test_advances_know_wide_characters() -> None:
    advances = Advances({"a": 5.0}, 6.0, 12.0)
    assert advances.width("ab层") == 5 + 6 + 12
