"""Short hands for painting text and lines of the charts."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from workbench.ui.theme.fonts import BODY, MEDIUM, SEMIBOLD, SMALL, TABLE, ui_font
from workbench.ui.theme.theme import theme

LEFT, RIGHT, CENTRE = 0.0, 1.0, 0.5
"""Where a text's anchor is, as a share of its width."""

WORDS: Final = (SMALL, SEMIBOLD)
HEADING: Final = (BODY, SEMIBOLD)
TITLE: Final = (TABLE, SEMIBOLD)
TICK: Final = (SMALL, MEDIUM)
NOTE: Final = (TABLE, MEDIUM)

Face = tuple[int, QFont.Weight]


def font(face: Face) -> QFont:
    """The font of ``face`` in the user's scale."""
    return _metrics_and_font(face, theme().scale)[1]


def width(text: str, face: Face) -> float:
    return metrics(face).horizontalAdvance(text)


def metrics(face: Face) -> QFontMetricsF:
    return _metrics_and_font(face, theme().scale)[0]


def write(painter: QPainter, x: float, y: float, text: str, face: Face, color: QColor, anchor: float = LEFT) -> QRectF:
    """Write ``text`` with its capitals centred on ``y``; returns the box of the text."""
    measure = metrics(face)
    wide = measure.horizontalAdvance(text)
    left = x - anchor * wide
    painter.setFont(font(face))
    painter.setPen(color)
    painter.drawText(QPointF(left, y + measure.capHeight() / 2), text)
    return QRectF(left, y - measure.height() / 2, wide, measure.height())


def hairline(painter: QPainter, x1: float, y1: float, x2: float, y2: float, color: QColor) -> None:
    """A horizontal or vertical line of one pixel, snapped to whole pixels."""
    pen = QPen(color, 1)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(pen)
    painter.drawLine(QLineF(round(x1), round(y1), round(x2), round(y2)).translated(0.5, 0.5))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


@lru_cache(maxsize=32)
def _metrics_and_font(face: Face, _scale: float) -> tuple[QFontMetricsF, QFont]:
    made = ui_font(*face)
    return QFontMetricsF(made), made
