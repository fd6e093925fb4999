import math
import random
import statistics as reference

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import statistics

VALUES = st.lists(st.floats(0.01, 1e4), min_size=1, max_size=60)


@given(VALUES, st.sampled_from((0.0, 0.5, 0.9, 0.99, 1.0)))
def test_quantiles_equal_those_of_numpy(values, share):
    assert statistics.quantile(sorted(values), share) == pytest.approx(np.quantile(values, share), rel=1e-12)


def test_a_quantile_of_nothing_is_an_error():
    with pytest.raises(ValueError, match="nothing"):
        statistics.quantile([], 0.5)


@pytest.mark.parametrize(
    ("n", "share", "ranks"),
    [
        (5, 0.5, None),
        (6, 0.5, (1, 6)),
        (20, 0.5, (6, 15)),  # the table in Conover, and Hahn and Meeker's for n = 20
        (100, 0.5, (40, 61)),
        (35, 0.9, None),
        (36, 0.9, (29, 36)),
        (367, 0.99, None),
        (368, 0.99, (360, 368)),
        (0, 0.5, None),
    ],
)
def test_the_ranks_of_intervals_are_the_published_ones(n, share, ranks):
    assert statistics.interval_ranks(n, share) == ranks


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_least_runs_is_where_intervals_begin(share):
    least = statistics.least_runs(share)
    assert statistics.interval_ranks(least, share) is not None
    assert statistics.interval_ranks(least - 1, share) is None


@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("n", [40, 61, 150, 700])
def test_intervals_cover_at_least_95_per_cent_and_no_narrower_ranks_would(n, share):
    low, high = statistics.interval_ranks(n, share)

    def below(rank):  # P(B < rank), in exact integers scaled by 10^n
        tenths = round(share * 10)
        return sum(math.comb(n, k) * tenths**k * (10 - tenths) ** (n - k) for k in range(rank)) / 10**n

    assert below(low) <= 0.025 < below(low + 1)
    assert 1 - below(high) <= 0.025 < 1 - below(high - 1)


def test_intervals_of_60000_values_are_narrow():
    ordered = [float(k) for k in range(60_000)]
    low, high = statistics.median_interval(ordered)
    assert low < 29_999.5 < high
    assert high - low < 500  # 1.96 standard deviations each way: 480


def test_intervals_hold_the_median_of_skewed_latencies_as_often_as_they_say():
    random.seed(7)
    truth = 10 + math.log(2)
    held = 0
    for _ in range(400):
        ordered = sorted(10 + random.expovariate(1) for _ in range(51))
        low, high = statistics.median_interval(ordered)
        held += low <= truth <= high
    assert held >= 400 * 0.92


def test_latency_has_every_figure():
    figures = statistics.latency([float(k) for k in range(100, 0, -1)])
    assert (figures.p50, figures.n, figures.ci95) == (50.5, 100, (40.0, 61.0))
    assert figures.p90 == pytest.approx(90.1)
    assert figures.p99 == pytest.approx(99.01)
    assert figures.stdev == pytest.approx(reference.stdev(range(1, 101)))


def test_a_single_run_has_no_interval_and_no_deviation():
    figures = statistics.latency([12.5])
    assert (figures.p50, figures.p99, figures.mean, figures.ci95, figures.n) == (12.5, 12.5, 12.5, None, 1)
    assert math.isnan(figures.stdev)


def test_no_runs_have_no_figures():
    assert statistics.latency([]) is None


@pytest.mark.parametrize(("n", "t"), [(6, 2.5706), (11, 2.2281), (31, 2.0423), (1001, 1.9623)])
def test_the_margin_of_the_mean_is_students(n, t):
    assert statistics.mean_margin(1.0, n) * math.sqrt(n) == pytest.approx(t, rel=1.2e-3)


def test_five_runs_have_no_margin():
    assert statistics.mean_margin(1.0, 5) is None


@given(VALUES)
def test_the_running_summary_equals_the_whole(values):
    running = statistics.Running()
    for value in values:
        running.add(value)
    assert (running.n, running.low, running.high) == (len(values), min(values), max(values))
    assert running.mean == pytest.approx(statistics.mean(values), rel=1e-9)
    if len(values) > 1:
        assert running.stdev == pytest.approx(statistics.stdev(values), rel=1e-6, abs=1e-6)


def _noisy(level, n, rng):
    return [level * (1 + abs(rng.gauss(0, 0.02))) + (level if rng.random() < 0.01 else 0) for _ in range(n)]


def test_a_steady_series_is_not_slower():
    found = statistics.drift(_noisy(40, 900, random.Random(1)))
    assert not found.is_slower
    assert found.ratio == pytest.approx(1, abs=0.02)


def test_throttling_is_found_where_it_starts():
    rng = random.Random(2)
    found = statistics.drift(_noisy(40, 600, rng) + _noisy(55, 400, rng))
    assert found.is_slower
    assert found.ratio == pytest.approx(55 / 40, rel=0.02)
    assert 585 <= found.start <= 615


def test_a_short_disturbance_in_the_middle_is_not_throttling():
    rng = random.Random(3)
    found = statistics.drift(_noisy(40, 400, rng) + _noisy(90, 100, rng) + _noisy(40, 400, rng))
    assert not found.is_slower


def test_a_run_that_gets_faster_is_not_slower():
    assert statistics.drift([50.0] * 50 + [30.0] * 100).ratio == pytest.approx(0.6)


def test_too_few_runs_say_nothing_of_drift():
    assert statistics.drift([1.0] * 10 + [2.0] * 19) is None
