"""What is painted: pixels that must have a colour, and pictures that must be equal."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QRectF
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from tests.ui.graph import models
from tests.ui.graph.acting import Show
from workbench.core.graph import Graph
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.view import GraphView
from workbench.ui.text import set_translator
from workbench.ui.theme.apply import apply_theme, dress
from workbench.ui.theme.tokens import DARK, LIGHT


@pytest.fixture
def show(show: Show) -> Show:
    """At 100 %, with room for all of a small graph."""

    def make(model: Graph) -> GraphView:
        view = show(model)
        view.resize(1100, 800)
        view.set_zoom(1.0)
        return view

    return make


def box(view: GraphView, op: str) -> QRectF:
    hierarchy = view.hierarchy()
    assert hierarchy is not None
    found = view.window_box(next(n for n, item in enumerate(hierarchy.items) if item.title == op))
    assert found is not None
    return found


def colors(image: QImage, area: QRectF) -> set[str]:
    around = area.toAlignedRect().intersected(image.rect())
    return {
        image.pixelColor(x, y).name().upper()
        for x in range(around.left(), around.right() + 1)
        for y in range(around.top(), around.bottom() + 1)
    }


def has_near(found: set[str], color: str, off: int = 4) -> bool:
    wanted = QColor(color)
    return any(
        max(abs(c.red() - wanted.red()), abs(c.green() - wanted.green()), abs(c.blue() - wanted.blue())) <= off
        for c in map(QColor, found)
    )


def test_a_wrong_node_has_a_solid_badge_inside_and_a_heavy_border(show: Show) -> None:
    model = models.silero_like()
    view = show(model)
    view.set_verdicts(models.silero_verdicts(model))
    view.select(next(n.id for n in model.nodes if n.op == "LSTM"))
    view.clear_selection()
    image, lstm = view.grab().toImage(), box(view, "LSTM")
    border = [image.pixelColor(round(lstm.left()) + step, round(lstm.center().y())).name().upper() for step in range(3)]
    assert border == [LIGHT.wrong_solid.bg, LIGHT.wrong_solid.bg, LIGHT.raised]
    badge = image.pixelColor(round(lstm.right()) - 12, round(lstm.top()) + 16)
    assert badge.name().upper() == LIGHT.wrong_solid.bg
    inset = [image.pixelColor(round(lstm.right()) - step, round(lstm.top()) + 16).name().upper() for step in (4, 6, 8)]
    assert inset == [LIGHT.raised] * 3


def test_a_healthy_node_is_quiet(show: Show) -> None:
    model = models.silero_like()
    view = show(model)
    view.set_verdicts(models.silero_verdicts(model))
    view.select(next(n.id for n in model.nodes if n.name == "/decoder/Squeeze"))
    view.clear_selection()
    found = colors(view.grab().toImage(), box(view, "Squeeze").adjusted(2, 2, -2, -2))
    assert has_near(found, LIGHT.right.fg)
    assert not has_near(found, LIGHT.wrong_solid.bg)


def test_the_selection_is_a_ring_outside_its_node(show: Show) -> None:
    model = models.silero_like()
    view = show(model)
    view.select(next(n.id for n in model.nodes if n.op == "LSTM"))
    image, lstm = view.grab().toImage(), box(view, "LSTM")
    row = round(lstm.center().y())
    left = [image.pixelColor(round(lstm.left()) + step, row).name().upper() for step in (-3, -2, -1)]
    assert left[:2] == [LIGHT.ring, LIGHT.ring]
    assert left[2] != LIGHT.ring


def test_bits_tint_the_whole_node(show: Show) -> None:
    model = models.silero_like()
    view = show(model)
    conv = next(n for n in model.nodes if n.name == "/stft/Conv")
    view.set_bits({conv.id: 4})
    view.set_overlay(Overlay.BITS)
    view.select(conv.id)
    image, where = view.grab().toImage(), box(view, "Conv")
    assert image.pixelColor(round(where.left()) + 4, round(where.bottom()) - 6).name().upper() == LIGHT.bits.b4


def test_text_stays_inside_its_node(show: Show, app: QApplication) -> None:
    model = models.graph(
        [models.node("/" + "very_long_name_" * 9, "SkipSimplifiedLayerNormalizationWithBias" * 2, ["x"], ["y"])],
        [models.tensor("x", 1)],
    )
    for mode in ("light", "dark"):
        apply_theme(app, mode, motion=False)
        view = show(model)
        where = box(view, "SkipSimplifiedLayerNormalizationWithBias" * 2)
        inside = where.adjusted(2, 6, -2, -6)
        inside.setLeft(inside.right() - 7)
        assert len(colors(view.grab().toImage(), inside)) == 1
        view.close()


def test_a_pan_paints_what_a_fresh_painting_would(show: Show) -> None:
    view = show(models.transformer(4))
    view.grab()
    for dx, dy in ((13, -40), (-200, 7), (3, 250), (-1, -1)):
        view.pan(dx, dy)
        view.grab()
    panned = view.grab().toImage()
    view.repaint_all()
    assert panned == view.grab().toImage()


def test_marking_what_the_pointer_is_on_paints_what_a_fresh_painting_would(show: Show) -> None:
    view = show(models.silero_like())
    view.grab()
    view.hover(box(view, "stft").center())
    marked = view.grab().toImage()
    view.repaint_all()
    assert marked == view.grab().toImage()
    view.hover(None)
    assert view.grab().toImage() != marked


@pytest.mark.parametrize("zoom", [0.1, 0.3, 0.34, 0.36, 0.5, 0.69, 0.71, 1.0, 2.5])
def test_every_level_of_detail_paints(show: Show, zoom: float) -> None:
    model = models.silero_like()
    view = show(model)
    view.set_verdicts(models.silero_verdicts(model))
    view.select(next(n.id for n in model.nodes if n.op == "LSTM"))
    view.set_zoom(zoom)
    found = colors(view.grab().toImage(), box(view, "LSTM").adjusted(-4, -4, 4, 4))
    assert has_near(found, LIGHT.ring, 40)
    assert has_near(found, LIGHT.wrong_solid.bg, 40)


def test_hostile_names_are_painted_as_text(show: Show) -> None:
    view = show(models.oddly_named())
    for zoom in (0.5, 1.0):
        view.set_zoom(zoom)
        assert not view.grab().isNull()


def test_a_switch_of_the_theme_paints_anew(show: Show, app: QApplication) -> None:
    view = show(models.silero_like())
    assert view.grab().toImage().pixelColor(3, 300).name().upper() == LIGHT.canvas
    apply_theme(app, "dark", motion=False)
    dress(view)
    assert view.grab().toImage().pixelColor(3, 300).name().upper() == DARK.canvas


def test_other_words_are_painted_after_a_change_of_language(show: Show, app: QApplication) -> None:
    model = models.silero_like()
    view = show(model)
    view.set_verdicts(models.silero_verdicts(model))
    before = view.grab().toImage()
    set_translator(lambda text: "错误" if text == "Wrong" else text)
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert view.grab().toImage() != before
