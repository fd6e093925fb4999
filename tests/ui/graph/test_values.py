"""The small values of the view: camera, selection history, tallies, decor, texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.graph import models
from workbench.core.verdict import Status
from workbench.ui.graph import texts
from workbench.ui.graph.camera import LEAST_ZOOM, MOST_ZOOM, Camera, fitting, larger_zoom, smaller_zoom
from workbench.ui.graph.chosen import Chosen
from workbench.ui.graph.decor import Decorator, bits_summary, typical_bits
from workbench.ui.graph.hierarchy import ROOT, build_hierarchy
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.tallies import support, widths
from workbench.ui.theme.tokens import LIGHT

places = st.floats(-5000, 5000)


@given(st.floats(0.05, 3), places, places, st.floats(0, 1000), st.floats(0, 1000), st.floats(0.05, 3))
def test_zooming_keeps_the_point_under_the_pointer(
    zoom: float, x: float, y: float, at_x: float, at_y: float, to: float
) -> None:
    camera = Camera(zoom=zoom, x=x, y=y)
    before = camera.to_scene(at_x, at_y)
    after = camera.zoomed(to, at_x, at_y)
    assert after.to_window(*before) == pytest.approx((at_x, at_y), abs=1)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_the_camera_stands_on_whole_device_pixels(ratio: float) -> None:
    camera = Camera(ratio=ratio).panned(10.3, -4.7)
    assert (camera.x * ratio) == pytest.approx(round(camera.x * ratio))


def test_zoom_has_limits() -> None:
    camera = Camera()
    assert camera.zoomed(100, 0, 0).zoom == MOST_ZOOM
    assert camera.zoomed(0, 0, 0).zoom == LEAST_ZOOM
    assert larger_zoom(MOST_ZOOM) == MOST_ZOOM
    assert smaller_zoom(LEAST_ZOOM) == LEAST_ZOOM
    assert (smaller_zoom(1.0), larger_zoom(1.0)) == (0.85, 1.25)


def test_fitting_shows_all_and_does_not_enlarge() -> None:
    camera = fitting(800, 600, (16, 16, 16, 64), (2000, 1000), Camera())
    left, top = camera.to_window(0, 0)
    right, bottom = camera.to_window(2000, 1000)
    assert left >= 15
    assert top >= 15
    assert right <= 785
    assert bottom <= 537
    assert fitting(800, 600, (0, 0, 0, 0), (10, 10), Camera()).zoom == 1.0


def test_a_glide_ends_at_its_goal() -> None:
    start, goal = Camera(zoom=0.5, x=10, y=20), Camera(zoom=2.0, x=-300, y=50)
    assert start.between(goal, 0.0) == start
    assert start.between(goal, 1.0) == goal
    assert 0.5 < start.between(goal, 0.5).zoom < 2.0


def test_history_goes_back_and_forward_and_forgets_the_future() -> None:
    chosen = Chosen().with_keys(("a",)).with_keys(("b",)).with_keys(("c",))
    assert chosen.back().keys == ("b",)
    assert chosen.back().back().back().keys == ("a",)
    assert chosen.back().back().forward().forward().keys == ("c",)
    assert chosen.back().with_keys(("d",)).forward().keys == ("d",)


def test_toggling_keeps_the_order_of_choosing() -> None:
    chosen = Chosen().with_toggled("a").with_toggled("b")
    assert chosen.current == "b"
    assert chosen.with_toggled("b").keys == ("a",)
    assert Chosen().current is None


def decorator(overlay: Overlay) -> Decorator:
    model = models.silero_like()
    hierarchy = build_hierarchy(model)
    verdicts = models.silero_verdicts(model)
    bits = {n.id: 8 if "pw" in n.name else 4 for n in model.nodes if n.op == "Conv"}
    return Decorator(hierarchy, LIGHT, overlay, support(hierarchy, verdicts), widths(hierarchy, bits))


def item(made: Decorator, title: str) -> int:
    return next(number for number, found in enumerate(made.hierarchy.items) if found.title == title)


def test_a_group_shows_its_worst_and_how_many() -> None:
    made = decorator(Overlay.SUPPORT)
    group = made.decor(item(made, "decoder"))
    assert group.badge is not None
    assert (group.badge.text, group.badge.wrench) == ("1 wrong", True)
    assert [share.amount for share in group.shares] == [9, 1, 1]
    healthy = made.decor(item(made, "encoder"))
    assert healthy.badge is None
    assert [share.amount for share in healthy.shares] == [28]


def test_only_the_wrong_node_has_an_alarm() -> None:
    made = decorator(Overlay.SUPPORT)
    alarmed = [n for n in range(len(made.hierarchy.items)) if made.decor(n).alarm]
    assert alarmed == [item(made, "LSTM")]


def test_bits_say_what_a_group_holds() -> None:
    made = decorator(Overlay.BITS)
    encoder = made.decor(item(made, "encoder"))
    assert encoder.line == "12 layers, 8 and 4 bit"
    assert made.decor(item(made, "LSTM")).value == ""
    assert made.decor(item(made, "Conv")).value == "4 bit"


def test_without_an_overlay_nothing_is_claimed() -> None:
    made = decorator(Overlay.NONE)
    decor = made.decor(item(made, "LSTM"))
    assert (decor.badge, decor.value, decor.alarm, decor.shares) == (None, "", "", ())


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({8: 3}, "8 bit"),
        ({0: 3}, "float"),
        ({8: 1, 4: 1}, "8 and 4 bit"),
        ({8: 1, 4: 1, 2: 2}, "4.0 bit on average"),
        ({0: 1, 8: 1}, "8 bit and float"),
        ({0: 1, 8: 1, 2: 1}, "8 to 2 bit and float"),
    ],
)
def test_bits_in_words(counts: dict[int, int], words: str) -> None:
    assert bits_summary(counts) == words


def test_the_tint_of_a_group_is_near_its_mean() -> None:
    assert typical_bits({8: 3, 4: 1}) == 8
    assert typical_bits({8: 1, 4: 3}) == 6
    assert typical_bits({8: 1, 4: 4}) == 4
    assert typical_bits({0: 5, 4: 1}) == 0


def test_tallies_add_up_in_every_group() -> None:
    made = decorator(Overlay.SUPPORT)
    for number, found in enumerate(made.hierarchy.items):
        counts = made.support.counts(number, found.end)
        assert sum(counts.values()) == found.ops
    assert made.support.counts(ROOT, len(made.hierarchy.items))[Status.WRONG] == 1


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0"), (999, "999"), (1000, "1 k"), (131_072, "131 k"), (2_400_000, "2.4 M"), (999_900, "1 M")],
)
def test_amounts_have_three_digits(number: int, words: str) -> None:
    assert texts.amount(number) == words


def test_titles_of_hostile_length_are_cut() -> None:
    hierarchy = build_hierarchy(models.oddly_named())
    assert max(len(texts.detail(found)) for found in hierarchy.items) <= 400
    assert not any("\x1b" in texts.detail(found) for found in hierarchy.items)
