"""What could be cut off, overlap or be taken for HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QScrollArea, QToolButton

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import FakeWork, small_model
from workbench.core.device import Device, DeviceState
from workbench.core.messages import msg
from workbench.ui.settings import Settings
from workbench.ui.step import Step
from workbench.ui.widgets.labels import ElidedLabel

SIZES = [(1440, 900), (1100, 700), (1024, 640)]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def everywhere(start: Start, request: pytest.FixtureRequest) -> Driver:
    driver = start(FakeWork(wrong=("/block1/conv/Conv_output_0",)))
    driver.window.resize(*request.param)
    driver.open()
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    return driver


def pages(driver: Driver) -> list[Step | None]:
    return [None, *Step]


def show(driver: Driver, page: Step | None) -> None:
    if page is None:
        driver.window.show_start()
    else:
        driver.window.show_step(page)


def has_words(button: QAbstractButton) -> bool:
    """Painted buttons say themselves how wide they are; icons alone have no words."""
    if isinstance(button, QToolButton):
        return button.toolButtonStyle() is not Qt.ToolButtonStyle.ToolButtonIconOnly
    return isinstance(button, QPushButton) and bool(button.text())


def on_every_page(driver: Driver, check: Callable[[], None]) -> None:
    """``check`` holds on every page, once its layout has settled."""
    for page in pages(driver):
        show(driver, page)
        driver.qtbot.waitUntil(check, timeout=5000)


def test_no_word_of_a_button_is_cut(everywhere: Driver) -> None:
    def check() -> None:
        buttons = [b for b in everywhere.window.findChildren(QAbstractButton) if b.isVisible() and has_words(b)]
        assert [(b.text(), b.width()) for b in buttons if b.width() < b.sizeHint().width()] == []

    on_every_page(everywhere, check)


def test_no_label_on_one_line_is_cut(everywhere: Driver) -> None:
    def on_one_line(label: QLabel) -> bool:
        return bool(label.text()) and not label.wordWrap() and not isinstance(label, ElidedLabel)

    def check() -> None:
        labels = [x for x in everywhere.window.findChildren(QLabel) if x.isVisible() and on_one_line(x)]
        assert [(x.text(), x.width()) for x in labels if x.width() < x.sizeHint().width()] == []

    on_every_page(everywhere, check)


def test_nothing_lies_beside_what_a_scroll_area_shows(everywhere: Driver) -> None:
    """The panels scroll up and down only: what is wider than the panel could never be seen."""

    def check() -> None:
        areas = [a for a in everywhere.window.findChildren(QScrollArea) if a.isVisible() and a.widget() is not None]
        wide = [(a.accessibleName(), a.widget().minimumSizeHint().width(), a.viewport().width()) for a in areas]
        assert [area for area in wide if area[1] > area[2]] == []

    on_every_page(everywhere, check)


def test_layers_that_lie_over_the_graph_leave_the_answer_in_sight(start: Start) -> None:
    driver = start(FakeWork(wrong=("/block1/conv/Conv_output_0",)))
    driver.window.resize(1024, 640)
    driver.open()
    driver.window.run_command("toggle-layers")
    workspace = driver.window.workspace
    answer, layers = workspace.graph_page.answer, workspace.layers
    driver.wait(layers.isVisible)
    driver.wait(lambda: layers.y() >= answer.mapTo(workspace, answer.rect().bottomLeft()).y())
    assert layers.geometry().bottom() >= workspace.height() - 1


def test_a_narrow_window_has_a_strip_for_the_layers_and_one_button_for_the_menus(start: Start) -> None:
    driver = start(FakeWork())
    driver.window.resize(1024, 640)
    driver.open()
    window = driver.window
    assert window.workspace.strip.isVisible()
    assert not window.workspace.layers.isVisible()
    assert window.topbar.menu_button.isVisible()
    assert not window.topbar.menus.isVisible()
    graph_before = window.workspace.graph_page.width()
    driver.click(window.workspace.strip.button)
    assert window.workspace.layers.isVisible()
    assert window.workspace.graph_page.width() == graph_before  # it opens over the graph
    window.resize(1440, 900)
    driver.wait(lambda: not window.workspace.strip.isVisible())
    assert window.workspace.layers.isVisible()
    assert window.workspace.layers.x() + window.workspace.layers.width() <= window.workspace.centre.x()


def test_the_window_can_be_no_smaller_than_its_minimum(driver: Driver) -> None:
    driver.window.resize(300, 200)
    assert (driver.window.width(), driver.window.height()) == (1024, 640)


def test_names_from_models_and_phones_are_plain_text(start: Start) -> None:
    evil = "<b onload=x>bold</b><img src='file:///etc/passwd'>\x1b[31m\u202eLSTM"
    opened = small_model()
    nodes = tuple(replace(node, name=evil, op="<i>Conv</i>") for node in opened.model.graph.nodes)
    graph = replace(opened.model.graph, nodes=nodes, name=evil)
    model = replace(opened.model, graph=graph, producer=evil, notes=(msg("{evil}", evil=evil),))
    phone = Device(evil, evil, evil, DeviceState.READY)
    driver = start(FakeWork(opened=replace(opened, model=model), devices=(phone,)))
    driver.open()
    driver.shell.session.select((nodes[0].id,))
    for page in pages(driver):
        show(driver, page)
        for label in driver.window.findChildren(QLabel):
            assert label.textFormat() is Qt.TextFormat.PlainText or "<" not in label.text(), label.text()
            assert "\x1b" not in label.text()
            assert "\u202e" not in label.text()
    inspector = driver.window.workspace.inspector
    assert inspector.title.text() == "<i>Conv</i>"
    assert inspector.name.text().startswith("<b onload=x>bold</b>")


@pytest.mark.parametrize("scale", [0.9, 1.5])
def test_the_font_scale_multiplies_sizes_and_cuts_nothing(start: Start, scale: float) -> None:
    driver = start(FakeWork(), Settings(theme="light", scale=scale))
    driver.window.resize(1600, 1000)
    driver.open()
    assert driver.window.topbar.height() == round(44 * scale)

    def check() -> None:
        buttons = [b for b in driver.window.findChildren(QPushButton) if b.isVisible() and b.text()]
        assert [(b.text(), b.width()) for b in buttons if b.width() < b.sizeHint().width()] == []

    on_every_page(driver, check)
