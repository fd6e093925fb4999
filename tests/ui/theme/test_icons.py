"""Icons: which there are, their colours, their sharpness, their licence."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter
from PySide6.QtWidgets import QApplication, QPushButton

import tests
import workbench.ui
from tests.ui.theme import icons_on_a_screen
from workbench.core.errors import InternalError
from workbench.core.places import resources
from workbench.ui.theme.apply import apply_theme
from workbench.ui.theme.icons import icon, paint_icon
from workbench.ui.theme.tokens import DARK, LIGHT


def inks(image: QImage) -> set[str]:
    colors = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {color.name().upper() for color in colors if color.alpha() == 255}


def test_an_icon_takes_the_colour_of_its_token(app: QApplication) -> None:
    assert LIGHT.right.fg in inks(icon("wrench", 20, "right").pixmap(QSize(20, 20)).toImage())


def test_icons_follow_a_switch_of_the_theme(app: QApplication) -> None:
    button = QPushButton()
    button.setIcon(icon("square", 20, "text"))
    before = inks(button.icon().pixmap(QSize(24, 24)).toImage())
    apply_theme(app, "dark", motion=False)
    after = inks(button.icon().pixmap(QSize(24, 24)).toImage())
    assert LIGHT.text in before
    assert DARK.text in after


def test_a_disabled_icon_is_grey(app: QApplication) -> None:
    image = icon("square").pixmap(QSize(24, 24), QIcon.Mode.Disabled).toImage()
    assert LIGHT.border2 in inks(image)


@pytest.mark.parametrize("ratio", [1.5, 2.0])
def test_icons_of_buttons_are_as_sharp_as_painted_ones(ratio: float) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", icons_on_a_screen.__name__],
        env={**os.environ, "QT_SCALE_FACTOR": str(ratio)},
        cwd=Path(tests.__file__).parent.parent,
        capture_output=True,
        check=True,
    )
    told = json.loads(ended.stdout)
    assert told["ratio"] == ratio
    assert set(told["differences"].values()) == {0}, told


@pytest.mark.parametrize("zoom", [1.0, 1.7])
def test_a_painted_icon_stands_on_whole_pixels(app: QApplication, zoom: float) -> None:
    canvas = QImage(64, 64, QImage.Format.Format_ARGB32_Premultiplied)
    canvas.fill(Qt.GlobalColor.white)
    painter = QPainter(canvas)
    painter.translate(0.37, 0.61)
    painter.scale(zoom, zoom)
    paint_icon(painter, "square", QRectF(2, 2, 24, 24), "#FF0000", 16)
    painter.end()
    across = [canvas.pixelColor(x, round(14 * zoom)) for x in range(64)]
    assert len([color for color in across if color.green() < 255]) <= 8
    assert QColor("#FF0000") in across


def test_an_icon_that_is_not_there_is_an_error(app: QApplication) -> None:
    with pytest.raises(InternalError):
        icon("no-such-icon")


def test_a_token_that_is_not_there_is_an_error(app: QApplication) -> None:
    with pytest.raises(InternalError):
        icon("box", 16, "mauve")


def sources() -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in Path(workbench.ui.__file__).parent.rglob("*.py"))


def shipped() -> set[str]:
    return {file.stem for file in (resources() / "icons").glob("*.svg")}


def test_every_icon_named_in_the_window_is_shipped() -> None:
    asked = re.findall(r"""(?:\bicon|pixmap|paint_icon|_button)\(\s*(?:painter, )?"([a-z0-9-]+)\"""", sources())
    assert asked
    assert set(asked) <= shipped()


def test_every_icon_shipped_is_named_in_the_window() -> None:
    text = sources()
    assert {name for name in shipped() if f'"{name}"' not in text} == set()


def test_both_notices_of_the_icons_are_shipped() -> None:
    notice = (resources() / "icons" / "LICENSE").read_text(encoding="utf-8")
    assert "ISC License" in notice
    assert "Cole Bemis" in notice
    for name in ("Inter", "JetBrainsMono"):
        text = (resources() / "fonts" / f"LICENSE-{name}.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE" in text
