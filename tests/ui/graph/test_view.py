"""The graph view as a person uses it: mouse, wheel, keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.graph import models
from workbench.core.graph import Graph
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.view import GraphView
from workbench.ui.theme.apply import apply_theme

LEFT, ALT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier

NONE = Qt.KeyboardModifier.NoModifier

Show = Callable[[Graph], GraphView]


@pytest.fixture
def show(app: QApplication, qtbot: QtBot) -> Show:
    def make(model: Graph) -> GraphView:
        view = GraphView()
        qtbot.addWidget(view)
        view.resize(900, 760)
        with qtbot.waitActive(view):
            view.show()
            view.activateWindow()
        view.setFocus()
        view.set_graph(model)
        return view

    return make


def item(view: GraphView, title: str) -> int:
    hierarchy = view.hierarchy()
    assert hierarchy is not None
    return next(n for n, found in enumerate(hierarchy.items) if title in (found.title, found.detail, found.key))


def point(view: GraphView, title: str) -> QPoint:
    """A place on the item that is neither its arrow nor its badge."""
    box = view.window_box(item(view, title))
    assert box is not None
    return QPoint(round(box.left() + box.width() * 0.3), round(box.top() + min(12.0, box.height() / 2)))


def titles(view: GraphView) -> list[str]:
    hierarchy = view.hierarchy()
    assert hierarchy is not None
    return [hierarchy.items[hierarchy.index[key]].title for key in view.selected_keys()]


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


def test_arrows_go_to_producer_and_consumer(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert titles(view) == ["Squeeze"]
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert titles(view) == ["Slice"]
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert titles(view) == ["Squeeze"]
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert titles(view) == ["encoder"]


def test_the_first_arrow_begins_at_the_top(show: Show, qtbot: QtBot) -> None:
    view = show(models.chain(3))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert titles(view) == ["v0"]


def test_backspace_goes_up_and_enter_opens(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    qtbot.keyClick(view, Qt.Key.Key_Backspace)
    assert titles(view) == ["decoder"]
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert not view.is_open(item(view, "decoder"))
    qtbot.keyClick(view, Qt.Key.Key_Backspace)
    assert titles(view) == ["decoder"]


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, CTRL])
def test_enter_asks_for_the_properties_of_a_node(show: Show, qtbot: QtBot, modifier: Qt.KeyboardModifier) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    with qtbot.waitSignal(view.activated):
        qtbot.keyClick(view, Qt.Key.Key_Return, modifier)


def test_alt_and_arrows_go_through_what_was_selected(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    for title in ("LSTM", "Squeeze", "stft"):
        qtbot.mouseClick(view, LEFT, pos=point(view, title))
    qtbot.keyClick(view, Qt.Key.Key_Left, ALT)
    qtbot.keyClick(view, Qt.Key.Key_Left, ALT)
    assert titles(view) == ["LSTM"]
    qtbot.keyClick(view, Qt.Key.Key_Right, ALT)
    assert titles(view) == ["Squeeze"]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.selection() == ()


def test_zoom_keys_and_buttons_agree(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert view.camera().zoom == 1.0
    qtbot.keyClick(view, Qt.Key.Key_Plus, Qt.KeyboardModifier.ShiftModifier)
    assert view.camera().zoom == 1.25
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert view.camera().zoom == 0.85
    shown = {button.accessibleName(): button for button in view.findChildren(QWidget) if button.accessibleName()}
    assert shown["Actual size"].text() == "85 %"  # type: ignore[attr-defined]
    qtbot.mouseClick(shown["Zoom in"], LEFT)
    assert view.camera().zoom == 1.0
    qtbot.mouseClick(shown["Fit the graph"], LEFT)
    fitted = view.camera().zoom
    qtbot.keyClick(view, Qt.Key.Key_0)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert view.camera().zoom == fitted


def test_fit_leaves_room_for_what_floats(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    view.fit()
    boxes = [view.window_box(n) for n in range(60) if view.window_box(n) is not None]
    assert max(box.bottom() for box in boxes if box) <= view.height() - view.bottom_room() + 1
    assert min(box.left() for box in boxes if box) >= 15


def test_ctrl_c_copies_the_name(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    qtbot.keyClick(view, Qt.Key.Key_C, CTRL)
    assert QApplication.clipboard().text() == "/decoder/rnn/LSTM"


def test_selecting_from_outside_opens_groups_and_scrolls(show: Show, qtbot: QtBot) -> None:
    model = models.transformer(6)
    view = show(model)
    deep = next(n for n in reversed(model.nodes) if n.op == "Softmax")
    assert view.window_box(item(view, deep.id)) is None
    assert view.select(deep.id)
    box = view.window_box(item(view, deep.id))
    assert box is not None
    assert view.rect().toRectF().contains(box)
    assert view.camera().zoom >= 0.7
    assert view.selection() == (deep.id,)


def test_several_can_be_selected_from_outside(show: Show, qtbot: QtBot) -> None:
    model = models.silero_like()
    view = show(model)
    ids = tuple(n.id for n in model.nodes if n.op == "Conv")
    with qtbot.waitSignal(view.selected) as told:
        view.select(*ids)
    assert set(told.args[0]) == set(ids)
    assert view.current() == view.hierarchy().items[view.hierarchy().index[ids[0]]]
    assert not view.select("no such node")


def test_a_selection_hidden_in_a_closed_group_marks_the_group(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    view.toggle(item(view, "decoder"))
    picture = view.picture()
    assert picture is not None
    assert picture.marks.selected == {item(view, "decoder")}
    assert titles(view) == ["LSTM"]


def test_selected_edges_are_lit_through_borders(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    picture = view.picture()
    assert picture is not None
    assert len(picture.marks.lit) == 6


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


def test_screen_readers_hear_role_name_and_selection(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    spoken = QAccessible.queryAccessibleInterface(view)
    assert spoken.role() == QAccessible.Role.Graphic
    assert spoken.text(QAccessible.Text.Name) == "Graph"
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    assert view.accessibleDescription() == "LSTM decoder/rnn/LSTM"


def test_a_large_graph_is_laid_out_in_a_thread_and_can_be_selected_before(show: Show, qtbot: QtBot) -> None:
    model = models.transformer(40)
    view = show(model)
    assert view.hierarchy() is None
    wanted = model.nodes[1000].id
    assert view.select(wanted)
    qtbot.waitUntil(lambda: view.selection() == (wanted,), timeout=20_000)
    assert view.window_box(item(view, wanted)) is not None


def test_a_graph_set_meanwhile_takes_the_place_of_the_one_being_laid_out(show: Show, qtbot: QtBot) -> None:
    view = show(models.transformer(40))
    view.set_graph(models.chain(3))
    assert view.hierarchy() is not None
    view.set_graph(models.transformer(40))
    view.set_graph(models.transformer(45))
    qtbot.waitUntil(lambda: view.hierarchy() is not None, timeout=20_000)
    hierarchy = view.hierarchy()
    assert hierarchy is not None
    assert hierarchy.items[0].ops == len(models.transformer(45).nodes)


@pytest.mark.parametrize("count", [0, 1])
def test_tiny_graphs_can_be_shown_and_walked(show: Show, qtbot: QtBot, count: int) -> None:
    view = show(models.chain(count))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Backspace):
        qtbot.keyClick(view, key)
    view.fit()
    assert not view.grab().isNull()
    view.set_graph(None)
    assert view.hierarchy() is None
    qtbot.keyClick(view, Qt.Key.Key_Down)


def test_verdicts_may_come_late_and_keep_what_is_seen_in_place(show: Show, qtbot: QtBot) -> None:
    model = models.silero_like()
    view = show(model)
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    view.pan(-20, -35)
    before = view.window_box(item(view, "LSTM"))
    view.set_verdicts(models.silero_verdicts(model))
    after = view.window_box(item(view, "LSTM"))
    assert before is not None
    assert after is not None
    assert after.topLeft() == before.topLeft()
    assert titles(view) == ["LSTM"]


def test_an_overlay_changes_no_places(show: Show, qtbot: QtBot) -> None:
    model = models.silero_like()
    view = show(model)
    view.set_verdicts(models.silero_verdicts(model))
    before = view.window_box(item(view, "LSTM"))
    view.set_bits({n.id: 4 for n in model.nodes if n.op == "Conv"})
    view.set_overlay(Overlay.BITS)
    assert view.window_box(item(view, "LSTM")) == before
    assert view.overlay() is Overlay.BITS


def test_the_legend_gives_way_where_there_is_no_room(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    legend = next(child for child in view.findChildren(QWidget) if child.accessibleName() == "Legend")
    assert legend.isVisible()
    view.resize(420, 500)
    assert not legend.isVisible()
    view.resize(900, 500)
    assert legend.isVisible()
    view.set_overlay(Overlay.NONE)
    assert not legend.isVisible()


def test_the_user_scale_zooms_the_graph_and_not_the_per_cent(show: Show, app: QApplication) -> None:
    view = show(models.silero_like())
    view.set_zoom(1.0)
    narrow = view.window_box(item(view, "LSTM"))
    apply_theme(app, "light", scale=1.5, motion=False)
    wide = view.window_box(item(view, "LSTM"))
    assert narrow is not None
    assert wide is not None
    assert wide.width() == pytest.approx(narrow.width() * 1.5)
    assert view.camera().zoom == 1.0


def test_tab_moves_on_and_the_ring_shows_where_nothing_is_selected(app: QApplication, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    view, before = GraphView(), QLabel("first")
    before.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    column = QVBoxLayout(window)
    column.addWidget(before)
    column.addWidget(view)
    window.resize(600, 500)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    before.setFocus()
    plain = view.grab().toImage()
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    assert view.hasFocus()
    assert view.grab().toImage() != plain


def test_opening_a_group_glides_and_ends_where_it_should(app: QApplication, qtbot: QtBot, show: Show) -> None:
    apply_theme(app, "light", motion=True)
    view = show(models.silero_like())
    stft = item(view, "stft")
    view.toggle(stft)
    picture = view.picture()
    assert picture is not None
    assert picture.boxes.tolist() != picture.scene.boxes.tolist()

    def settled() -> bool:
        now = view.picture()
        return now is not None and now.boxes.tolist() == now.scene.boxes.tolist() and now.edge_opacity == 1.0

    qtbot.waitUntil(settled)
    view.fit()
    qtbot.waitUntil(lambda: view.camera() == view.fit_camera())
