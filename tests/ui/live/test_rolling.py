import math

from hypothesis import given
from hypothesis import strategies as st

from workbench.ui.live.rolling import LEAST, MOST, SHARES, WINDOW_S, Rolling


def _expected(runs):
    """Percentiles of the window that the last of ``runs`` ends, by sorting it."""
    end = runs[-1][0]
    size = sum(end - t <= WINDOW_S for t, _ in runs)
    window = sorted(value for _, value in runs[-min(max(size, LEAST), MOST) :])
    return tuple(window[math.ceil(share * len(window)) - 1] for share in SHARES)


@given(st.lists(st.tuples(st.floats(0.001, 0.4), st.floats(0.1, 100)), min_size=1, max_size=120))
def test_rolling_percentiles_are_those_of_the_window(steps):
    rolling, runs, t = Rolling(), [], 0.0
    for gap, value in steps:
        t += gap
        runs.append((t, value))
        assert rolling.add(t, value) == _expected(runs)


def test_equal_values_leave_the_window_one_by_one():
    rolling = Rolling()
    for index in range(100):
        rolling.add(index * 0.1, 5.0)
    for index in range(100, 140):
        found = rolling.add(index * 0.1, 7.0)
    assert found == (7.0, 7.0, 7.0)


def test_a_window_holds_at_most_2000_runs():
    rolling = Rolling()
    for index in range(MOST):
        rolling.add(index * 1e-5, 1.0)
    for index in range(MOST, 2 * MOST):
        found = rolling.add(index * 1e-5, 2.0)
    assert found == (2.0, 2.0, 2.0)
