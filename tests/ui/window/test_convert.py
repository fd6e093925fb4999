"""Convert, with progress, cancel, results and failures."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.window.conftest import Start, ready
from tests.ui.window.fakes import FakeWork
from workbench.core.errors import EngineError
from workbench.core.messages import msg
from workbench.core.verdict import Answer, Status
from workbench.ui.convert.stages import Mark, StageMark
from workbench.ui.dock.dock import Tab
from workbench.ui.jobbook import JobKind, JobRecord, JobState
from workbench.ui.step import Step
from workbench.ui.widgets.focus_ring import FocusRing


def test_convert_shows_the_file_and_both_figures_apart(start: Start) -> None:
    driver = ready(start, FakeWork())
    driver.shell.session.select(driver.state.layers)
    driver.window.run_command("bits-8")
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    page = driver.window.convert_page
    assert page.title.text() == "Converted and verified"
    assert page.result.engine.isVisible()
    assert page.result.price.isVisible()
    assert page.save.isVisible()
    assert driver.window.topbar.main.text() == "Run"


def test_a_float_plan_has_no_price(start: Start) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    assert driver.window.convert_page.result.engine.isVisible()
    assert not driver.window.convert_page.result.price.isVisible()


def test_a_changed_plan_makes_the_artifact_old(start: Start) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    driver.shell.session.select(driver.state.layers)
    driver.window.run_command("bits-8")
    assert driver.window.convert_page.title.text() == "Converted, but the plan has changed since"
    assert driver.window.topbar.main.text() == "Convert"


def test_cancel_beside_the_progress_stops_the_conversion(start: Start) -> None:
    driver = ready(start, FakeWork(hold={"convert": threading.Event()}))
    driver.window.run_command("convert")
    page = driver.window.convert_page
    driver.wait(page.cancel.isVisible)
    assert driver.window.topbar.main.text() == "Converting"
    driver.click(page.cancel)
    assert page.title.text() == "Stopping"
    driver.wait(lambda: driver.shell.work.live(JobKind.CONVERT) is None)
    assert driver.shell.work.book.last(JobKind.CONVERT).state is JobState.STOPPED
    assert page.title.text() == "Not converted yet"
    assert not driver.window.error_bar.isVisible()


def test_a_crash_names_the_op_and_leads_to_it(start: Start) -> None:
    node = "/block1/conv/Conv_output_0"
    crash = EngineError(msg("The converter crashed ({signal})", signal="SIGSEGV"), where=node)
    driver = ready(start, FakeWork(errors={"convert": crash}))
    driver.window.run_command("convert")
    bar = driver.window.error_bar
    driver.wait(bar.isVisible)
    assert bar.title.text() == f"The converter crashed (SIGSEGV): {node}"
    assert bar.detail.text() == "Nothing was written; model and plan are as they were."
    assert driver.window.convert_page.title.text() == "Not converted"
    assert "Start to Convert" in driver.window.convert_page.lines.toPlainText()
    driver.click(bar.node_button)
    assert driver.window.step is Step.CHECK
    assert driver.state.selection == (node,)
    driver.click(bar.log_button)
    assert driver.window.dock.current is Tab.LOG
    driver.click(bar.close_button)
    assert not bar.isVisible()


def test_save_as_copies_the_model_with_its_record(start: Start, tmp_path: Path) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    driver.answers.file = tmp_path / "saved" / "phone.mnn"
    driver.answers.file.parent.mkdir()
    driver.click(driver.window.convert_page.save)
    driver.wait(lambda: driver.shell.work.book.last(JobKind.SAVE) is not None)
    driver.wait(lambda: driver.shell.work.live(JobKind.SAVE) is None)
    assert sorted(file.name for file in driver.answers.file.parent.iterdir()) == ["phone.mnn", "phone.mnn.json"]
    assert driver.answers.file.read_bytes() == Path(driver.state.artifact.path).read_bytes()


def test_a_place_that_cannot_be_written_is_told(start: Start, tmp_path: Path) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    driver.answers.file = tmp_path / "missing" / "phone.mnn"
    driver.window.run_command("save-artifact")
    driver.wait(driver.window.error_bar.isVisible)
    assert driver.window.error_bar.title.text().startswith("The file cannot be written: No such file or directory")


def test_the_jobs_tab_lists_what_ran_newest_first(start: Start) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    model = driver.window.jobs_tab.model
    rows = [[model.index(row, column).data() for column in (0, 1)] for row in range(model.rowCount())]
    assert rows == [["Convert digits.onnx", "Done"], ["Check digits.onnx", "Done"], ["Open digits.onnx", "Done"]]


def test_a_condition_is_named_in_the_answer_and_beside_the_op(start: Start) -> None:
    driver = ready(start, FakeWork())
    report = driver.state.report
    assert report is not None
    nodes = tuple(replace(one, status=Status.CONDITION) for one in report.nodes)
    conditional = replace(report, verdict=Answer.OK_WITH_CONDITION, nodes=nodes, conditions=("path=module",))
    driver.shell.session.set_report(conditional)
    driver.shell.session.select(driver.state.layers[:1])
    workspace = driver.window.workspace
    assert workspace.graph_page.answer.sentence.text().startswith("Ready. ")
    for said in (workspace.graph_page.answer.sentence.text(), workspace.inspector.verdict.conditions.text()):
        assert "path=module" in said
        assert "Session" in said


def test_a_click_that_disables_its_button_leaves_the_focus_on_no_other_control(start: Start) -> None:
    driver = ready(start, FakeWork(hold={"convert": threading.Event()}))
    driver.window.show_step(Step.CONVERT)
    main = driver.window.topbar.main
    driver.click(main)
    driver.wait(lambda: driver.shell.work.live(JobKind.CONVERT) is not None and not main.isEnabled())
    assert QApplication.focusWidget() is driver.window
    ring = driver.window.findChild(FocusRing)
    assert ring is not None
    assert ring.target() is None
    driver.key(Qt.Key.Key_Tab)
    assert ring.target() is QApplication.focusWidget()
    driver.shell.work.cancel(JobKind.CONVERT)


def test_a_refused_conversion_does_not_end_with_a_green_mark(start: Start) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    page = driver.window.convert_page

    def last_mark() -> Mark | None:
        shown = [mark.mark for mark in page.stages.findChildren(StageMark) if mark.isVisible()]
        return shown[-1] if shown else None

    driver.wait(lambda: last_mark() is Mark.DONE)
    conversion = driver.shell.flow.conversion
    assert conversion is not None
    no = replace(conversion.report, ok=False, artifact=None, verdict=Answer.WRONG, reason=msg("Not right"))
    driver.shell.flow.conversion = replace(conversion, report=no)
    page.refresh()
    driver.wait(lambda: last_mark() is Mark.FAILED)


def test_a_model_made_on_the_way_is_no_stage() -> None:
    record = JobRecord(1, JobKind.CHECK, msg("Check"), datetime.now(), 0.0, model="/models/digits.onnx")
    for name in ("digits.onnx", "exposed.onnx", "part94.onnx"):
        record = record.with_progress(0.5, msg("Converting {model}", model=name))
    assert [dict(stage.text.arguments)["model"] for stage in record.stages] == ["digits.onnx"]


def test_a_fraction_without_a_word_is_no_stage() -> None:
    record = JobRecord(1, JobKind.CONVERT, msg("Convert"), datetime.now(), 0.0)
    record = record.with_progress(None, msg("Comparing")).with_progress(0.5, msg("{text}", text=""))
    assert [str(stage.text) for stage in record.stages] == ["Comparing"]
    assert record.fraction == 0.5
