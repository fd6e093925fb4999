from __future__ import annotations

from itertools import islice

import pytest

from workbench.engines.sizes import bind, first_candidates, open_axes, second_candidates

IMAGE = {"x": (None, 3, "h", "w")}
TEXT = {"ids": ("B", "S"), "mask": ("B", "S")}


def first(shapes, fixed=None, layouts=None):
    axes = open_axes(shapes, layouts or {})
    return [bind(shapes, sizes) for sizes in first_candidates(axes, fixed or {})]


def test_an_image_starts_at_32_pixels_and_batch_one() -> None:
    assert first(IMAGE)[0] == {"x": (1, 3, 32, 32)}


def test_axes_of_one_name_are_equal_across_inputs() -> None:
    for shapes in first(TEXT):
        assert shapes["ids"] == shapes["mask"]
    assert first(TEXT)[0] == {"ids": (1, 1), "mask": (1, 1)}


def test_question_marks_are_not_one_axis() -> None:
    assert len(open_axes({"x": (1, 3, "?", "?")}, {})) == 2


def test_a_layout_tells_pixels_where_channels_do_not() -> None:
    shapes = {"x": (1, 8, "h", "w")}
    assert first(shapes)[0] == {"x": (1, 8, 1, 1)}
    assert first(shapes, layouts={"x": "NCHW"})[0] == {"x": (1, 8, 32, 32)}


def test_a_long_signal_beside_a_state_of_one_is_among_the_candidates() -> None:
    shapes = {"input": (None, None), "state": (2, None, 128)}
    assert {"input": (1, 512), "state": (2, 1, 128)} in first(shapes)


def test_what_the_user_fixed_stays_in_both_sizes() -> None:
    axes = open_axes(TEXT, {})
    fixed = {"S": 7}
    one = next(first_candidates(axes, fixed))
    assert one == {"S": 7, "B": 1}
    assert all(sizes["S"] == 7 for sizes in second_candidates(axes, fixed, one))


def test_the_second_size_changes_every_axis_is_odd_and_the_sides_of_an_image_differ() -> None:
    """MNN pads and splits wrongly only where something is left over."""
    axes = open_axes(IMAGE, {})
    one = next(first_candidates(axes, {}))
    (two,) = islice(second_candidates(axes, {}, one), 1)
    batch, _, height, width = bind(IMAGE, two)["x"]
    assert batch == 2
    assert {height, width} == {225, 319}


def test_sides_as_in_use_follow_where_odd_ones_are_refused() -> None:
    axes = open_axes(IMAGE, {})
    one = next(first_candidates(axes, {}))
    sides = [{*bind(IMAGE, two)["x"][2:]} for two in second_candidates(axes, {}, one)]
    assert {224, 320} in sides


def test_a_large_size_is_halved_rather_than_doubled() -> None:
    axes = open_axes(IMAGE, {})
    sizes = {"x:0": 1, "h": 640, "w": 640}
    two = next(second_candidates(axes, {}, sizes))
    assert max(two.values()) < 640


@pytest.mark.parametrize("count", [0, 1, 3, 12])
def test_the_candidates_end(count: int) -> None:
    shapes = {f"x{i}": (1, None) for i in range(count)}
    axes = open_axes(shapes, {})
    candidates = list(first_candidates(axes, {}))
    assert 1 <= len(candidates) <= 300
    assert len(list(second_candidates(axes, {}, candidates[0]))) <= 300


def test_a_model_without_open_axes_has_one_size() -> None:
    axes = open_axes({"x": (1, 3)}, {})
    assert list(first_candidates(axes, {})) == [{}]
    assert list(second_candidates(axes, {}, {})) == []
