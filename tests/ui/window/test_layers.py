"""The layers table: the graph's twin."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import FakeWork, small_model
from workbench.core.graph import Graph, Model, Node, Tensor
from workbench.core.plan import LayerQuant
from workbench.core.verdict import Status
from workbench.ui.layers.columns import Column
from workbench.ui.layers.panel import LayersPanel
from workbench.ui.step import Step

CONV = "/block1/conv/Conv_output_0"


def panel(driver: Driver) -> LayersPanel:
    return driver.window.workspace.layers


def click_row(driver: Driver, node: str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    view = panel(driver).view
    rect = view.visualRect(panel(driver).index_of(node))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, rect.center())


def test_a_click_selects_the_node_in_the_graph_too(driver: Driver) -> None:
    driver.open()
    panel(driver).view.expandAll()
    click_row(driver, CONV)
    assert driver.state.selection == (CONV,)
    assert driver.window.workspace.graph_page.graph.selection() == (CONV,)
    assert driver.window.workspace.inspector.title.text() == "Conv"


def test_a_selection_in_the_graph_opens_its_groups_in_the_table(driver: Driver) -> None:
    driver.open()
    view = panel(driver).view
    view.collapseAll()
    driver.window.workspace.graph_page.graph.select(CONV)
    index = panel(driver).index_of(CONV)
    assert view.isExpanded(index.parent())
    assert view.selectionModel().isSelected(index)
    assert driver.state.selection == (CONV,)


def test_a_group_stands_for_all_that_it_holds(driver: Driver) -> None:
    driver.open()
    view = panel(driver).view
    view.collapseAll()
    QTest.mouseClick(
        view.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        view.visualRect(view.model().index(0, 0)).center(),
    )
    assert len(driver.state.selection) == 6
    assert panel(driver).chosen.text() == "6 of 7 selected"


def test_the_chevron_opens_a_group_without_selecting_it(driver: Driver) -> None:
    driver.open()
    view = panel(driver).view
    view.collapseAll()
    first = view.model().index(0, 0)
    rect = view.visualRect(first)
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, rect.topLeft() + QPoint(20, 14)
    )
    assert view.isExpanded(first)
    assert driver.state.selection == ()


def test_typing_filters_and_enter_selects_what_was_found(driver: Driver) -> None:
    driver.open()
    driver.key(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert panel(driver).filter.hasFocus()
    QTest.keyClicks(panel(driver).filter, "op=conv block1")
    driver.wait(lambda: [row.node for row in panel(driver).shown_rows()] == [CONV])
    driver.key(Qt.Key.Key_Return)
    assert driver.state.selection == (CONV,)


def test_f3_goes_round_what_was_found(driver: Driver) -> None:
    driver.open()
    QTest.keyClicks(panel(driver).filter, "op=conv")
    driver.wait(lambda: len(panel(driver).shown_rows()) == 3)
    seen = []
    for _ in range(4):
        driver.key(Qt.Key.Key_F3)
        seen.append(driver.state.selection[0])
    assert seen == [*driver.state.layers[:3], driver.state.layers[0]]
    driver.key(Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert driver.state.selection == (driver.state.layers[2],)


def test_a_term_that_is_not_understood_is_named(driver: Driver) -> None:
    driver.open()
    QTest.keyClicks(panel(driver).filter, "depth<3")
    driver.wait(panel(driver).problem.isVisible)
    assert "depth<3" in panel(driver).problem.text()
    assert len(panel(driver).shown_rows()) == 7


def test_a_filter_that_fits_nothing_says_so(driver: Driver) -> None:
    driver.open()
    QTest.keyClicks(panel(driver).filter, "nothing-like-this")
    driver.wait(panel(driver).nothing.isVisible)
    assert panel(driver).nothing.text() == "No layer fits the filter."


def test_a_column_sorts_flat_and_the_third_click_restores_the_groups(driver: Driver) -> None:
    driver.open()
    driver.window.show_step(Step.MODEL)
    view = panel(driver).view
    at = panel(driver).columns.index(Column.PARAMETERS)
    header = view.header()
    point = QPoint(header.sectionViewportPosition(at) + 12, header.height() // 2)
    names = []
    for _ in range(3):
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
        names.append([row.name for row in panel(driver).shown_rows()])
    assert names[0][-1] == "/head/fc/Gemm"
    assert names[1][0] == "/head/fc/Gemm"
    assert names[2] == [row.name for row in panel(driver).outline_rows()]


def test_the_plan_steps_list_only_what_can_be_quantized(driver: Driver) -> None:
    driver.open()
    driver.window.show_step(Step.QUANTIZE)
    assert [row.op for row in panel(driver).shown_rows()] == ["Conv", "Conv", "Conv", "Gemm"]
    assert panel(driver).count.text() == "4 that can be quantized"


def test_chips_count_verdicts_and_choose_one(start: Start) -> None:
    driver = start(FakeWork(wrong=(CONV,)))
    driver.open()
    chip = panel(driver).chips.chip(Status.WRONG.value)
    assert chip.accessibleName() == "Wrong 1"
    driver.click(chip)
    assert [row.node for row in panel(driver).shown_rows()] == [CONV]


def test_the_csv_has_the_selected_rows_and_no_formulas(start: Start) -> None:
    opened = small_model()
    driver = start(FakeWork(opened=opened))
    driver.open()
    panel(driver).view.expandAll()
    click_row(driver, CONV)
    driver.window.run_command("copy-csv")
    text = QGuiApplication.clipboard().text()
    assert text.splitlines() == ["id,Layer,Op,Output,Verdict", f'{CONV},/block1/conv/Conv,Conv,"[N,32,8,8]",Right']


def test_a_plan_edit_shows_in_the_table_at_once(driver: Driver) -> None:
    driver.open()
    driver.window.show_step(Step.QUANTIZE)
    driver.shell.session.select((CONV,))
    driver.window.run_command("bits-4")
    assert driver.state.plan.of(CONV) == LayerQuant(4)
    assert panel(driver).text(CONV, Column.BITS) == "4 bit"
    assert panel(driver).text(CONV, Column.SIZE) == "4.61 KB"


def test_a_filter_by_bits_follows_the_plan(driver: Driver) -> None:
    driver.open()
    driver.window.show_step(Step.QUANTIZE)
    QTest.keyClicks(panel(driver).filter, "bits<8")
    driver.wait(lambda: not panel(driver).shown_rows())
    driver.shell.session.select((CONV,))
    driver.window.run_command("bits-4")
    assert [row.node for row in panel(driver).shown_rows()] == [CONV]


def test_with_a_filter_on_the_group_selected_in_the_graph_is_the_one_shown_as_selected(start: Start) -> None:
    scopes = tuple(f"/encoder/layer{layer}/{part}" for layer in range(2) for part in ("conv", "act", "out"))
    ids = {scope: f"{scope}/Relu_output_0" for scope in scopes}
    before = ("image", *ids.values())
    nodes = tuple(
        Node(ids[scope], f"{scope}/Relu", "Relu", "", (taken,), (ids[scope],))
        for scope, taken in zip(scopes, before, strict=False)
    )
    image = Tensor("image", "float32", (1, 8))
    graph = Graph("deep", "", nodes, (image,), (Tensor(nodes[-1].id, "float32", (1, 8)),), (), {})
    driver = start(
        FakeWork(opened=replace(small_model(), model=Model("/models/deep.onnx", "onnx", 100, "", {}, graph)))
    )
    driver.open()
    panel(driver).filter.setText("layer1")
    driver.wait(lambda: len(panel(driver).shown_rows()) == 3)
    inner = tuple(ids[scope] for scope in scopes[3:])
    driver.shell.session.select(inner)
    assert [key.rsplit("/", 1)[-1] for key in panel(driver).view.selected_keys()] == ["layer1"]
