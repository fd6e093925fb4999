"""What a graph view shows, whoever asks: selections from outside, late knowledge, sizes, moves."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.graph import models
from tests.ui.graph.acting import LEFT, Show, item, point, titles
from workbench.ui.graph.floats import ZoomControl
from workbench.ui.graph.overlay import Overlay
from workbench.ui.theme.apply import apply_theme, dress
from workbench.ui.widgets.badge import BadgeLabel


def test_fit_leaves_room_for_what_floats(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    view.fit()
    boxes = [view.window_box(n) for n in range(60) if view.window_box(n) is not None]
    assert max(box.bottom() for box in boxes if box) <= view.height() - view.bottom_room() + 1
    assert min(box.left() for box in boxes if box) >= 15


def test_selecting_from_outside_opens_groups_and_scrolls(show: Show, qtbot: QtBot) -> None:
    model = models.transformer(6)
    view = show(model)
    qtbot.waitUntil(lambda: view.hierarchy() is not None)  # laid out on a thread
    deep = next(n for n in reversed(model.nodes) if n.op == "Softmax")
    assert view.window_box(item(view, deep.id)) is None
    assert view.select(deep.id)
    qtbot.waitUntil(lambda: view.window_box(item(view, deep.id)) is not None)
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


def test_the_legend_is_there_at_every_width_and_its_rest_behind_the_arrow(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    legend = next(child for child in view.findChildren(QWidget) if child.accessibleName() == "Legend")
    zoom = next(child for child in view.findChildren(ZoomControl))
    arrow = next(child for child in legend.findChildren(QToolButton))
    for width in (1000, 600, 440, 360):
        view.resize(width, 500)
        assert legend.isVisible()
        assert not legend.geometry().intersects(zoom.geometry())
    shown = [key.accessibleName() for key in legend.findChildren(BadgeLabel) if key.isVisible()]
    assert shown[0] == "Right"
    assert "Unsupported" not in shown
    view.resize(600, 500)
    arrow.click()
    shown = [key.accessibleName() for key in legend.findChildren(BadgeLabel) if key.isVisible()]
    assert "Unsupported" in shown
    assert not legend.geometry().intersects(zoom.geometry().adjusted(8, 8, -8, -8))
    view.set_overlay(Overlay.NONE)
    assert not legend.isVisible()


def test_the_user_scale_zooms_the_graph_and_not_the_per_cent(show: Show, app: QApplication) -> None:
    view = show(models.silero_like())
    view.set_zoom(1.0)
    narrow = view.window_box(item(view, "LSTM"))
    apply_theme(app, "light", scale=1.5, motion=False)
    dress(view)
    wide = view.window_box(item(view, "LSTM"))
    assert narrow is not None
    assert wide is not None
    assert wide.width() == pytest.approx(narrow.width() * 1.5)
    assert view.camera().zoom == 1.0


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
