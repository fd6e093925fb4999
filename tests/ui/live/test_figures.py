import pytest

from tests.ui.live import scenarios as made
from workbench.core import statistics
from workbench.core.protocol import Memory
from workbench.core.run import Budget, RunOutputs, RunSummary
from workbench.ui.live.figures import figures
from workbench.ui.live.judge import judge
from workbench.ui.live.recording import Recording
from workbench.ui.live.words import decimals_for, number, signed

BUDGET = Budget(load_ms=300, p90_ms=50, peak_kb=293_000, heating_c=8)


def record(events, outputs=None):
    recording = Recording()
    recording.add(tuple(events))
    recording.finish(RunSummary(212.0, 61.0, None, None, {}, (), outputs, {}, {}, 0))
    return recording


def verdicts(recording, budget=BUDGET):
    return {row.name: row.within for row in judge(budget, recording, figures(recording))}


def test_the_figures_equal_those_of_the_summary():
    recording = record(made.phone_run(seconds=30))
    found = figures(recording)
    whole = statistics.latency(recording.runs.v.values[recording.steady_from :].tolist())
    assert (found.p50.value, found.p90.value, found.p99.value) == (whole.p50, whole.p90, whole.p99)
    assert found.p50.interval == whole.ci95
    assert found.n == whole.n
    assert found.mean == pytest.approx(whole.mean)


def test_before_the_steady_phase_there_are_no_figures():
    assert figures(record([made.hello(), made.sample("first", 0, 0.1, 60.0)])) is None


def test_three_runs_have_no_interval():
    found = figures(record(made.steady_run([12.5, 12.7, 500.0])))
    assert (found.p50.value, found.p50.interval, found.margin) == (12.7, None, None)


def test_every_run_is_in_the_histogram():
    found = figures(record(made.phone_run(seconds=30)))
    assert sum(found.histogram.counts) == found.n


def test_one_outlier_does_not_stretch_the_histogram():
    histogram = figures(record(made.steady_run([10 + k % 7 / 10 for k in range(200)] + [900.0]))).histogram
    assert histogram.high < 15
    assert histogram.overflow
    assert histogram.counts[-1] == 1


@pytest.mark.parametrize("runs", [[5.0], [5.0] * 50])
def test_equal_runs_make_one_bar(runs):
    histogram = figures(record(made.steady_run(runs))).histogram
    assert [count for count in histogram.counts if count] == [len(runs)]


def test_limits_are_judged_one_by_one():
    assert verdicts(record(made.phone_run(throttle=None))) == {
        "Load": True,
        "Latency p90": True,
        "Peak memory": True,
        "Heating": False,
    }


def test_a_throttled_end_is_judged_for_itself():
    rows = verdicts(record(made.phone_run()), Budget(p90_ms=48.0))
    assert rows == {"Latency p90": True, "Latency p90, hot": False}


def test_what_was_not_measured_is_neither_within_nor_over():
    rows = verdicts(record(made.steady_run([10.0], baseline=Memory(), rss_kb=-1)))
    assert rows == {"Load": True, "Latency p90": True, "Peak memory": None, "Heating": None}


def test_wrong_outputs_have_no_latency_to_judge():
    rows = verdicts(record(made.steady_run([10.0] * 9), RunOutputs(0.3, right=False)))
    assert rows["Latency p90"] is None


def test_numbers_have_real_minus_signs_and_groups():
    assert number(-1234.5, 1) == "−1,234.5"
    assert number(-0.001, 1) == "0.0"
    assert signed(178.44, 1) == "+178.4"


@pytest.mark.parametrize(
    ("uncertainty", "value", "decimals"), [(0.09, 38.52, 2), (2.9, 46.7, 1), (0.0004, 0.052, 4), (None, 12.5, 1)]
)
def test_decimals_end_where_the_interval_begins(uncertainty, value, decimals):
    assert decimals_for(uncertainty, value) == decimals
