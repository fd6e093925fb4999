"""The Jobs tab: how each job ended, why, and the way to try again."""

from __future__ import annotations

import threading
from dataclasses import replace

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import PIXEL, FakeWork, run_summary
from workbench.core.errors import EngineError
from workbench.core.messages import msg
from workbench.core.run import BudgetVerdict
from workbench.ui.dock.job_acts import Act, JobActs
from workbench.ui.jobbook import JobKind
from workbench.ui.step import Step

WRONG = "/block1/conv/Conv_output_0"


def acts(driver: Driver, kind: JobKind) -> JobActs:
    """Those beside the newest job of a kind."""
    model = driver.window.jobs_tab.model
    at = next(at for at in range(model.rowCount()) if model.record(at).kind is kind)
    widget = driver.window.jobs_tab.table.indexWidget(model.index(at, 5))
    assert isinstance(widget, JobActs)
    return widget


def outcome(driver: Driver, kind: JobKind) -> str:
    model = driver.window.jobs_tab.model
    at = next(at for at in range(model.rowCount()) if model.record(at).kind is kind)
    return str(model.data(model.index(at, 1)))


def test_a_failure_says_why_after_its_bar_was_closed_with_the_log_one_click_away(start: Start) -> None:
    driver = start(FakeWork(errors={"convert": EngineError(msg("The converter crashed"), hint=msg("Try float."))}))
    driver.open()
    driver.window.run_command("convert")
    driver.wait(driver.window.error_bar.isVisible)
    driver.click(driver.window.error_bar.close_button)
    driver.window.run_command("toggle-dock")
    driver.click(acts(driver, JobKind.CONVERT).links[Act.WHY])
    assert driver.window.error_bar.isVisible()
    assert driver.window.error_bar.title.text() == "The converter crashed"
    driver.click(driver.window.error_bar.log_button)
    assert driver.window.dock.current == "log"


def test_the_newest_failure_can_be_tried_again(start: Start) -> None:
    driver = start(FakeWork(errors={"convert": EngineError(msg("The converter crashed"))}))
    driver.open()
    driver.window.run_command("toggle-dock")
    for _ in range(2):
        driver.window.run_command("convert")
        driver.wait(driver.window.error_bar.isVisible)
        driver.click(driver.window.error_bar.close_button)
    model = driver.window.jobs_tab.model
    older = driver.window.jobs_tab.table.indexWidget(model.index(1, 5))
    assert isinstance(older, JobActs)
    assert older.acts == (Act.WHY,)
    del driver.fake.errors["convert"]
    driver.click(acts(driver, JobKind.CONVERT).links[Act.AGAIN])
    driver.wait(lambda: driver.state.artifact is not None)


def test_a_cancelled_job_can_be_tried_again(start: Start) -> None:
    driver = start(FakeWork(hold={"convert": threading.Event()}))
    driver.open()
    driver.window.run_command("toggle-dock")
    driver.window.run_command("convert")
    driver.wait(lambda: "convert" in driver.fake.calls)
    driver.click(acts(driver, JobKind.CONVERT).links[Act.CANCEL])
    driver.wait(lambda: outcome(driver, JobKind.CONVERT) == "Cancelled")
    assert acts(driver, JobKind.CONVERT).acts == (Act.AGAIN,)


def test_an_answer_that_is_no_is_not_called_done_and_leads_to_where_it_is_explained(start: Start) -> None:
    driver = start(FakeWork(wrong=(WRONG,)))
    driver.open()
    driver.wait(lambda: driver.state.report is not None)
    driver.window.run_command("toggle-dock")
    assert outcome(driver, JobKind.CHECK) == "Answer: no"
    assert outcome(driver, JobKind.OPEN) == "Done"
    driver.window.show_step(Step.QUANTIZE)
    driver.click(acts(driver, JobKind.CHECK).links[Act.WHY])
    assert driver.window.step is Step.CHECK


def test_a_run_over_its_budget_says_by_how_much(start: Start) -> None:
    over = replace(run_summary(), budget=(BudgetVerdict("p90", 1.0, "ms", 1.42, kept=False),))
    driver = start(FakeWork(devices=(PIXEL,), summary=over))
    driver.open()
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    assert outcome(driver, JobKind.RUN) == "Answer: no"
    model = driver.window.jobs_tab.model
    assert model.data(model.index(0, 2)) == "Over budget: latency p90 1.42 of 1 ms"
