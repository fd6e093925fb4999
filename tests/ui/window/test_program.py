"""What outlives a window: settings, language, theme, work; and what is asked of the start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from shiboken6 import isValid

from tests.ui.window.conftest import Answers, Driver, Start
from tests.ui.window.fakes import FakeWork
from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.ui import settings as stored
from workbench.ui.app import Shell
from workbench.ui.jobbook import JobKind
from workbench.ui.settings import Recent, Settings
from workbench.ui.step import Step
from workbench.ui.theme.theme import theme
from workbench.ui.window import Window


def test_settings_survive_a_round_trip(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "window.json"
    kept = Settings(
        "dark", "zh_CN", 1.2, "00ff", {"run": (1, 2, 3)}, (Recent("/a.onnx", "2026-12-01T10:00:00", "ok", 1.5, 9),)
    )
    stored.save(kept, file)
    assert stored.load(file) == kept


def test_a_broken_settings_file_means_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "window.json"
    for text in ("", "[1]", '{"schema": "workbench.window/1", "theme": 7}', '{"schema": "other/1"}'):
        file.write_text(text)
        assert stored.load(file) == Settings()


def test_recent_entries_are_few_and_each_path_once() -> None:
    settings = Settings()
    for number in (*range(12), 3):
        settings = settings.with_recent(Recent(f"/{number}.onnx", ""))
    assert [entry.path for entry in settings.recent][:2] == ["/3.onnx", "/11.onnx"]
    assert len(settings.recent) == 8


def test_an_opened_model_is_recent_with_what_is_known_of_it(driver: Driver, home: Path) -> None:
    driver.open()
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    entry = stored.load(home / "window.json").recent[0]
    assert (entry.path, entry.verdict, entry.p50_ms) == ("/models/digits.onnx", "ok", 1.31)


def test_a_recent_file_that_moved_can_be_located(start: Start, home: Path) -> None:
    driver = start(settings=Settings(theme="light", recent=(Recent("/gone/model.onnx", "2026-11-19T10:00:00"),)))
    recent = driver.window.start_page.recent
    assert "The file has moved" in [label.text() for label in recent.findChildren(QLabel)]
    driver.answers.file = Path("/models/digits.onnx")
    driver.click(next(button for button in recent.findChildren(QPushButton) if button.text() == "Locate"))
    driver.wait(lambda: driver.state.report is not None)
    assert driver.answers.asked == ["Locate model.onnx"]
    assert [entry.path for entry in stored.load(home / "window.json").recent] == ["/models/digits.onnx"]


def test_icons_follow_the_theme_live(driver: Driver) -> None:
    driver.window.run_command("theme-dark")
    mark = driver.window.topbar.field.icon_label
    pixels = mark.grab().toImage()
    shades = [pixels.pixelColor(x, y).lightness() for x in range(pixels.width()) for y in range(pixels.height())]
    assert max(shades) > 150  # light ink on the dark bar
    driver.window.run_command("theme-light")


def test_the_theme_changes_at_once_and_is_kept(driver: Driver, home: Path) -> None:
    driver.window.run_command("theme-dark")
    assert theme().is_dark
    assert stored.load(home / "window.json").theme == "dark"
    driver.window.run_command("theme-light")
    assert not theme().is_dark


def test_another_language_is_a_new_window_with_the_same_work(driver: Driver) -> None:
    driver.open()
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    old = driver.window
    driver.window.run_command("language-zh_CN")
    driver.wait(lambda: driver.window is not old)
    assert driver.window.step is Step.RUN
    assert driver.window.run_page.charts.recording is not None
    assert driver.window.jobs_tab.model.rowCount() == 4
    driver.wait(lambda: not isValid(old))
    driver.shell.session.select(("logits",))
    assert driver.window.workspace.inspector.title.text()
    driver.window.run_command("check")
    driver.wait(lambda: driver.window.jobs_tab.model.rowCount() == 5 and driver.state.report is not None)
    driver.window.run_command("language-en")


def test_two_changes_of_the_size_at_once_are_one_window(driver: Driver) -> None:
    def windows() -> int:
        return sum(isinstance(one, Window) for one in QApplication.topLevelWidgets())

    old, before = driver.window, windows()
    for _ in range(2):
        driver.window.run_command("larger")
    driver.wait(lambda: driver.window is not old)
    assert driver.window.topbar.height() == round(44 * 1.2)
    driver.wait(lambda: not isValid(old))
    assert windows() == before


def test_a_theme_that_changes_while_a_window_is_made_is_the_next_ones_too(driver: Driver) -> None:
    old = driver.window
    driver.window.run_command("language-zh_CN")
    driver.window.run_command("theme-dark")
    driver.wait(lambda: driver.window is not old and driver.window.updatesEnabled())
    strip = driver.window.strip.grab().toImage()
    assert strip.pixelColor(strip.width() // 2, strip.height() // 2).lightness() < 60
    driver.window.run_command("theme-light")


def test_a_model_opened_at_once_waits_for_its_page_on_the_opening_page(qapp: QApplication, home: Path) -> None:
    shell = Shell(qapp, FakeWork().actions(), Answers().dialogs(), home / "window.json")
    try:
        shell.window.show()
        shell.window.open_path("/models/digits.onnx")
        while shell.session.state.model is None:
            QApplication.processEvents()
        window = shell.window
        assert (window.is_furnished, window.step, window.pages.currentWidget()) == (False, None, window.opening)
        while window.step is None:
            QApplication.processEvents()
        assert (window.step, window.pages.currentWidget()) == (Step.CHECK, window.workspace)
    finally:
        shell.close()
        shell.window.deleteLater()


def test_larger_text_makes_the_bars_higher(driver: Driver) -> None:
    driver.key(Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    driver.wait(lambda: driver.window.topbar.height() == round(44 * 1.1))
    driver.window.run_command("usual-size")
    driver.wait(lambda: driver.window.topbar.height() == 44)


def test_a_fault_in_a_slot_is_one_line_and_the_window_goes_on(driver: Driver) -> None:
    driver.shell.faults.install()
    try:
        with pytest.raises(ZeroDivisionError) as caught:
            sys.exit(1 // 0)
        sys.excepthook(caught.type, caught.value, caught.tb)
    finally:
        driver.shell.faults.remove()
    bar = driver.window.error_bar
    assert bar.title.text().startswith("Workbench has a fault: ZeroDivisionError")
    assert "Traceback" not in bar.title.text() + bar.detail.text()
    driver.open()
    assert driver.state.report is not None


def test_an_error_of_the_domain_keeps_its_own_words(driver: Driver) -> None:
    driver.shell.faults.install()
    try:
        sys.excepthook(BadInput, BadInput(msg("A shape is missing"), where="image"), None)
    finally:
        driver.shell.faults.remove()
    assert driver.window.error_bar.title.text() == "A shape is missing: image"


def test_plugins_that_fail_are_named_after_the_window_shows(start: Start) -> None:
    driver = start(FakeWork(plugin_faults=(msg("The plugin {plugin} failed", plugin="csv_export"),)))
    driver.wait(driver.window.error_bar.isVisible)
    assert driver.window.error_bar.title.text() == "The plugin csv_export failed"


def test_closing_ends_jobs_and_phones(start: Start) -> None:
    import threading

    fake = FakeWork(hold={"check": threading.Event()})
    driver = start(fake)
    driver.window.run_command("start-phone")
    driver.wait(lambda: fake.phone is not None and driver.state.chosen_device is not None)
    driver.drop(Path("/models/digits.onnx"))
    driver.wait(lambda: driver.shell.work.live(JobKind.CHECK) is not None)
    driver.shell.close()
    assert fake.phone is not None
    assert fake.phone.stopped.is_set()
    assert fake.hold["check"].is_set()


def test_the_sample_is_one_click_away(start: Start) -> None:
    driver = start()
    driver.click(driver.window.start_page.drop_zone.sample_button)
    driver.wait(lambda: driver.state.model is not None)
    assert driver.state.model is not None
    assert driver.state.model.path.endswith("digits.onnx")


def test_only_one_main_button_shows_in_the_top_bar_and_an_error_takes_it_over(driver: Driver) -> None:
    driver.open()
    assert driver.window.topbar.main.property("kind") == "main"
    driver.drop(Path("/models/readme.txt"))
    driver.wait(driver.window.error_bar.isVisible)
    assert driver.window.topbar.main.property("kind") == ""
    driver.click(driver.window.error_bar.close_button)
    assert driver.window.topbar.main.property("kind") == "main"


def test_qt_knows_no_platform_dialog_of_ours(qapp: QApplication) -> None:
    """A modal dialog for an error would hold the program up: none is ever made by the window's modules."""
    root = Path(stored.__file__).parent
    made_in = {file.name for file in root.rglob("*.py") if "QMessageBox" in file.read_text(encoding="utf-8")}
    assert made_in == {"dialogs.py"}  # the one question: whether work that no project keeps may go


def test_nothing_flashes_up_beside_the_window(start: Start, qapp: QApplication) -> None:
    """A widget that is shown before it has a parent is a window for a moment, and takes the keyboard away."""
    shown: list[str] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                shown.append(type(watched).__name__)
            return False

    watch = Watch()
    qapp.installEventFilter(watch)
    driver = start()
    driver.wait(lambda: driver.window.is_furnished)
    driver.open()
    for step in (Step.QUANTIZE, Step.CHECK, Step.QUANTIZE, Step.CONVERT, Step.RUN, Step.REPORT):
        driver.window.show_step(step)
    QApplication.processEvents()
    qapp.removeEventFilter(watch)
    assert shown == ["Window"]
    assert driver.window.isActiveWindow()
