"""The window looks as it did when its pictures were last looked at."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QFontDatabase, QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from tests.ui.pictures import goldens, scenes
from tests.ui.pictures.compare import MOST, difference
from tests.ui.pictures.sitting import Sitting
from tests.ui.window.test_looks import has_words
from workbench.ui.theme.apply import apply_theme
from workbench.ui.theme.fonts import CHINESE, ui_font
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.labels import ElidedLabel

GOLDEN_CHINESE = CHINESE[0]
"""The family that the Chinese picture was taken with."""
MOST_CHINESE = 2 * MOST
"""Releases of a family differ in their outlines a little."""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_window_looks_as_it_did(app: QApplication, theme: str) -> None:
    found = {scene.name: goldens.compared(scene) for scene in scenes.take(app, theme)}
    assert len(found) == 5
    told = [f"{name}: {one.words()}" for name, one in found.items() if one]
    assert not told, f"{told}; look at *.diff.png in {goldens.FOLDER}"


def test_the_window_looks_as_it_did_in_chinese(app: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held against the picture where its font is there; every machine's font must leave no word cut."""
    cut: list[str] = []

    def check(sitter: Sitting) -> None:
        show(sitter)
        sitter.picture()
        cut.extend(cut_words(sitter))

    show: Callable[[Sitting], None] = scenes._check
    monkeypatch.setattr(scenes, "_check", check)
    scene = scenes.take_chinese(app)
    assert cut == []
    if GOLDEN_CHINESE in QFontDatabase.families():
        found = goldens.compared(scene, MOST_CHINESE)
        assert not found, found.words()


def cut_words(sitter: Sitting) -> list[str]:
    """Words that have less room than they need."""
    buttons = [one for one in sitter.window.findChildren(QAbstractButton) if one.isVisible() and has_words(one)]
    labels = [
        one
        for one in sitter.window.findChildren(QLabel)
        if one.isVisible() and one.text() and not one.wordWrap() and not isinstance(one, ElidedLabel)
    ]
    return [one.text() for one in (*buttons, *labels) if one.width() < one.sizeHint().width()]


def drawn(app: QApplication, *, left: int = 40, fill: str = LIGHT.accent, text: str = "Convert") -> QImage:
    """A button on a panel."""
    apply_theme(app, "light", motion=False)
    image = QImage(320, 120, QImage.Format.Format_RGB888)
    image.fill(QColor(LIGHT.panel))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(fill))
        painter.setPen(QColor(fill))
        box = QRect(left, 40, 120, 28)
        painter.drawRoundedRect(box, 6, 6)
        painter.setPen(QColor(LIGHT.onaccent))
        painter.setFont(ui_font())
        painter.drawText(box, 0x84, text)
    return image


def test_the_same_picture_is_the_same(app: QApplication) -> None:
    assert not difference(drawn(app), drawn(app))


@pytest.mark.parametrize("by", [1, 4, 40])
def test_a_button_that_was_moved_is_found(app: QApplication, by: int) -> None:
    found = difference(drawn(app), drawn(app, left=40 + by))
    assert found
    assert found.areas[0].intersects(QRect(40, 40, 120 + by, 28))


def test_a_colour_that_was_changed_a_little_is_found(app: QApplication) -> None:
    accent = QColor(LIGHT.accent)
    near = QColor(accent.red() + 6, accent.green() + 6, accent.blue() + 6)
    found = difference(drawn(app), drawn(app, fill=near.name()))
    assert found.areas[0].contains(QPoint(56, 52))


def test_another_word_is_found_and_its_place_named(app: QApplication) -> None:
    found = difference(drawn(app), drawn(app, text="Control"))
    assert found
    assert all(QRect(40, 40, 120, 32).contains(area) for area in found.areas)
    assert " at " in found.words()


def test_what_antialiasing_may_change_is_not_found(app: QApplication) -> None:
    """Every pixel at an edge a little lighter, as another FreeType would have it."""
    image = drawn(app)
    other = QImage(image)
    plain = {QColor(LIGHT.panel).rgb(), QColor(LIGHT.accent).rgb(), QColor(LIGHT.onaccent).rgb()}
    for x in range(image.width()):
        for y in range(image.height()):
            if image.pixel(x, y) not in plain:
                other.setPixelColor(x, y, image.pixelColor(x, y).lighter(108))
    assert other != image
    assert not difference(image, other)


def test_a_mask_hides_what_is_of_this_machine_alone(app: QApplication) -> None:
    assert not difference(drawn(app), drawn(app, left=44), [QRect(32, 32, 144, 48)])


def test_a_picture_of_another_size_differs_as_a_whole(app: QApplication) -> None:
    image = drawn(app)
    assert difference(image, image.copy(0, 0, 100, 100)).areas == (QRect(0, 0, 100, 100),)


def test_a_failed_comparison_leaves_the_picture_and_what_differs(
    app: QApplication, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goldens, "FOLDER", tmp_path)
    goldens.keep(scenes.Scene("button", drawn(app), ()))
    assert not goldens.compared(scenes.Scene("button", drawn(app), ()))
    assert goldens.compared(scenes.Scene("button", drawn(app, left=60), ()))
    assert QImage(str(tmp_path / "button.actual.png")) == drawn(app, left=60).convertToFormat(
        QImage.Format.Format_RGB32
    )
    assert not QImage(str(tmp_path / "button.diff.png")).isNull()
