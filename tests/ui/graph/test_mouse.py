"""The graph view by mouse and wheel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from tests.ui.graph import models
from tests.ui.graph.acting import ALT, CTRL, LEFT, Show, item, point, titles
from workbench.ui.graph.view import GraphView


def wheel(
    view: GraphView, at: QPoint, x: int, y: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(view.mapToGlobal(at)),
        QPoint(),
        QPoint(x, y),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_a_click_selects_a_node_and_tells_its_id(show: Show, qtbot: QtBot) -> None:
    model = models.silero_like()
    view = show(model)
    lstm = next(n for n in model.nodes if n.op == "LSTM")
    with qtbot.waitSignal(view.selected) as told:
        qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    assert told.args == [(lstm.id,)]
    assert [crumb.title for crumb in view.breadcrumb()] == ["decoder"]


def test_a_click_on_nothing_clears(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    qtbot.mouseClick(view, LEFT, pos=QPoint(5, 400))
    assert view.selection() == ()


def test_ctrl_click_adds_and_takes_away(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    qtbot.mouseClick(view, LEFT, CTRL, pos=point(view, "Squeeze"))
    assert titles(view) == ["LSTM", "Squeeze"]
    qtbot.mouseClick(view, LEFT, CTRL, pos=point(view, "LSTM"))
    assert titles(view) == ["Squeeze"]


def test_a_group_stands_for_all_its_nodes(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "encoder"))
    assert len(view.selection()) == 28
    assert titles(view) == ["encoder"]


def test_a_double_click_opens_and_closes_a_group(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    encoder = item(view, "encoder")
    where = view.window_box(encoder)
    qtbot.mouseDClick(view, LEFT, pos=point(view, "encoder"))
    assert view.is_open(encoder)
    after = view.window_box(encoder)
    assert where is not None
    assert after is not None
    assert (after.left() + after.width() / 2) == pytest.approx(where.left() + where.width() / 2, abs=200)
    assert after.top() == pytest.approx(where.top(), abs=1)
    qtbot.mouseDClick(view, LEFT, pos=point(view, "encoder"))
    assert not view.is_open(encoder)


def test_alt_and_a_double_click_open_all_inside(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseDClick(view, LEFT, ALT, pos=point(view, "encoder"))
    hierarchy = view.hierarchy()
    assert hierarchy is not None
    inside = hierarchy.items[item(view, "encoder")].children
    assert all(view.is_open(child) for child in inside)


def test_the_arrow_of_a_group_opens_it_with_one_click(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    stft = item(view, "stft")
    box = view.window_box(stft)
    assert box is not None
    arrow = QPoint(round(box.left() + 10), round(box.top() + 12))
    qtbot.mouseClick(view, LEFT, pos=arrow)
    assert view.is_open(stft)
    assert view.selection() == ()


def test_a_double_click_on_a_node_asks_for_its_properties(show: Show, qtbot: QtBot) -> None:
    model = models.silero_like()
    view = show(model)
    with qtbot.waitSignal(view.activated) as told:
        qtbot.mouseDClick(view, LEFT, pos=point(view, "LSTM"))
    assert told.args == [next(n.id for n in model.nodes if n.op == "LSTM")]


def test_a_drag_pans_and_selects_nothing(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    start = point(view, "LSTM")
    before = view.camera()
    qtbot.mousePress(view, LEFT, pos=start)
    qtbot.mouseMove(view, start + QPoint(30, 10))
    qtbot.mouseMove(view, start + QPoint(60, 25))
    qtbot.mouseRelease(view, LEFT, pos=start + QPoint(60, 25))
    assert (view.camera().x - before.x, view.camera().y - before.y) == (60, 25)
    assert view.selection() == ()


def test_the_wheel_pans_and_with_ctrl_zooms_about_the_pointer(show: Show) -> None:
    view = show(models.silero_like())
    before = view.camera()
    wheel(view, QPoint(100, 100), 0, -120)
    assert view.camera().y == before.y - 64
    wheel(view, QPoint(100, 100), 0, -120, Qt.KeyboardModifier.ShiftModifier)
    assert view.camera().x == before.x - 64
    at = QPoint(300, 200)
    anchor = view.camera().to_scene(at.x(), at.y())
    wheel(view, at, 0, 120, CTRL)
    assert view.camera().zoom > before.zoom
    assert view.camera().to_scene(at.x(), at.y()) == pytest.approx(anchor, abs=1)


def test_the_pointer_marks_nodes_and_edges(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseMove(view, point(view, "LSTM"))
    picture = view.picture()
    assert picture is not None
    assert picture.marks.hover == item(view, "LSTM")
    below = view.window_box(item(view, "stft"))
    assert below is not None
    qtbot.mouseMove(view, QPoint(round(below.center().x()), round(below.bottom() + 12)))
    picture = view.picture()
    assert picture is not None
    assert picture.marks.hover == -1
    assert picture.marks.hover_route >= 0


def test_a_menu_is_asked_for_with_the_selection(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    at = point(view, "LSTM")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
    with qtbot.waitSignal(view.context_requested) as told:
        QApplication.sendEvent(view, event)
    assert told.args[1] == view.selection()
    assert titles(view) == ["LSTM"]


def test_the_tooltip_is_plain_text(show: Show, qtbot: QtBot) -> None:
    view = show(models.oddly_named())
    view.select(view.hierarchy().items[item(view, "<b>bold</b><img src=x>")].key)  # type: ignore[union-attr]
    at = point(view, "<b>bold</b><img src=x>")
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, at, view.mapToGlobal(at)))
    assert "&lt;img src=x&gt;" in QToolTip.text()
    QToolTip.hideText()
