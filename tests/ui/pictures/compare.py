"""Whether two pictures look the same: block by block, so that antialiasing passes and a moved widget does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter

BLOCK: Final = 8
MOST: Final = 12.0
"""Mean absolute difference of a block's channels, 0 to 255. FreeType of another version changes a glyph's
block by less than 8; text one pixel aside by 20 and more."""
MOST_FLAT: Final = 3.0
"""The same between two blocks of one colour each: there is nothing to antialias, so the colour is another."""
_EVEN: Final = 3
"""Least and largest value of a channel in a block of one colour differ by no more."""

Pixels = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Difference:
    """``areas``: what differs, blocks side by side taken together, the largest first."""

    areas: tuple[QRect, ...]
    image: QImage

    def __bool__(self) -> bool:
        return bool(self.areas)

    def words(self) -> str:
        """Where, in pixels of the picture."""
        shown = [f"{a.width()}x{a.height()} at {a.x()},{a.y()}" for a in self.areas[:8]]
        more = len(self.areas) - len(shown)
        return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")


def difference(golden: QImage, actual: QImage, masks: Iterable[QRect] = (), most: float = MOST) -> Difference:
    """Where ``actual`` looks other than ``golden``; ``masks`` are not looked at."""
    if golden.size() != actual.size():
        return Difference((actual.rect(),), actual)
    blocks = _differing(pixels(golden), pixels(actual), most)
    for mask in masks:
        blocks[mask.top() // BLOCK : mask.bottom() // BLOCK + 1, mask.left() // BLOCK : mask.right() // BLOCK + 1] = (
            False
        )
    return Difference(_areas(blocks, golden.rect()), _marked(actual, blocks))


def pixels(image: QImage) -> Pixels:
    """(height, width, 3), as red, green, blue."""
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
    return rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).astype(np.int16)


def _differing(golden: Pixels, actual: Pixels, most: float) -> NDArray[np.bool_]:
    apart = _blocks(np.abs(golden - actual)).mean((2, 3, 4))
    flat = _is_even(golden) & _is_even(actual)
    found: NDArray[np.bool_] = np.where(flat, apart > MOST_FLAT, apart > most)
    return found


def _blocks(pixels: Pixels) -> NDArray[Any]:
    """(rows, columns, BLOCK, BLOCK, 3); a block at the edge is filled up with its last pixels."""
    height, width, _ = pixels.shape
    padded = np.pad(pixels, ((0, -height % BLOCK), (0, -width % BLOCK), (0, 0)), mode="edge")
    rows, columns = padded.shape[0] // BLOCK, padded.shape[1] // BLOCK
    return padded.reshape(rows, BLOCK, columns, BLOCK, 3).swapaxes(1, 2)


def _is_even(pixels: Pixels) -> NDArray[np.bool_]:
    blocks = _blocks(pixels)
    even: NDArray[np.bool_] = (blocks.max((2, 3)) - blocks.min((2, 3)) <= _EVEN).all(-1)
    return even


def _areas(blocks: NDArray[np.bool_], whole: QRect) -> tuple[QRect, ...]:
    """Rectangles around blocks that touch, the largest first."""
    left = {(int(row), int(column)) for row, column in np.argwhere(blocks)}
    areas: list[QRect] = []
    while left:
        pending, area = [left.pop()], QRect()
        while pending:
            row, column = pending.pop()
            area = area.united(QRect(column * BLOCK, row * BLOCK, BLOCK, BLOCK))
            near = {(row + down, column + aside) for down in (-1, 0, 1) for aside in (-1, 0, 1)} & left
            left -= near
            pending += near
        areas.append(area.intersected(whole))
    return tuple(sorted(areas, key=lambda area: -area.width() * area.height()))


def _marked(actual: QImage, blocks: NDArray[np.bool_]) -> QImage:
    """``actual`` pale, what differs as it is with a red line around."""
    image = actual.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.fillRect(image.rect(), QColor(255, 255, 255, 190))
    painter.setPen(QColor(220, 0, 0))
    for row, column in np.argwhere(blocks).tolist():
        box = QRect(column * BLOCK, row * BLOCK, BLOCK, BLOCK)
        painter.drawImage(box, actual, box)
        painter.drawRect(box.adjusted(0, 0, -1, -1))
    painter.end()
    return image
