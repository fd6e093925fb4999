import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.ui.live.columns import Column, Track, peaks, strided, visible


def _line(n, seed=3):
    rng = np.random.default_rng(seed)
    return np.arange(n, dtype=float), rng.normal(size=n)


def test_a_column_keeps_what_came_beyond_its_first_size():
    column = Column()
    for value in range(5000):
        column.append(float(value))
    assert column.values.tolist() == list(map(float, range(5000)))
    assert column.last == 4999


def test_a_view_taken_earlier_stays_as_it_was():
    column = Column()
    column.append(1.0)
    before = column.values
    for value in range(3000):
        column.append(float(value))
    assert before.tolist() == [1.0]


def test_a_track_answers_the_latest_value_at_a_time():
    track = Track()
    for t, value in ((1.0, 10.0), (2.0, 20.0), (1.9, 30.0)):  # the last comes a little out of order
        track.append(t, value)
    assert track.at(1.5) == 10.0
    assert track.at(9.0) == 30.0
    assert np.isnan(track.at(0.5))
    assert track.t.values.tolist() == [1.0, 2.0, 2.0]


def test_visible_takes_one_more_on_either_side():
    t = np.arange(10.0)
    assert visible(t, 2.5, 5.5) == slice(2, 7)
    assert visible(t, -5, 50) == slice(0, 10)


@given(st.integers(1, 3000), st.integers(2, 400))
def test_peaks_keep_the_extremes(n, most):
    t, v = _line(n)
    x, y = peaks(t, v, slice(0, n), most)
    assert (y.min(), y.max()) == (v.min(), v.max())
    assert len(x) == len(y) <= most + 4


def test_a_single_outlier_among_60000_is_still_drawn():
    t, v = np.arange(60_000.0), np.ones(60_000)
    v[31_234] = 99.0
    x, y = peaks(t, v, slice(0, 60_000), 1300)
    assert y.max() == 99.0
    assert abs(x[int(y.argmax())] - 31_234) < 100


@pytest.mark.parametrize("thin", [peaks, strided])
def test_points_already_drawn_stay_where_they_are_while_the_line_grows(thin):
    t, v = _line(4000)
    before = thin(t[:3900], v[:3900], slice(0, 3900), 400)
    after = thin(t, v, slice(0, 4000), 400)
    whole = len(before[0]) - 4  # the last bucket was not full
    if len(after[0]) > len(before[0]):
        assert before[0][:whole].tolist() == after[0][:whole].tolist()
        assert before[1][:whole].tolist() == after[1][:whole].tolist()
    else:
        assert after[0][-1] > before[0][whole]


def test_a_strided_line_ends_at_the_newest_point():
    t, v = _line(1003)
    x, y = strided(t, v, slice(0, 1003), 100)
    assert (x[-1], y[-1]) == (t[-1], v[-1])
    assert len(x) <= 102
