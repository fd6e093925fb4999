"""The Report page: what was measured, and what was not."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import PIXEL, FakeWork, run_summary
from workbench.app.samples import digits
from workbench.core.run import BudgetVerdict
from workbench.ui.step import Step


def converted(driver: Driver, model: Path) -> None:
    driver.drop(model)
    driver.wait(lambda: driver.state.report is not None)
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)


def test_a_copy_of_the_sample_has_its_accuracy_on_the_page_and_in_the_file(start: Start, tmp_path: Path) -> None:
    model = tmp_path / "mine.onnx"
    shutil.copy(digits().model, model)
    driver = start(FakeWork(devices=(PIXEL,)))
    converted(driver, model)
    driver.window.show_step(Step.REPORT)
    page = driver.window.report_page
    driver.wait(lambda: "98.33 % of 360 images" in page.accuracy.accessible_text())
    assert "onnxruntime, float: 98.89 % of 360 images" in page.accuracy.accessible_text()
    assert "MNN, Float: 98.33 % of 360 images" in page.accuracy.accessible_text()
    driver.answers.file = tmp_path / "report.html"
    driver.click(driver.window.topbar.main)
    driver.wait(page.written.isVisible)
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Accuracy on labelled data" in html
    assert "354 of 360" in html
    assert driver.fake.calls.count("accuracies") == 1


def test_a_model_without_labels_says_so(driver: Driver) -> None:
    converted(driver, Path("/models/other.onnx"))
    driver.window.show_step(Step.REPORT)
    assert "not measured: no labels are known" in driver.window.report_page.accuracy.accessible_text()
    assert "accuracies" not in driver.fake.calls


def test_runs_are_lines_of_a_table_and_one_over_its_budget_is_marked(start: Start) -> None:
    over = replace(run_summary(), budget=(BudgetVerdict("p90", 1.0, "ms", 1.42, kept=False),))
    driver = start(FakeWork(devices=(PIXEL,), summary=over))
    driver.open()
    driver.window.show_step(Step.REPORT)
    assert driver.window.report_page.no_runs.isVisible()
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    driver.window.show_step(Step.REPORT)
    text = driver.window.report_page.runs.accessible_text()
    assert "Float, Pixel 8, 1.31 ms, 1.30 to 1.33, 1.45 ms, +19.5 MB, 400" in text
    assert not driver.window.report_page.no_runs.isVisible()
    assert "Over budget" in [w.accessibleName() for w in driver.window.report_page.runs.children() if w.isWidgetType()]
