"""A run from the window: its way there, its figures, and what is told where it fails."""

from __future__ import annotations

import threading
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.ui.window.conftest import Driver, Start, ready
from tests.ui.window.fakes import HOST, PIXEL, FakeWork, run_events, run_summary
from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.core.run import RunOutputs
from workbench.ui.dock.dock import Tab
from workbench.ui.jobbook import JobKind
from workbench.ui.report.runs import run_line
from workbench.ui.step import Step


def test_run_converts_first_and_ends_with_figures(start: Start) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    assert driver.fake.calls == ["open", "check", "convert", "run"]
    recording = driver.window.run_page.charts.recording
    assert recording is not None
    assert len(driver.shell.flow.live_events) == len(tuple(run_events(driver.fake.samples)))
    assert driver.window.rail.button(Step.RUN).accessibleName() == "Run, done"
    assert driver.state.runs[0].device == PIXEL


def test_f5_from_the_open_model_ends_with_a_run(start: Start) -> None:
    driver = ready(start, FakeWork())
    steps = [driver.window.step]
    for _ in range(3):  # choose precision, convert, run
        driver.key(Qt.Key.Key_F5)
        driver.wait(lambda: driver.shell.work.live(JobKind.CONVERT) is None)
        steps.append(driver.window.step)
    driver.wait(lambda: driver.state.runs)
    assert steps == [Step.CHECK, Step.QUANTIZE, Step.CONVERT, Step.RUN]


def test_stop_is_the_main_button_while_a_run_is_at_work(start: Start) -> None:
    driver = ready(start, FakeWork(hold={"run": threading.Event()}))
    driver.window.run_command("run")
    driver.wait(lambda: driver.window.topbar.main.text() == "Stop")
    driver.wait(lambda: driver.shell.flow.live_events)
    assert not driver.window.run_page.settings.isEnabled()
    driver.click(driver.window.topbar.main)
    driver.wait(lambda: driver.shell.work.live(JobKind.RUN) is None)
    assert driver.state.runs == ()
    assert driver.window.topbar.main.text() == "Run"
    assert driver.window.run_page.settings.isEnabled()


def test_without_a_phone_the_run_page_says_how_to_get_one(start: Start) -> None:
    driver = ready(start, FakeWork(devices=(HOST,)))
    driver.window.show_step(Step.RUN)
    page = driver.window.run_page
    assert page.start_button.isVisible()
    assert not driver.window.topbar.main.isEnabled()
    driver.click(page.start_button)
    driver.wait(lambda: driver.state.chosen_device is not None)
    assert driver.state.chosen_device.serial == "localhost:16001"
    assert driver.window.topbar.device.name.text() == "Simulated phone"
    assert page.charts.isVisible()


def test_a_phone_that_left_is_told_and_the_artifact_is_kept(start: Start) -> None:
    gone = DeviceError(msg("The phone went away"), where=PIXEL.serial, hint=msg("Replug it."))
    driver = ready(start, FakeWork(errors={"run": gone}))
    driver.window.run_command("run")
    driver.wait(driver.window.error_bar.isVisible)
    assert driver.window.error_bar.detail.text() == "Replug it. The converted model is kept."
    assert driver.window.error_bar.remedy_button.text() == "Run again"
    assert driver.state.artifact is not None
    del driver.fake.errors["run"]
    driver.click(driver.window.error_bar.remedy_button)
    driver.wait(lambda: driver.state.runs)
    assert not driver.window.error_bar.isVisible()


def test_a_run_with_wrong_outputs_gets_no_speed(start: Start) -> None:
    driver = ready(start, FakeWork(summary=replace(run_summary(), outputs=RunOutputs(0.4, False))))
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    notices = [driver.window.run_page.notices.itemAt(i).widget() for i in range(driver.window.run_page.notices.count())]
    assert any("No speed is given" in notice.accessibleName() for notice in notices)
    assert driver.window.rail.button(Step.RUN).accessibleName() == "Run, 1 to look at"
    driver.window.show_step(Step.REPORT)
    assert "no speed" in driver.window.report_page.runs.accessible_text()


def test_the_charts_are_in_the_dock_while_another_step_is_shown(start: Start) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    charts = driver.window.run_page.charts
    assert driver.window.run_page.isAncestorOf(charts)
    driver.window.show_step(Step.CHECK)
    driver.window.panels.open_dock(Tab.LIVE)
    assert driver.window.dock.isAncestorOf(charts)
    assert charts.isVisible()
    driver.window.show_step(Step.RUN)
    assert driver.window.run_page.isAncestorOf(charts)


def test_a_run_on_a_simulated_phone_says_so_wherever_its_figures_are(start: Start) -> None:
    phone = replace(PIXEL, serial="localhost:16001", simulated=True)
    driver = ready(start, FakeWork(devices=(HOST, phone)))
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    page = driver.window.run_page
    assert page.charts.header.simulated.isVisible()
    page.steady.refresh()
    assert "Simulated: this computer's processor" in [
        label.text() for label in page.steady.findChildren(QLabel) if label.isVisible()
    ]
    assert run_line(driver.state.runs[0], driver.state).device == "Simulated phone: this computer's processor"


def test_a_run_measures_for_five_seconds_unless_told_otherwise(driver: Driver) -> None:
    driver.open()
    driver.window.show_step(Step.RUN)
    settings = driver.window.run_page.settings
    assert settings.stop_by.value() is True
    assert settings.seconds.isVisible()
    assert driver.state.run_config.seconds == 5.0
