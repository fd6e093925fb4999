"""Projects, reports and exports from the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import FakeWork, run_events, small_model
from workbench.core.protocol import format_event
from workbench.formats.registry import Exporter
from workbench.ui.dialogs import Keep
from workbench.ui.jobbook import JobKind
from workbench.ui.step import Step


class Opener(QObject):
    """Stands for the program that the desktop would start."""

    def __init__(self, opened: list[QUrl]) -> None:
        super().__init__()
        self._opened = opened

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self._opened.append(url)


def saved(start: Start, folder: Path) -> Driver:
    """A project with a plan and a run."""
    model = folder / "digits.onnx"
    model.write_bytes(b"onnx")
    driver = start(FakeWork(opened=small_model(str(model))))
    driver.drop(model)
    driver.wait(lambda: driver.state.report is not None)
    driver.shell.session.select(driver.state.layers[:1])
    driver.window.run_command("bits-4")
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    events = driver.state.runs[0].events_file
    assert events is not None
    events.write_text("\n".join(format_event(event) for event in run_events()))
    driver.answers.file = folder / "phone.wb"
    driver.window.run_command("save-project")
    driver.wait(lambda: driver.state.project is not None)
    return driver


def test_a_saved_project_opens_with_plan_artifact_and_the_last_run(start: Start, tmp_path: Path) -> None:
    first = saved(start, tmp_path)
    plan = first.state.plan
    second = start(FakeWork(opened=first.fake.opened))
    second.drop(tmp_path / "phone.wb")
    second.wait(lambda: second.state.project is not None)
    assert second.state.plan == plan
    assert second.state.artifact_is_current
    assert len(second.state.runs) == 1
    second.wait(lambda: second.window.run_page.charts.recording is not None)
    assert second.window.topbar.crumbs.project.text() == "phone"
    second.window.show_step(Step.CONVERT)
    assert second.window.convert_page.title.text() == "Converted and verified"


def test_saving_again_asks_no_second_time(start: Start, tmp_path: Path) -> None:
    driver = saved(start, tmp_path)
    driver.answers.asked.clear()
    driver.window.run_command("save-project")
    driver.wait(lambda: driver.shell.work.live(JobKind.SAVE) is None)
    assert driver.answers.asked == []


def test_a_folder_that_is_no_project_is_told_and_nothing_changes(driver: Driver, tmp_path: Path) -> None:
    driver.open()
    before = driver.state.model
    driver.drop(tmp_path)
    driver.wait(driver.window.error_bar.isVisible)
    assert driver.window.error_bar.title.text().startswith("This is not a project folder")
    assert driver.state.model is before


def test_the_report_is_written_from_its_step(driver: Driver, tmp_path: Path) -> None:
    driver.open()
    driver.window.show_step(Step.REPORT)
    driver.answers.file = tmp_path / "report.html"
    driver.click(driver.window.topbar.main)
    driver.wait(lambda: driver.answers.file is not None and driver.answers.file.exists())
    driver.wait(lambda: driver.shell.work.live(JobKind.REPORT) is None)
    assert "digits" in driver.answers.file.read_text(encoding="utf-8")
    page = driver.window.report_page
    assert page.written.isVisible()
    assert page.where.text() == str(driver.answers.file)
    opened: list[QUrl] = []
    opener = Opener(opened)
    QDesktopServices.setUrlHandler("file", opener, "take")
    driver.click(page.open)
    QDesktopServices.unsetUrlHandler("file")
    assert opened == [QUrl.fromLocalFile(str(driver.answers.file))]


def test_export_is_there_once_a_plugin_offers_it(start: Start, tmp_path: Path) -> None:
    driver = start(FakeWork())
    driver.open()
    assert not driver.window.commands["export"].isEnabled()
    written: list[Path] = []
    exporter = Exporter("Layers as CSV", ".csv", lambda _model, _verdicts, path: written.append(path))
    driver = start(FakeWork(exporters=(exporter,)))
    driver.open()
    assert driver.window.commands["export"].isEnabled()
    driver.answers.file = tmp_path / "layers.csv"
    driver.window.run_command("export")
    driver.wait(lambda: written)
    assert written == [tmp_path / "layers.csv"]


def test_arrays_dropped_on_an_open_model_are_what_it_is_checked_with(driver: Driver) -> None:
    driver.open()
    driver.drop(Path("/data/images.npz"))
    driver.wait(lambda: driver.fake.feeds[-1].inputs == Path("/data/images.npz"))


def with_a_plan(start: Start, folder: Path) -> Driver:
    driver = start(FakeWork())
    driver.open()
    driver.shell.session.select(driver.state.layers)
    driver.window.run_command("bits-8")
    driver.answers.file = folder / "kept.wb"
    return driver


def test_nothing_is_asked_where_nothing_would_be_lost(driver: Driver) -> None:
    driver.open()
    driver.drop(Path("/models/other.onnx"))
    driver.wait(lambda: driver.state.model is not None and driver.state.model.path == "/models/other.onnx")
    assert not driver.window.topbar.crumbs.unsaved.isVisible()
    driver.window.close()
    assert driver.answers.asked == []
    assert not driver.window.isVisible()


def test_a_plan_that_no_project_keeps_is_marked_and_asked_about(start: Start, tmp_path: Path) -> None:
    driver = with_a_plan(start, tmp_path)
    assert driver.window.topbar.crumbs.unsaved.isVisible()
    assert driver.window.windowTitle().startswith("\N{BULLET} digits.onnx")
    driver.answers.keep = Keep.CANCEL
    driver.drop(Path("/models/other.onnx"))
    driver.wait(lambda: driver.answers.asked)
    assert driver.answers.asked == ["Keep what was done with digits.onnx?"]
    assert driver.shell.work.live(JobKind.OPEN) is None
    driver.answers.keep = Keep.DISCARD
    driver.drop(Path("/models/other.onnx"))
    driver.wait(lambda: driver.state.model is not None and driver.state.model.path == "/models/other.onnx")
    assert not driver.window.topbar.crumbs.unsaved.isVisible()


def test_the_window_stays_until_the_answer_and_closes_once_the_project_is_saved(start: Start, tmp_path: Path) -> None:
    model = tmp_path / "digits.onnx"
    model.write_bytes(b"onnx")
    driver = start(FakeWork(opened=small_model(str(model))))
    driver.drop(model)
    driver.wait(lambda: driver.state.report is not None)
    driver.shell.session.select(driver.state.layers)
    driver.window.run_command("bits-8")
    driver.answers.file, driver.answers.keep = tmp_path / "kept.wb", Keep.CANCEL
    driver.window.close()
    assert driver.window.isVisible()
    driver.answers.keep = Keep.SAVE
    driver.window.close()
    driver.wait(lambda: not driver.window.isVisible())
    assert (tmp_path / "kept.wb").is_dir()
    assert driver.answers.asked[-2:] == ["Keep what was done with digits.onnx?", "Save project"]


def test_what_a_project_keeps_is_no_longer_marked(start: Start, tmp_path: Path) -> None:
    driver = saved(start, tmp_path)
    assert not driver.window.topbar.crumbs.unsaved.isVisible()
    driver.window.run_command("undo")
    assert driver.window.topbar.crumbs.unsaved.isVisible()
    driver.window.run_command("redo")
    assert not driver.window.topbar.crumbs.unsaved.isVisible()
