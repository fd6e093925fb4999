"""A strip of shares: how much of a whole falls to each verdict or bit width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.theme.icons import color_of
from workbench.ui.theme.theme import qcolor, theme

_GAP: Final = 2
_LEAST: Final = 6
"""A share that is there shows, however small: one wrong op of 5,000 must not vanish."""


@dataclass(frozen=True, slots=True)
class Share:
    """``amount`` in any unit; ``color`` is a "#RRGGBB"."""

    amount: float
    color: str


def share_widths(amounts: Sequence[float], width: float) -> list[float]:
    """Widths that fill ``width`` with gaps between; proportional, but none that counts is very narrow.

    Amounts of 0 get 0 and no gap. Where there is no room for the least width each, all get the same.
    """
    present = [amount for amount in amounts if amount > 0]
    room = width - _GAP * (len(present) - 1)
    if not present or room <= 0:
        return [0.0] * len(amounts)
    if room <= _LEAST * len(present):
        return [room / len(present) if amount > 0 else 0.0 for amount in amounts]
    total = sum(present)
    spare = room - _LEAST * len(present)
    wanted = [max(0.0, amount / total * room - _LEAST) if amount > 0 else 0.0 for amount in amounts]
    scale = spare / sum(wanted) if sum(wanted) else 0.0
    return [_LEAST + want * scale if amount > 0 else 0.0 for amount, want in zip(amounts, wanted, strict=True)]


def paint_shares(painter: QPainter, box: QRectF, shares: Sequence[Share]) -> None:
    """Paint ``shares`` left to right into ``box``, each with round ends."""
    painter.setPen(Qt.PenStyle.NoPen)
    left, radius = box.left(), box.height() / 2
    for share, width in zip(shares, share_widths([s.amount for s in shares], box.width()), strict=True):
        if width > 0:
            painter.setBrush(qcolor(share.color))
            painter.drawRoundedRect(QRectF(left, box.top(), width, box.height()), radius, radius)
            left += width + _GAP


class ShareStrip(QWidget):
    """The strip as a widget, 6 high; ``set_shares`` takes amounts with token names."""

    HEIGHT: Final = 6

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: tuple[tuple[float, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_shares(self, shares: Sequence[tuple[float, str]], description: str) -> None:
        """``shares``: amount and token ("right", "wrong_solid.bg"); ``description`` is read aloud."""
        self._shares = tuple(shares)
        self.setAccessibleName(description)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(160), theme().px(self.HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = theme().tokens
        box = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        if not self._shares:
            painter.setBrush(qcolor(tokens.sunken))
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        paint_shares(painter, box, [Share(amount, color_of(tokens, name)) for amount, name in self._shares])
