"""Lucide icons in the colours of the tokens, sharp at every device pixel ratio.

An icon names a token, not a colour, and looks the token up when it is painted: a switch of the
theme needs no new icons.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from workbench.core.errors import InternalError
from workbench.core.messages import msg
from workbench.core.places import resources
from workbench.ui.theme.theme import theme
from workbench.ui.theme.tokens import Ink, Tokens

BADGE, ROW, CONTROL, RAIL = 12, 14, 16, 20
"""Sizes in design pixels: in badges, in rows, in controls, in the rail."""

_STROKES: Final = ((20, 1.75), (13, 2.0), (0, 2.25))
"""Stroke width (of the 24 px drawing) from a size on: thinner when large, bolder in badges."""


def icon(name: str, size: int = CONTROL, ink: str = "text2") -> QIcon:
    """An icon for buttons and actions, ``size`` design pixels, in the colour of the token ``ink``.

    Disabled it takes the colour ``border2``. Raises InternalError where there is no such icon.
    """
    _source(name)
    color_of(theme().tokens, ink)
    return QIcon(_TokenIcon(name, size, ink))


def icon_size(size: int = CONTROL) -> QSize:
    """``size`` design pixels in the user's scale, for ``setIconSize``."""
    return QSize(theme().px(size), theme().px(size))


def paint_icon(painter: QPainter, name: str, rect: QRectF, color: str, size: int = CONTROL) -> None:
    """Paint an icon into ``rect`` (logical pixels) in ``color`` ("#RRGGBB").

    ``size`` is the design size, which decides the stroke. It is rendered at the size it has on
    the device, zoom included, and stands on whole device pixels.
    """
    device = painter.device()
    ratio = device.devicePixelRatioF() if device is not None else 1.0
    placed = painter.worldTransform().mapRect(rect)
    image = _image(name, max(1, round(placed.width() * ratio)), color, size)
    corner = QPointF(round(placed.left() * ratio) / ratio, round(placed.top() * ratio) / ratio)
    painter.save()
    painter.resetTransform()
    painter.drawImage(QRectF(corner, QSizeF(image.width() / ratio, image.height() / ratio)), image)
    painter.restore()


@lru_cache(maxsize=256)
def color_of(tokens: Tokens, token: str) -> str:
    """The colour of a token by name: "text2", "right" (its foreground), "wrong_solid.bg"."""
    name, _, part = token.partition(".")
    value = getattr(tokens, name, None)
    if isinstance(value, Ink):
        return value.bg if part == "bg" else value.fg
    if not isinstance(value, str):
        raise InternalError(msg("There is no colour token {token}", token=token))
    return value


def svg(name: str, color: str, size: int = CONTROL) -> str:
    """The drawing in ``color`` with the stroke for ``size``."""
    return _source(name).replace("currentColor", color).replace('stroke-width="2"', f'stroke-width="{_stroke(size)}"')


def _stroke(size: int) -> float:
    return next(width for least, width in _STROKES if size >= least)


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    file = resources() / "icons" / f"{name}.svg"
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise InternalError(msg("There is no icon {name}", name=name), where=str(file)) from error


@lru_cache(maxsize=2048)
def _image(name: str, side: int, color: str, size: int) -> QImage:
    """``side`` device pixels square."""
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg(name, color, size).encode())).render(painter, QRectF(0, 0, side, side))
    painter.end()
    return image


class _TokenIcon(QIconEngine):
    """Paints from the tokens of the moment."""

    def __init__(self, name: str, size: int, ink: str) -> None:
        super().__init__()
        self._name = name
        self._size = size
        self._ink = ink

    def _color(self, mode: QIcon.Mode) -> str:
        return color_of(theme().tokens, "border2" if mode == QIcon.Mode.Disabled else self._ink)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        square = QRectF(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side)
        paint_icon(painter, self._name, square, self._color(mode), self._size)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return size

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        """``size`` in window pixels, ``scale`` device pixels each; Qt sets the ratio itself (6.8 and later)."""
        side = max(1, round(min(size.width(), size.height()) * scale))
        return QPixmap.fromImage(_image(self._name, side, self._color(mode), self._size))

    def key(self) -> str:
        return "workbench-token-icon"

    def isNull(self) -> bool:
        return False

    def clone(self) -> QIconEngine:
        return _TokenIcon(self._name, self._size, self._ink)
