"""The layered layout keeps its promises on whatever graph it gets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.ui.graph.layering import assign_layers
from workbench.ui.graph.layout import EMPTY, LAYER_GAP, NODE_GAP, Placed, place
from workbench.ui.graph.ports import Box, Connection


@st.composite
def drawings(draw: st.DrawFn) -> tuple[list[Box], list[Connection]]:
    """Boxes of many sizes and edges among them, cycles and loops included."""
    count = draw(st.integers(1, 24))
    sizes = st.tuples(st.integers(10, 150), st.integers(10, 150), st.integers(16, 400))
    boxes = [Box(*map(float, draw(sizes))) for _ in range(count)]
    ends = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    forward = draw(st.lists(ends, max_size=50))
    cyclic = draw(st.booleans())
    pairs = forward if cyclic else [(min(a, b), max(a, b)) for a, b in forward if a != b]
    return boxes, [Connection(a, b) for a, b in pairs]


def left(placed: Placed, boxes: Sequence[Box], node: int) -> float:
    return placed.x[node] - boxes[node].left


def right(placed: Placed, boxes: Sequence[Box], node: int) -> float:
    return placed.x[node] + boxes[node].right


@settings(max_examples=150, deadline=None)
@given(drawings())
def test_no_two_boxes_overlap_or_touch(drawing: tuple[list[Box], list[Connection]]) -> None:
    boxes, links = drawing
    placed = place(boxes, links)
    for a, b in combinations(range(len(boxes)), 2):
        apart_x = max(left(placed, boxes, a), left(placed, boxes, b)) - min(
            right(placed, boxes, a), right(placed, boxes, b)
        )
        apart_y = max(placed.y[a], placed.y[b]) - min(placed.y[a] + boxes[a].height, placed.y[b] + boxes[b].height)
        assert apart_x >= NODE_GAP - 1 or apart_y >= LAYER_GAP


@settings(max_examples=150, deadline=None)
@given(drawings())
def test_edges_begin_and_end_on_the_borders_of_their_boxes(drawing: tuple[list[Box], list[Connection]]) -> None:
    boxes, links = drawing
    placed = place(boxes, links)
    for link, route in zip(links, placed.routes, strict=True):
        for node, (x, y) in ((link.source, route[0]), (link.target, route[-1])):
            assert left(placed, boxes, node) <= x <= right(placed, boxes, node)
            assert y in (placed.y[node], placed.y[node] + boxes[node].height)


@settings(max_examples=150, deadline=None)
@given(drawings())
def test_edges_that_are_shown_cross_no_box(drawing: tuple[list[Box], list[Connection]]) -> None:
    boxes, links = drawing
    placed = place(boxes, links)
    for route, shown in zip(placed.routes, placed.shown, strict=True):
        for (x0, y0), (x1, y1) in pairwise(route) if shown else ():
            for node, box in enumerate(boxes):
                # A curve may swing across the gap between two layers, but not into a layer.
                wide = min(x0, x1) < right(placed, boxes, node) and max(x0, x1) > left(placed, boxes, node)
                high = min(y0, y1) < placed.y[node] + box.height and max(y0, y1) > placed.y[node]
                assert not (wide and high)


@settings(max_examples=100, deadline=None)
@given(drawings())
def test_everything_lies_within_the_size_told(drawing: tuple[list[Box], list[Connection]]) -> None:
    boxes, links = drawing
    placed = place(boxes, links)
    assert min(left(placed, boxes, node) for node in range(len(boxes))) >= 0
    assert max(right(placed, boxes, node) for node in range(len(boxes))) <= placed.width
    assert max(placed.y[node] + boxes[node].height for node in range(len(boxes))) <= placed.height
    for route in placed.routes:
        assert all(0 <= x <= placed.width and 0 <= y <= placed.height for x, y in route)


@settings(max_examples=100, deadline=None)
@given(drawings())
def test_a_layout_is_the_same_every_time(drawing: tuple[list[Box], list[Connection]]) -> None:
    boxes, links = drawing
    assert place(boxes, links) == place(boxes, links)


@settings(max_examples=100, deadline=None)
@given(drawings())
def test_layers_go_down_along_every_edge_that_is_not_part_of_a_cycle(
    drawing: tuple[list[Box], list[Connection]],
) -> None:
    boxes, links = drawing
    pairs = [(link.source, link.target) for link in links]
    layers, upward = assign_layers(len(boxes), pairs)
    for (a, b), rises in zip(pairs, upward, strict=True):
        assert a == b or (layers[a] > layers[b] if rises else layers[a] < layers[b])
    if all(a < b for a, b in pairs):
        assert not any(upward)


def test_a_chain_is_one_straight_line() -> None:
    placed = place([Box(88, 88, 48)] * 6, [Connection(i, i + 1) for i in range(5)])
    assert len(set(placed.x)) == 1
    assert all(len(route) == 2 and route[0][0] == route[1][0] for route in placed.routes)


def test_the_main_path_stays_straight_beside_a_skip() -> None:
    links = [Connection(i, i + 1) for i in range(6)] + [Connection(1, 5)]
    placed = place([Box(88, 88, 48)] * 7, links)
    assert len(set(placed.x)) == 1
    assert len(placed.routes[-1]) > 2


def test_a_constant_stands_just_above_its_one_reader() -> None:
    links = [Connection(i, i + 1) for i in range(5)] + [Connection(6, 5)]
    layers, _ = assign_layers(7, [(link.source, link.target) for link in links])
    assert layers[6] == layers[5] - 1


def test_long_edges_out_of_a_wide_fan_are_left_to_the_selection() -> None:
    spine = [Connection(i, i + 1) for i in range(1, 30)]
    fan = [Connection(0, i) for i in range(2, 31)]
    placed = place([Box(88, 88, 48)] * 31, spine + fan)
    hidden = [link.target for link, shown in zip(spine + fan, placed.shown, strict=True) if not shown]
    assert hidden
    assert min(hidden) > 7
    assert all(placed.shown[: len(spine)])


def test_ports_keep_their_places_and_stand_alone_in_their_rows() -> None:
    boxes = [Box(88, 88, 48), Box(88, 88, 48), Box(0, 0, 0), Box(0, 0, 0)]
    links = [Connection(2, 0, 0.0), Connection(0, 1), Connection(1, 3, None, 0.0)]
    placed = place(boxes, links, top=[2], bottom=[3])
    assert placed.y[2] == 0
    assert placed.y[3] == placed.height
    assert placed.y[0] == LAYER_GAP


def test_nothing_gives_nothing() -> None:
    assert place([], []) == EMPTY
