import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.ui.live.scale import LIVE_SPAN_S, decimals_of, grown, nice_scale, time_span, time_step

POSITIVE = st.floats(1e-4, 1e5)


@given(st.floats(-1e4, 1e4), POSITIVE)
def test_a_scale_holds_its_values_in_two_to_five_round_ticks(low, span):
    scale = nice_scale(low, low + span)
    slack = 0.0101 * scale.step
    assert scale.low <= low + slack
    assert low + span <= scale.high + slack
    assert 2 <= len(scale.ticks) <= 5
    assert round(scale.step * 10**scale.decimals) == pytest.approx(scale.step * 10**scale.decimals)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (38.2, 64.6, (30, 40, 50, 60, 70)),
        (0, 181, (0, 50, 100, 150, 200)),
        (31, 43, (30, 35, 40, 45)),
        (0, 300.0003, (0, 100, 200, 300)),
    ],
)
def test_scales_are_the_ones_a_person_would_draw(low, high, ticks):
    assert nice_scale(low, high).ticks == pytest.approx(ticks)


def test_a_single_value_has_a_scale_around_it():
    scale = nice_scale(12.5, 12.5)
    assert scale.low < 12.5 < scale.high


def test_zero_alone_has_a_scale():
    assert nice_scale(0.0, 0.0).high > 0


def test_a_scale_stays_while_the_values_fit():
    scale = grown(None, 38, 52)
    assert grown(scale, 38.5, 53) is scale
    assert grown(scale, 38.5, scale.high + 1).high > scale.high


def test_a_scale_that_the_values_no_longer_fill_is_replaced():
    scale = grown(None, 0, 500)
    assert grown(scale, 10, 12).high < 50


def test_decimals_write_every_tick():
    assert [decimals_of(step) for step in (20, 5, 0.5, 0.25, 0.001)] == [0, 0, 1, 2, 3]


def test_the_time_axis_grows_in_steps():
    spans = {time_span(5.0, 5 + t / 10, steady=True, ended=False).right for t in range(20, 600)}
    assert len(spans) < 25


@given(st.floats(0, 100), POSITIVE)
def test_the_newest_value_is_inside_with_room_for_its_labels(origin, elapsed):
    span = time_span(origin, origin + elapsed, steady=True, ended=True, room=0.1)
    assert span.right - (origin + elapsed) >= 0.099 * (span.right - origin)
    assert 0 <= span.left <= origin


def test_a_long_push_does_not_squeeze_a_short_run():
    span = time_span(20.0, 20.5, steady=True, ended=True)
    assert (20.5 - 20.0) / span.width > 0.6


def test_a_running_phase_has_at_least_two_seconds():
    assert time_span(1.0, 1.01, steady=True, ended=False).right == pytest.approx(1 + LIVE_SPAN_S)


def test_time_ticks_are_far_enough_apart():
    assert time_step(70, 667, 72) == 10
    assert time_step(0.06, 667, 72) == pytest.approx(0.01)
