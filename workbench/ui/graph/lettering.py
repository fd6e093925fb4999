"""Fonts and elided texts of the canvas, in design pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from workbench.ui.graph.sizes import Advances, Fonts
from workbench.ui.theme.fonts import (
    BODY,
    MEDIUM,
    MONO_FAMILY,
    REGULAR,
    SEMIBOLD,
    SMALL,
    TABLE,
    UI_FAMILY,
    design_font,
)
from workbench.ui.theme.theme import qcolor

Face = tuple[str, int, QFont.Weight]
TITLE: Final[Face] = (UI_FAMILY, BODY, SEMIBOLD)
LINE: Final[Face] = (UI_FAMILY, TABLE, REGULAR)
COUNT: Final[Face] = (UI_FAMILY, BODY, REGULAR)
VALUE: Final[Face] = (UI_FAMILY, TABLE, SEMIBOLD)
MONO: Final[Face] = (MONO_FAMILY, SMALL, REGULAR)
SMALL_TITLE: Final[Face] = (UI_FAMILY, SMALL, SEMIBOLD)
HINT: Final[Face] = (UI_FAMILY, BODY, MEDIUM)


@lru_cache(maxsize=32)
def metrics(face: Face) -> QFontMetricsF:
    return QFontMetricsF(design_font(*face))


@lru_cache(maxsize=8192)
def advance(text: str, face: Face) -> float:
    return metrics(face).horizontalAdvance(text)


def elided(text: str, face: Face, width: float, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> str:
    """``text`` within ``width`` design pixels; half a pixel more is let through."""
    return text if advance(text, face) <= width + 0.5 else _cut(text, face, int(width), mode)


@lru_cache(maxsize=8192)
def _cut(text: str, face: Face, width: int, mode: Qt.TextElideMode) -> str:
    return metrics(face).elidedText(text, mode, width)


def draw_text(painter: QPainter, x: float, middle: float, text: str, face: Face, color: str) -> None:
    """Plain text whose capitals stand about ``middle``."""
    painter.setFont(design_font(*face))
    painter.setPen(qcolor(color))
    painter.drawText(QPointF(x, middle + metrics(face).capHeight() / 2), text)


def measure_fonts() -> Fonts:
    """Advances of the fonts that sizes depend on. Needs a QGuiApplication with the fonts loaded."""
    return Fonts(_advances(TITLE), _advances(MONO))


def _advances(face: Face) -> Advances:
    characters = "".join(chr(code) for code in range(0x20, 0x250))
    narrow = {character: metrics(face).horizontalAdvance(character) for character in characters}
    return Advances(narrow, usual=metrics(face).averageCharWidth() * 1.2, wide=float(face[1]))
