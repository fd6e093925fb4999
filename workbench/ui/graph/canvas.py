"""The painted graph kept as a pixmap: a pan shifts it and paints only the strips that come into view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QPainter, QPixmap

Draw = Callable[[QPainter, QRectF], None]

_FEW: Final = 4
"""With more stale rectangles, one around them all costs less: each is a search of the scene."""


class Canvas:
    """Holds the pixmap and which rectangles of it (device pixels) are out of date."""

    def __init__(self) -> None:
        self._pixmap = QPixmap()
        self._stale: list[QRect] = []

    def invalidate(self, area: QRectF | None = None) -> None:
        """``area`` (window pixels; None: everything) must be painted anew."""
        whole = self._pixmap.rect()
        if area is None:
            self._stale = [whole]
            return
        ratio = self._pixmap.devicePixelRatio()
        grown = QRectF(area.left() * ratio, area.top() * ratio, area.width() * ratio, area.height() * ratio)
        self._add(grown.toAlignedRect().adjusted(-1, -1, 1, 1).intersected(whole))

    def scroll(self, dx: float, dy: float) -> None:
        """Shift by window pixels that are whole device pixels."""
        ratio = self._pixmap.devicePixelRatio()
        across, down = round(dx * ratio), round(dy * ratio)
        whole = self._pixmap.rect()
        width, height = whole.width(), whole.height()
        if abs(across) >= width or abs(down) >= height:
            self.invalidate()
            return
        self._pixmap.scroll(across, down, whole)
        self._stale = [area.translated(across, down).intersected(whole) for area in self._stale]
        if across:
            self._add(QRect(0 if across > 0 else width + across, 0, abs(across), height))
        if down:
            self._add(QRect(0, 0 if down > 0 else height + down, width, abs(down)))

    def paint(self, target: QPainter, size: QSize, ratio: float, draw: Draw) -> None:
        """Bring the pixmap up to date with ``draw`` and put it on ``target``."""
        wanted = QSize(round(size.width() * ratio), round(size.height() * ratio))
        if self._pixmap.size() != wanted or self._pixmap.devicePixelRatio() != ratio:
            self._pixmap = QPixmap(wanted)
            self._pixmap.setDevicePixelRatio(ratio)
            self._stale = [self._pixmap.rect()]
        for stale in self._stale:
            area = QRectF(stale.x() / ratio, stale.y() / ratio, stale.width() / ratio, stale.height() / ratio)
            painter = QPainter(self._pixmap)
            painter.setClipRect(area)
            draw(painter, area)
            painter.end()
        self._stale = []
        target.drawPixmap(0, 0, self._pixmap)

    def _add(self, area: QRect) -> None:
        if area.isEmpty() or any(known.contains(area) for known in self._stale):
            return
        self._stale.append(area)
        if len(self._stale) > _FEW:
            around = self._stale[0]
            for other in self._stale[1:]:
                around = around.united(other)
            self._stale = [around]
