import pytest
from PySide6.QtWidgets import QLabel

from tests.ui.live import scenarios as made
from workbench.core.run import Budget, RunConfig, RunOutputs, RunSummary
from workbench.ui.live.steady import SteadyPanel

BUDGET = Budget(load_ms=300, p90_ms=50, peak_kb=293_000, heating_c=8)


@pytest.fixture
def panel(charts, on_screen):
    return on_screen(SteadyPanel(charts), 304, 720)


def summary(outputs=None, requested=None, actual=None):
    return RunSummary(212.0, 61.0, None, None, {}, (), outputs, requested or {}, actual or {}, 0)


def run(charts, events, ending):
    charts.begin("Run 1")
    charts.add(tuple(events))
    charts.finish(ending)


def texts(panel):
    """What a person can read there."""
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible() and label.text()]


def test_before_a_run_there_are_no_numbers(panel):
    shown = texts(panel)
    assert "No run yet. The figures of the steady phase appear here." in shown
    assert not any(text.endswith("ms") for text in shown)


def test_the_one_number_has_its_interval_and_n(charts, panel):
    run(charts, made.phone_run(seconds=30, throttle=None), summary())
    shown = texts(panel)
    n = charts.recording.steady.n
    assert f"n = {n}" in shown
    assert any(text.startswith("95 %: 38.4") for text in shown)
    assert "needs 368 runs" not in shown


def test_few_runs_say_how_many_an_interval_needs(charts, panel):
    run(charts, made.steady_run([12.5, 12.7, 12.9]), summary())
    shown = texts(panel)
    assert "12.7" in shown
    assert "Too few runs for an interval." in shown
    assert {"needs 36 runs", "needs 368 runs"} <= set(shown)
    assert "Histogram" not in shown


def test_wrong_outputs_get_no_speed(charts, panel):
    run(charts, made.phone_run(seconds=10, throttle=None), summary(RunOutputs(0.31, right=False)))
    shown = texts(panel)
    assert "The outputs are wrong, so no speed is given." in shown
    assert "Output wrong: error 3.1e-1 of largest" in shown
    assert not any(text.endswith(" ms") for text in shown)
    assert "p90" not in shown


def test_right_outputs_say_how_right(charts, panel):
    run(charts, made.steady_run([10.0] * 9), summary(RunOutputs(4e-4, right=True)))
    assert "Output right: error 4e-4 of largest" in texts(panel)


def test_a_fallback_is_named(charts, panel):
    asked = {"backend": "opencl", "threads": 4, "precision": "low"}
    run(charts, made.steady_run([10.0] * 9), summary(None, asked, {"backend": "cpu", "threads": 4}))
    shown = texts(panel)
    assert panel.backend.fallback.isVisible()
    assert {"OpenCL", "4 threads, precision low", "CPU", "4 threads"} <= set(shown)


def test_the_same_back_end_is_no_fallback(charts, panel):
    panel.set_config(RunConfig(backend="cpu", threads=4))
    charts.begin("Run 1")
    charts.add(tuple(made.steady_run([10.0] * 9)))
    panel.refresh()
    assert not panel.backend.fallback.isVisible()
    assert texts(panel).count("CPU") == 2
    assert "Outputs are compared after the run" in texts(panel)


def test_limits_are_listed_with_what_was_measured(charts, panel):
    charts.set_budget(BUDGET)
    run(charts, made.phone_run(), summary())
    shown = texts(panel)
    assert {"Load", "Latency p90", "Latency p90, hot", "Peak memory", "Heating"} <= set(shown)
    assert {"212 ms", "of 300", "+181 MB", "+12.1 K"} <= set(shown)


def test_no_limits_no_budget(charts, panel):
    run(charts, made.steady_run([10.0]), summary())
    assert not panel.budget.isVisible()


def test_the_next_run_does_not_keep_the_numbers_of_the_last(charts, panel):
    run(charts, made.phone_run(seconds=10, throttle=None), summary())
    charts.begin("Run 2")
    assert "not measured yet" in texts(panel)
    assert not any(text.startswith("n =") for text in texts(panel))


def test_the_panel_follows_while_the_run_goes_on(charts, panel, qtbot):
    charts.begin("Run 1")
    charts.add(tuple(made.steady_run([10.0] * 9)))
    qtbot.waitUntil(lambda: "n = 9" in texts(panel))
