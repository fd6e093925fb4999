"""A file dropped on the window becomes a graph, a table and verdicts; bad input changes nothing."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import FakeWork
from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.core.verdict import Status
from workbench.ui.step import Step


def test_a_dropped_model_is_read_checked_and_shown(driver: Driver) -> None:
    driver.drop(Path("/models/digits.onnx"))
    driver.wait(lambda: driver.state.report is not None)
    window = driver.window
    assert window.step is Step.CHECK
    assert window.workspace.isVisible()
    assert len(window.workspace.layers.outline_rows()) == 7
    assert window.workspace.graph_page.answer.sentence.text() == "Ready: the engine computes all 7 ops right"
    assert driver.fake.calls[:2] == ["open", "check"]


def test_a_file_can_be_dropped_on_any_part_of_the_window(driver: Driver) -> None:
    driver.open()
    layers = driver.window.workspace.layers
    field = layers.filter.mapTo(driver.window, layers.filter.rect().center())
    driver.drop(Path("/models/other.onnx"), field)
    driver.wait(lambda: driver.state.model is not None and driver.state.model.path == "/models/other.onnx")
    assert layers.filter.text() == ""


def test_the_drop_zone_says_that_it_takes_the_file(driver: Driver) -> None:
    driver.drag(Path("/models/digits.onnx"), QPoint(400, 300))
    assert driver.window.start_page.drop_zone.title.text() == "Let go to open it"


def test_a_bad_file_is_one_line_and_what_was_open_stays(driver: Driver) -> None:
    driver.open()
    before = driver.state
    driver.drop(Path("/models/readme.txt"))
    driver.wait(driver.window.error_bar.isVisible)
    bar = driver.window.error_bar
    assert bar.title.text() == "This is not an ONNX file: /models/readme.txt"
    assert bar.detail.text() == "Choose an .onnx file. What was open stays open."
    assert driver.state is before
    assert bar.remedy_button.text() == "Open another model"


def test_a_bad_first_file_leads_back_to_the_start_page(driver: Driver) -> None:
    driver.drop(Path("/models/readme.txt"))
    driver.wait(driver.window.error_bar.isVisible)
    assert driver.window.start_page.isVisible()


def test_opening_can_be_cancelled_from_its_page(start: Start) -> None:
    fake = FakeWork(hold={"open": threading.Event()})
    driver = start(fake)
    driver.drop(Path("/models/digits.onnx"))
    driver.wait(driver.window.opening.isVisible)
    driver.wait(driver.window.opening.cancel.isVisible)
    driver.click(driver.window.opening.cancel)
    assert driver.window.opening.title.text() == "Stopping"
    driver.wait(driver.window.start_page.isVisible)
    assert driver.state.model is None
    assert not driver.window.error_bar.isVisible()


def test_open_model_by_key_asks_for_a_file(driver: Driver) -> None:
    driver.answers.file = Path("/models/digits.onnx")
    driver.key(Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    driver.wait(lambda: driver.state.model is not None)
    assert driver.answers.asked == ["Open model"]


def test_a_good_file_solves_the_trouble_of_the_bad_one(driver: Driver) -> None:
    driver.drop(Path("/models/readme.txt"))
    driver.wait(driver.window.error_bar.isVisible)
    driver.open()
    assert not driver.window.error_bar.isVisible()


def test_a_wrong_op_is_counted_on_the_rail_and_named_in_the_answer(start: Start) -> None:
    driver = start(FakeWork(wrong=("/block1/conv/Conv_output_0",)))
    driver.open()
    window = driver.window
    assert window.workspace.graph_page.answer.sentence.text() == "Not ready: 1 of 7 ops computed wrongly"
    assert window.rail.button(Step.CHECK).accessibleName() == "Check, 1 to look at"
    window.workspace.layers.chips.choose(Status.WRONG.value)
    assert [row.node for row in window.workspace.layers.shown_rows()] == ["/block1/conv/Conv_output_0"]


def test_a_check_that_fails_offers_to_check_again(start: Start) -> None:
    fake = FakeWork(errors={"check": BadInput(msg("The external data is missing"), where="weights.bin")})
    driver = start(fake)
    driver.drop(Path("/models/digits.onnx"))
    driver.wait(driver.window.error_bar.isVisible)
    assert driver.window.error_bar.title.text() == "The external data is missing: weights.bin"
    del fake.errors["check"]
    driver.key(Qt.Key.Key_F5)  # the remedy is the main action while the bar shows
    driver.wait(lambda: driver.state.report is not None)
    assert not driver.window.error_bar.isVisible()


def test_every_key_of_the_menus_is_free_of_doubles(driver: Driver) -> None:
    keys = [
        key.toString(QKeySequence.SequenceFormat.PortableText)
        for command in driver.window.commands.commands
        for key in driver.window.commands[command.id].shortcuts()
    ]
    assert len(keys) == len(set(keys))
