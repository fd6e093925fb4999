"""Limits that a run is held to: set on the Run page, drawn in the charts, judged in the answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import PIXEL, FakeWork, run_summary
from workbench.core.run import Budget, RunOutputs, RunSummary
from workbench.ui.run.words import run_answer
from workbench.ui.step import Step


@pytest.fixture
def ready(start: Start) -> Driver:
    driver = start(FakeWork(devices=(PIXEL,)))
    driver.open()
    driver.window.show_step(Step.RUN)
    return driver


def set_limit(driver: Driver, field: str, typed: str) -> None:
    """Type a limit as a person does."""
    part = driver.window.run_page.settings.budget
    if not part.head.isChecked():
        driver.click(part.head)
    spin = part.fields[field]
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, typed)
    QTest.keyClick(spin, Qt.Key.Key_Return)


def test_a_limit_typed_is_asked_of_the_run_and_drawn(ready: Driver) -> None:
    set_limit(ready, "p90_ms", "1.25")
    set_limit(ready, "peak_kb", "20")
    assert ready.state.run_config.budget.p90_ms == 1.25
    assert ready.state.run_config.budget.peak_kb == pytest.approx(20e6 / 1024)
    assert ready.window.run_page.charts.budget == ready.state.run_config.budget
    ready.window.run_command("run")
    ready.wait(lambda: ready.state.runs)
    rows = ready.window.run_page.steady.budget
    assert rows.isVisible()


def test_the_answer_says_which_limit_was_not_kept_and_follows_the_limits(ready: Driver) -> None:
    ready.window.run_command("run")
    ready.wait(lambda: ready.state.runs)
    answer = ready.window.run_page.answer
    assert answer.sentence.text() == "Outputs right: p50 1.31 ms, p90 1.42 ms"
    set_limit(ready, "p90_ms", "1")
    assert answer.sentence.text() == "Over budget: latency p90 1.42 of 1 ms"
    set_limit(ready, "p90_ms", "2")
    assert answer.sentence.text() == "Within budget: p50 1.31 ms, p90 1.42 ms"
    set_limit(ready, "p90_ms", "0")
    assert ready.state.run_config.budget == Budget()


def test_the_count_of_limits_is_beside_the_heading(ready: Driver) -> None:
    head = ready.window.run_page.settings.budget.head
    assert head.accessibleDescription() == "no limits"
    set_limit(ready, "p50_ms", "3")
    assert head.accessibleDescription() == "1 limit"
    set_limit(ready, "temperature_c", "45")
    assert head.accessibleDescription() == "2 limits"


def wrong() -> RunSummary:
    return replace(run_summary(), outputs=RunOutputs(0.4, False))


@pytest.mark.parametrize(
    ("summary", "budget", "sentence"),
    [
        (run_summary(), Budget(p90_ms=1, peak_kb=1), "Over budget: latency p90 1.42 of 1 ms, and 1 more"),
        (run_summary(5), Budget(p99_ms=9), "Budget not held: latency p99: 5 runs are too few: it takes 368"),
        (wrong(), Budget(p90_ms=9), "The outputs are wrong: no speed is given"),
        (replace(run_summary(), outputs=None), Budget(), "Outputs not compared: p50 1.31 ms, p90 1.42 ms"),
    ],
)
def test_what_the_answer_says(summary: RunSummary, budget: Budget, sentence: str) -> None:
    assert run_answer(summary, budget)[1] == sentence
