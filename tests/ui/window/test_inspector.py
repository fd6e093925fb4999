"""What the inspector says of an op, in full, to be copied."""

from __future__ import annotations

import math

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from tests.ui.window.conftest import Start
from tests.ui.window.fakes import FakeWork
from workbench.ui.inspector.verdict import evidence_text

WRONG = "/block1/conv/Conv_output_0"


def test_evidence_is_not_cut(start: Start) -> None:
    driver = start(FakeWork(wrong=(WRONG,)))
    driver.open()
    evidence = driver.window.workspace.inspector.verdict.evidence
    long = "It differs in shape on input 'normal': [1, 128, 1, 1] instead of [2, 1, 1, 128]"
    evidence.set_facts([("Measured", long)])
    label = next(one for one in evidence.findChildren(QLabel) if one.text() == long)
    driver.wait(lambda: label.height() >= 3 * label.fontMetrics().height())
    assert label.heightForWidth(label.width()) <= label.height()


def test_a_value_and_all_lines_can_be_copied(start: Start) -> None:
    driver = start(FakeWork(wrong=(WRONG,)))
    driver.open()
    driver.wait(lambda: driver.state.selection == (WRONG,))
    facts = driver.window.workspace.inspector.verdict.evidence

    def labels() -> list[QLabel]:
        return [one for one in facts.findChildren(QLabel) if one.text() == "0.87100" and one.isVisible()]

    driver.wait(lambda: labels() and facts.value_at(labels()[0].geometry().center()))
    label = labels()[0]
    value, everything = facts.copy_menu(label.geometry().center()).actions()
    value.trigger()
    assert QGuiApplication.clipboard().text() == "0.87100"
    everything.trigger()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "Largest error: 0.44"


def test_an_error_that_is_no_number_is_said_in_words() -> None:
    assert evidence_text("max_rel_error", math.inf) == "not comparable"
    assert evidence_text("max_rel_error", 0.44) == "0.44"


def test_what_an_op_becomes_is_missing_until_the_model_is_converted(start: Start) -> None:
    driver = start()
    driver.open()
    driver.shell.session.select((WRONG,))
    becomes = driver.window.workspace.inspector.becomes
    assert becomes.isVisible()
    assert becomes.head.accessibleDescription() == "not converted"
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    driver.window.run_command("step-check")
    assert becomes.head.accessibleDescription() == WRONG
    driver.shell.session.select(("/block1/act/Relu_output_0",))
    assert becomes.head.accessibleDescription() == "not read back"
