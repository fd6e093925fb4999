"""A theme on the application: fonts, palette, style sheet, live switching."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QFontMetricsF, QImage, QPalette
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

import workbench.ui
from workbench.ui.theme.apply import apply_theme, dress
from workbench.ui.theme.contrast import contrast
from workbench.ui.theme.fonts import MEDIUM, MONO_FAMILY, REGULAR, SEMIBOLD, mono_font, ui_font
from workbench.ui.theme.theme import theme
from workbench.ui.theme.tokens import DARK, LIGHT


def pixel_at(image: QImage, x: int, y: int) -> str:
    return image.pixelColor(x, y).name().upper()


def test_the_three_weights_of_the_interface_font_differ(app: QApplication) -> None:
    widths = [
        QFontMetricsF(ui_font(13, weight)).horizontalAdvance("Computed wrongly")
        for weight in (REGULAR, MEDIUM, SEMIBOLD)
    ]
    assert widths[0] < widths[1] < widths[2]
    assert QFontInfo(ui_font()).family() == "Inter"


def test_digits_are_all_of_one_width(app: QApplication) -> None:
    metrics = QFontMetricsF(ui_font(13))
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("8888")


def test_a_hyphen_in_a_word_is_narrower_than_a_digit_and_a_minus_is_as_wide(app: QApplication) -> None:
    for weight in (REGULAR, MEDIUM, SEMIBOLD):
        metrics = QFontMetricsF(ui_font(13, weight))
        assert metrics.horizontalAdvance("-") < 0.8 * metrics.horizontalAdvance("8")
        assert metrics.horizontalAdvance("\N{MINUS SIGN}") == metrics.horizontalAdvance("8")


def test_the_mono_font_is_mono_and_joins_no_signs(app: QApplication) -> None:
    metrics = QFontMetricsF(mono_font())
    assert QFontInfo(mono_font()).family() == MONO_FAMILY
    assert metrics.horizontalAdvance("->") == pytest.approx(2 * metrics.horizontalAdvance("-"))
    assert metrics.horizontalAdvance("iiii") == metrics.horizontalAdvance("MMMM")


def test_the_user_scale_multiplies_fonts_and_heights(app: QApplication) -> None:
    button = QPushButton("Run")
    dress(button)
    button.ensurePolished()
    small = button.sizeHint().height()
    apply_theme(app, "light", scale=1.5, motion=False)
    dress(button)
    assert app.font().pixelSize() == round(13 * 1.5)
    assert button.sizeHint().height() == pytest.approx(small * 1.5, abs=2)


def test_a_scale_out_of_range_is_kept_within(app: QApplication) -> None:
    assert apply_theme(app, "light", scale=9).scale == 1.5
    assert apply_theme(app, "light", scale=0.1).scale == 0.9


def test_buttons_and_fields_are_28_high(app: QApplication) -> None:
    for widget in (QPushButton("Run"), QLineEdit(), QComboBox()):
        dress(widget)
        widget.ensurePolished()
        assert widget.sizeHint().height() == 28, type(widget).__name__


def test_switching_to_dark_repaints_what_is_open(app: QApplication) -> None:
    window = QWidget()
    layout = QVBoxLayout(window)
    layout.addWidget(QPushButton("Run"))
    window.resize(200, 100)
    dress(window)
    window.show()
    before = window.grab().toImage()
    apply_theme(app, "dark", motion=False)
    dress(window)
    after = window.grab().toImage()
    assert pixel_at(before, 2, 2) == LIGHT.panel
    assert pixel_at(after, 2, 2) == DARK.panel
    assert theme().is_dark


def test_the_palette_follows_the_tokens(app: QApplication) -> None:
    colors = app.palette()
    assert colors.color(QPalette.ColorRole.Window).name().upper() == LIGHT.panel
    assert colors.color(QPalette.ColorGroup.Inactive, QPalette.ColorRole.Highlight).name().upper() == LIGHT.sel_off
    disabled = colors.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text).name()
    assert disabled.upper() == LIGHT.border2


@pytest.mark.parametrize("kind", ["", "main", "soft", "flat"])
def test_disabled_buttons_look_disabled(app: QApplication, kind: str) -> None:
    button = QPushButton("Run")
    button.setProperty("kind", kind)
    dress(button)
    button.resize(80, 28)
    enabled = button.grab().toImage()
    button.setEnabled(False)
    assert button.grab().toImage() != enabled


@pytest.mark.parametrize("make", [QPushButton, QLineEdit, QComboBox, QCheckBox])
def test_focus_shows_on_every_control(app: QApplication, qtbot: QtBot, make: type[QWidget]) -> None:
    window = QWidget()
    layout = QVBoxLayout(window)
    other, control = QLineEdit(), make()
    layout.addWidget(other)
    layout.addWidget(control)
    dress(window)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    other.setFocus(Qt.FocusReason.TabFocusReason)
    before = control.grab().toImage()
    control.setFocus(Qt.FocusReason.TabFocusReason)
    assert control.hasFocus()
    after = control.grab().toImage()
    assert before != after
    colors = {pixel_at(after, x, y) for x in range(after.width()) for y in range(after.height())}
    assert LIGHT.ring in colors


def test_the_main_button_is_the_accent(app: QApplication) -> None:
    button = QPushButton("")
    button.setProperty("kind", "main")
    dress(button)
    button.resize(80, 28)
    assert pixel_at(button.grab().toImage(), 40, 14) == LIGHT.accent


def test_a_check_mark_is_painted_in_a_colour_that_shows(app: QApplication) -> None:
    box = QCheckBox("Static shapes")
    box.setChecked(True)
    dress(box)
    image = box.grab().toImage()
    colors = [pixel_at(image, x, y) for x in range(20) for y in range(image.height())]
    assert LIGHT.accent in colors
    assert max(contrast(LIGHT.accent, color) for color in colors) > 4


def test_colours_are_written_down_in_one_place() -> None:
    root = Path(workbench.ui.__file__).parent
    literal = re.compile(r"#[0-9A-Fa-f]{6}\b")
    scattered = [
        str(file.relative_to(root))
        for file in root.rglob("*.py")
        if file.name != "tokens.py" and set(literal.findall(file.read_text(encoding="utf-8"))) - {"#000000"}
    ]
    assert scattered == []


def test_nobody_else_sets_a_style_sheet() -> None:
    root = Path(workbench.ui.__file__).parent
    own = [
        str(file.relative_to(root))
        for file in root.rglob("*.py")
        if ".setStyleSheet(" in file.read_text(encoding="utf-8") and file.name != "apply.py"
    ]
    assert own == []
