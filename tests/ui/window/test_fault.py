"""After a no: the operator that it is about."""

from __future__ import annotations

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import FakeWork
from workbench.ui.step import Step

CONV = "/block1/conv/Conv_output_0"


def test_after_a_no_the_op_at_fault_is_selected_with_its_groups_opened(start: Start) -> None:
    driver = start(FakeWork(wrong=(CONV,)))
    driver.open()
    workspace = driver.window.workspace
    assert driver.state.selection == (CONV,)
    assert workspace.graph_page.graph.selection() == (CONV,)
    assert workspace.layers.view.isExpanded(workspace.layers.index_of(CONV).parent())
    assert workspace.inspector.verdict.reason.text() == "The engine takes the padding as symmetric."


def test_the_main_button_leads_back_to_the_op_at_fault(start: Start) -> None:
    driver = start(FakeWork(wrong=(CONV,)))
    driver.open()
    driver.shell.session.select(())
    driver.window.show_step(Step.MODEL)
    assert driver.window.topbar.main.text() == "Show the op"
    driver.click(driver.window.topbar.main)
    assert driver.window.step is Step.CHECK
    assert driver.state.selection == (CONV,)


def test_a_group_shows_its_worst_verdict_and_the_way_to_that_op(start: Start) -> None:
    driver = start(FakeWork(wrong=(CONV,)))
    driver.open()
    driver.shell.session.select(tuple(node.id for node in driver.fake.opened.model.graph.nodes))
    inspector = driver.window.workspace.inspector
    assert inspector.title.text() == "7 ops selected"
    assert inspector.verdict.sentence.text() == "The engine computes this op wrongly"
    assert not inspector.precision.isVisible()
    driver.click(inspector.show_op)
    assert driver.state.selection == (CONV,)


def test_a_group_whose_ops_are_all_right_leads_nowhere(driver: Driver) -> None:
    driver.open()
    driver.shell.session.select(tuple(node.id for node in driver.fake.opened.model.graph.nodes))
    inspector = driver.window.workspace.inspector
    assert inspector.verdict.badge.isVisible()
    assert not inspector.show_op.isVisible()
