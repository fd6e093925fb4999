"""Places on a line are kept apart, in order and within their bounds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from workbench.ui.spread import spread


@given(st.lists(st.floats(-500, 500), min_size=2, max_size=20), st.floats(1, 40))
def test_places_are_in_order_and_within_and_as_far_apart_as_fits(wishes: list[float], gap: float) -> None:
    places = spread(sorted(wishes), -100, 100, gap)
    fair = min(gap, 200 / (len(wishes) - 1))
    assert all(b - a >= fair - 1e-6 for a, b in pairwise(places))
    assert min(places) >= -100 - 1e-6
    assert max(places) <= 100 + 1e-6


def test_places_that_have_room_stay_where_they_wish() -> None:
    assert spread([-50.0, 0.0, 70.0], -100, 100, 20) == [-50.0, 0.0, 70.0]


def test_places_too_near_part_to_both_sides() -> None:
    assert spread([9.0, 10.0, 11.0], -100, 100, 20) == [-10.0, 10.0, 30.0]
