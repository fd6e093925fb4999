"""A model that exact rewrites make right: switched on and off, undone, converted, kept and reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from tests.ui.window.conftest import Driver, Start, ready
from tests.ui.window.fakes import EFFECT, FIX, FakeWork, check_report, rewritable, small_model
from workbench.core.artifact import Rewrite
from workbench.core.messages import msg
from workbench.core.verdict import Status
from workbench.ui.convert.rewritten import RewrittenBox
from workbench.ui.inspector.verdict import VerdictPart
from workbench.ui.layers.columns import Column
from workbench.ui.settings import Settings
from workbench.ui.step import Step
from workbench.ui.workspace.answer import AnswerBar

CONV = "/block1/conv/Conv_output_0"
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def fixable(start: Start) -> Driver:
    return ready(start, FakeWork(wrong=(CONV,), rewritable=True))


def answer(driver: Driver) -> AnswerBar:
    return driver.window.workspace.graph_page.answer


def verdict(driver: Driver) -> VerdictPart:
    return driver.window.workspace.inspector.verdict


def test_the_answer_says_so_in_words_and_offers_the_fix(fixable: Driver) -> None:
    assert answer(fixable).sentence.text() == "Right once rewritten: 1 op"
    assert answer(fixable).fix.isVisible()
    assert answer(fixable).fix.text() == "Fix all (1)"
    assert not answer(fixable).keep.isVisible()
    assert fixable.window.topbar.main.text() == "Show the op"
    assert not fixable.window.topbar.crumbs.rewriting.isVisible()
    assert fixable.state.verdicts[CONV].status is Status.WRONG


def test_fix_all_makes_the_op_fixed_everywhere_and_leads_on(fixable: Driver) -> None:
    fixable.click(answer(fixable).fix)
    assert answer(fixable).sentence.text() == "Ready with exact rewrites: 1 op"
    assert answer(fixable).detail.text() == "6 right, 1 fixed"
    assert verdict(fixable).badge.badge().text == "Fixed"
    assert not verdict(fixable).badge.badge().wrench  # its icon is one
    assert fixable.window.workspace.layers.text(CONV, Column.VERDICT) == "Fixed"
    assert fixable.window.topbar.crumbs.rewriting.isVisible()
    assert fixable.window.rail.button(Step.CHECK).accessibleName() == "Check, done"
    assert fixable.window.topbar.main.text() == "Choose precision"
    fixable.click(fixable.window.topbar.main)
    assert fixable.window.step is Step.QUANTIZE
    assert fixable.window.topbar.main.text() == "Convert"


def test_it_is_switched_off_beside_the_answer(fixable: Driver) -> None:
    fixable.click(answer(fixable).fix)
    fixable.click(answer(fixable).keep)
    assert not fixable.state.is_rewriting
    assert fixable.state.verdicts[CONV].status is Status.WRONG
    assert not fixable.window.topbar.crumbs.rewriting.isVisible()
    assert answer(fixable).fix.isVisible()


def test_it_is_undone_and_redone_by_key_like_an_edit_of_the_plan(fixable: Driver) -> None:
    fixable.shell.session.select(fixable.state.layers)
    fixable.window.run_command("bits-8")
    plan = fixable.state.plan
    fixable.window.run_command("fix-all")
    assert fixable.state.plan == plan
    assert fixable.window.commands["undo"].text() == "Undo: Fix all by exact rewrites"
    fixable.key(Qt.Key.Key_Z, CONTROL)
    assert not fixable.state.is_rewriting
    assert fixable.state.verdicts[CONV].status is Status.WRONG
    assert fixable.state.plan == plan
    fixable.key(Qt.Key.Key_Z, CONTROL | SHIFT)
    assert fixable.state.is_rewriting
    assert fixable.state.verdicts[CONV].status is Status.FIXED
    fixable.shell.session.select(fixable.state.layers)
    fixable.window.run_command("bits-4")
    assert fixable.state.is_rewriting


def test_the_commands_can_be_run_where_they_mean_something(start: Start) -> None:
    right = ready(start, FakeWork())
    assert not right.window.commands["fix-all"].isEnabled()
    assert not right.window.commands["rewrites-off"].isEnabled()
    assert not answer(right).fix.isVisible()
    fixable = ready(start, FakeWork(wrong=(CONV,), rewritable=True))
    assert fixable.window.commands["fix-all"].isEnabled()
    fixable.window.run_command("fix-all")
    assert not fixable.window.commands["fix-all"].isEnabled()
    fixable.window.run_command("rewrites-off")
    assert not fixable.state.is_rewriting


def test_a_wrong_model_that_no_rewrite_mends_offers_none(start: Start) -> None:
    driver = ready(start, FakeWork(wrong=(CONV,)))
    assert answer(driver).sentence.text() == "Not ready: 1 of 7 ops computed wrongly"
    assert not answer(driver).fix.isVisible()
    assert not verdict(driver).fix_all.isVisible()


def test_the_inspector_says_what_the_rewrite_does_and_what_it_costs(fixable: Driver) -> None:
    part = verdict(fixable)
    assert part.fix.text() == "Make the padding explicit."
    assert part.fix_effect.text() == "The layer cannot be quantized"
    fixable.click(part.fix_all)
    assert fixable.state.is_rewriting
    assert not part.fix_all.isVisible()
    assert part.fixed.isVisible()
    assert part.sentence.text() == "Fixed by a rewrite"
    assert part.evidence_head.fact.text() == "as it is, against onnxruntime"


def test_without_rewrites_the_main_button_of_the_conversion_is_the_remedy(fixable: Driver) -> None:
    fixable.window.show_step(Step.CONVERT)
    fixable.window.run_command("convert")
    page = fixable.window.convert_page
    fixable.wait(lambda: page.title.text() == "Not converted: the answer is no")
    assert fixable.window.topbar.main.text() == "Fix all"
    fixable.key(Qt.Key.Key_F5)
    assert fixable.state.is_rewriting
    fixable.key(Qt.Key.Key_F5)
    fixable.wait(lambda: fixable.state.artifact is not None)
    assert page.title.text() == "Converted and verified"


def test_a_run_needs_the_fix_before_it(fixable: Driver) -> None:
    fixable.window.show_step(Step.RUN)
    fixable.key(Qt.Key.Key_F5)
    assert fixable.state.is_rewriting
    assert fixable.window.topbar.main.text() == "Run"
    fixable.key(Qt.Key.Key_F5)
    fixable.wait(lambda: fixable.state.runs)
    assert fixable.state.artifact_is_current


def converted(driver: Driver) -> RewrittenBox:
    driver.window.run_command("fix-all")
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    return driver.window.convert_page.rewritten


def said(box: RewrittenBox) -> list[str]:
    return [label.text() for label in box.findChildren(QLabel) if label.isVisible()]


def test_the_convert_page_lists_what_was_rewritten_and_leads_to_the_op(fixable: Driver) -> None:
    box = converted(fixable)
    fixable.shell.session.select(())
    assert said(box) == ["Rewritten", "Make the padding explicit.", "The layer cannot be quantized"]
    (link,) = box.findChildren(QPushButton)
    assert link.text() == "/block1/conv/Conv"
    fixable.click(link)
    assert fixable.window.step is Step.CHECK
    assert fixable.state.selection == (CONV,)


def test_an_artifact_that_was_rewritten_is_old_once_rewrites_are_off(fixable: Driver) -> None:
    converted(fixable)
    assert fixable.window.topbar.main.text() == "Run"
    fixable.window.run_command("rewrites-off")
    assert fixable.window.convert_page.title.text() == "Converted with rewrites, which have been turned off since"
    assert not fixable.state.artifact_is_current
    fixable.window.run_command("undo")
    assert fixable.state.artifact_is_current


def test_an_artifact_of_a_right_model_stays_current_whatever_is_switched(start: Start) -> None:
    driver = ready(start, FakeWork())
    driver.window.run_command("convert")
    driver.wait(lambda: driver.state.artifact is not None)
    driver.shell.session.set_rewriting(msg("on"), True)
    assert driver.state.artifact_is_current
    assert not driver.window.convert_page.rewritten.isVisible()


def test_many_ops_of_a_rule_are_counted_and_the_model_as_a_whole_leads_nowhere(fixable: Driver) -> None:
    box = converted(fixable)
    names = {f"node{number}": f"/layer{number}/LSTM" for number in range(11)}
    rewrites = (*(Rewrite("recurrent/loop", node, FIX) for node in names), Rewrite("types/narrow", "", EFFECT))
    box.show_rewrites(rewrites, names)
    fixable.wait(lambda: said(box)[-1] == "The model as a whole")
    assert "and 3 more" in said(box)
    assert len([link for link in box.findChildren(QPushButton) if link.isVisible()]) == 8


def test_rewrites_of_the_model_as_a_whole_have_no_number(fixable: Driver) -> None:
    report = fixable.state.report
    assert report is not None
    nodes = tuple(replace(one, fix=None) for one in report.nodes)
    fixable.shell.session.set_report(replace(report, nodes=nodes))
    assert answer(fixable).sentence.text() == "Right once rewritten"
    assert answer(fixable).fix.text() == "Fix all"
    fixable.click(answer(fixable).fix)
    assert answer(fixable).sentence.text() == "Ready with exact rewrites"
    assert fixable.state.verdicts[CONV].status is Status.FIXED


def test_a_check_that_ends_later_keeps_what_was_switched_and_another_model_begins_without(fixable: Driver) -> None:
    fixable.window.run_command("fix-all")
    two = rewritable(check_report(fixable.fake.opened, (CONV, "logits")))
    fixable.shell.session.set_report(two)
    assert answer(fixable).sentence.text() == "Ready with exact rewrites: 2 ops"
    assert fixable.state.verdicts["logits"].status is Status.FIXED
    fixable.drop(Path("/models/other.onnx"))
    fixable.wait(lambda: fixable.state.model is not None and fixable.state.model.path == "/models/other.onnx")
    assert not fixable.state.is_rewriting


def test_a_project_keeps_it_and_what_no_project_keeps_is_marked(start: Start, tmp_path: Path) -> None:
    model = tmp_path / "digits.onnx"
    model.write_bytes(b"onnx")
    fake = FakeWork(opened=small_model(str(model)), wrong=(CONV,), rewritable=True)
    first = start(fake)
    first.drop(model)
    first.wait(lambda: first.state.report is not None)
    assert not first.window.topbar.crumbs.unsaved.isVisible()
    converted(first)
    assert first.window.topbar.crumbs.unsaved.isVisible()
    first.answers.file = tmp_path / "kept.wb"
    first.window.run_command("save-project")
    first.wait(lambda: first.state.project is not None)
    second = start(fake)
    second.drop(tmp_path / "kept.wb")
    second.wait(lambda: second.state.project is not None and second.window.step is Step.CHECK)
    assert second.state.is_rewriting
    assert second.state.artifact_is_current
    assert second.state.verdicts[CONV].status is Status.FIXED
    assert second.window.topbar.crumbs.rewriting.isVisible()
    second.window.show_step(Step.CONVERT)
    second.wait(second.window.convert_page.rewritten.isVisible)


def test_the_report_names_what_was_rewritten(fixable: Driver, tmp_path: Path) -> None:
    converted(fixable)
    fixable.window.show_step(Step.REPORT)
    page = fixable.window.report_page
    assert "Answer: Ready with exact rewrites: 1 op" in page.check.accessible_text()
    assert "Exact rewrite: Make the padding explicit. (1)" in page.artifact.accessible_text()
    assert "Effect: The layer cannot be quantized" in page.artifact.accessible_text()
    fixable.answers.file = tmp_path / "report.html"
    fixable.click(fixable.window.topbar.main)
    fixable.wait(page.written.isVisible)
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    row = html.split("<th>Exact rewrite</th>")[1].split("</table>")[0]
    assert "Make the padding explicit." in row
    assert "The layer cannot be quantized" in row
    assert "<code>/block1/conv/Conv</code>" in row


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_no_word_is_cut_where_the_window_is_smallest(start: Start, language: str) -> None:
    driver = start(FakeWork(wrong=(CONV,), rewritable=True), Settings(theme="light", language=language))
    driver.window.resize(1024, 640)
    driver.open()
    chip = driver.window.topbar.crumbs.rewriting

    def fits(shown: QWidget) -> bool:
        return shown.isVisible() and shown.width() >= shown.sizeHint().width()

    driver.wait(lambda: fits(answer(driver).fix) and fits(verdict(driver).fix_all))
    driver.click(answer(driver).fix)
    driver.wait(lambda: fits(answer(driver).keep) and fits(chip))
