"""Buttons on a screen of QT_SCALE_FACTOR pixels, held against their icons painted directly.

A program of its own, because the factor is read once. It prints the largest difference of grey
(0 to 255) by button, at the place where the icon fits best.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QPushButton, QWidget

from workbench.ui.buttons import button, icon_button
from workbench.ui.theme.apply import apply_theme, dress
from workbench.ui.theme.icons import CONTROL, icon, icon_size, paint_icon
from workbench.ui.theme.tokens import LIGHT

Greys = NDArray[np.int16]


def plain() -> QPushButton:
    made = QPushButton(icon("box", CONTROL, "text"), "Run")
    made.setIconSize(icon_size(CONTROL))
    return made


def greys(image: QImage) -> Greys:
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    return rows[:, : grey.width()].astype(np.int16)


def difference(shown: QAbstractButton, ink: str) -> int:
    page = QWidget()
    QHBoxLayout(page).addWidget(shown)
    dress(page)
    page.show()
    picture = page.grab(shown.geometry()).toImage()
    ratio = picture.devicePixelRatio()
    side = round(CONTROL * ratio)
    wanted = QImage(side, side, QImage.Format.Format_RGB32)
    wanted.setDevicePixelRatio(ratio)
    wanted.fill(QColor(picture.pixelColor(round(3 * ratio), picture.height() // 2)))
    painter = QPainter(wanted)
    paint_icon(painter, "box", QRectF(0, 0, CONTROL, CONTROL), ink)
    painter.end()
    places = sliding_window_view(greys(picture), (side, side))
    return int(np.abs(places - greys(wanted)).max(axis=(-2, -1)).min())


def main() -> None:
    app = QApplication(sys.argv)
    apply_theme(app, "light", motion=False)
    forms = {
        "QPushButton": (plain(), LIGHT.text),
        "button": (button("Run", "box"), LIGHT.text),
        "main button": (button("Run", "box", "main"), LIGHT.onaccent),
        "icon_button": (icon_button("box", "Run"), LIGHT.text2),
    }
    found = {name: difference(*form) for name, form in forms.items()}
    print(json.dumps({"ratio": app.devicePixelRatio(), "differences": found}))


if __name__ == "__main__":
    main()
