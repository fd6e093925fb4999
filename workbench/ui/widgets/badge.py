"""Badges and chips: a word with a shape and a colour, as values, painted and as widgets.

``paint_badge`` and ``badge_width`` work in design pixels, so that the graph can zoom them;
widgets and delegates scale the painter by ``theme().scale``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.messages import msg, plain
from workbench.core.plan import FLOAT_BITS
from workbench.core.verdict import Status
from workbench.ui.text import say, tr
from workbench.ui.theme.contrast import on_data
from workbench.ui.theme.fonts import MEDIUM, SEMIBOLD, SMALL, UI_FAMILY, design_font
from workbench.ui.theme.icons import BADGE, paint_icon
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.theme.tokens import Ink, Tokens, verdict_form
from workbench.ui.widgets.roles import install_roles

HEIGHT: Final = 20
NODE_HEIGHT: Final = 18
_RADIUS: Final = 4
_PADDING: Final = 6
_GAP: Final = 4


@dataclass(frozen=True, slots=True)
class Badge:
    """What to paint: colours are "#RRGGBB", "" for none. ``wrench``: an exact fix exists."""

    text: str
    ink: str
    fill: str = ""
    outline: str = ""
    icon: str = ""
    bold: bool = True
    wrench: bool = False

    @property
    def padding(self) -> int:
        """Badges without a box align their text with what is around them."""
        return _PADDING if self.fill or self.outline else 0


def status_word(status: Status) -> str:
    """The one word for a status, in the user's language."""
    return say(status.word)


def status_count(status: Status, count: int) -> str:
    """ "1 wrong", "3 unsupported": what a group says of its worst children."""
    counted = {
        Status.RIGHT: msg("{n} right", n=count),
        Status.CONDITION: msg("{n} with condition", n=count),
        Status.WRONG: msg("{n} wrong", n=count),
        Status.CRASH: msg("{n} crash", n=count),
        Status.HANG: msg("{n} hang", n=count),
        Status.UNSUPPORTED: msg("{n} unsupported", n=count),
        Status.NOT_CHECKED: msg("{n} not checked", n=count),
        Status.FIXED: msg("{n} fixed", n=count),
    }
    return say(counted[status])


def verdict_badge(tokens: Tokens, status: Status, *, fixable: bool = False, text: str = "") -> Badge:
    """The badge of ``status``; ``text`` takes the place of its word ("1 wrong")."""
    form = verdict_form(tokens, status)
    word = text or status_word(status)
    wrench = fixable and status is not Status.FIXED
    return Badge(word, form.ink, form.fill, form.outline, form.icon, form.bold, wrench=wrench)


def tint_badge(ink: Ink, text: str, icon: str = "") -> Badge:
    """A quiet badge on a tint: "Ready" in ``tokens.right``, "Fallback" in ``tokens.condition``."""
    return Badge(plain(text), ink.fg, ink.bg, "", icon)


def plain_badge(tokens: Tokens, text: str) -> Badge:
    """A neutral tag: "Float", "×4 identical", a key."""
    return Badge(plain(text), tokens.text2, tokens.sunken, tokens.border, bold=False)


def bits_badge(tokens: Tokens, bits: int, text: str = "") -> Badge:
    """The chip of a layer's bits, text on the fill of the bits; outlined where it would vanish."""
    fill = tokens.bits.fill(bits)
    pale = bits == FLOAT_BITS
    return Badge(text or bits_word(bits), on_data(fill), fill, tokens.border2 if pale else "")


def bits_word(bits: int) -> str:
    """ "float", "4 bit"."""
    return tr("float") if bits == FLOAT_BITS else tr("{n} bit", n=bits)


@lru_cache(maxsize=4096)
def badge_width(badge: Badge) -> float:
    """Design pixels; the same for every height."""
    width = 2.0 * badge.padding + _metrics(badge.bold).horizontalAdvance(badge.text)
    if badge.icon:
        width += BADGE + _GAP
    if badge.wrench:
        width += BADGE + _GAP
    return width


def paint_badge(painter: QPainter, x: float, y: float, badge: Badge, height: int = HEIGHT, least: float = 0.0) -> None:
    """Paint at design pixels (``x``, ``y``), the upper left corner, at least ``least`` wide."""
    own = badge_width(badge)
    box = QRectF(x, y, max(own, least), height)
    if badge.fill or badge.outline:
        painter.setPen(QPen(qcolor(badge.outline), 1) if badge.outline else Qt.PenStyle.NoPen)
        painter.setBrush(qcolor(badge.fill) if badge.fill else Qt.BrushStyle.NoBrush)
        inset = 0.5 if badge.outline else 0.0
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), _RADIUS, _RADIUS)
    left = x + badge.padding + max(0.0, least - own) / 2
    top = y + (height - BADGE) / 2
    if badge.icon:
        paint_icon(painter, badge.icon, QRectF(left, top, BADGE, BADGE), badge.ink, BADGE)
        left += BADGE + _GAP
    metrics = _metrics(badge.bold)
    painter.setFont(design_font(UI_FAMILY, SMALL, SEMIBOLD if badge.bold else MEDIUM))
    painter.setPen(qcolor(badge.ink))
    baseline = y + (height + metrics.capHeight()) / 2
    painter.drawText(QPointF(left, baseline), badge.text)
    if badge.wrench:
        right = box.right() - badge.padding - BADGE
        paint_icon(painter, "wrench", QRectF(right, top, BADGE, BADGE), badge.ink, BADGE)


@lru_cache(maxsize=2)
def _metrics(bold: bool) -> QFontMetricsF:
    return QFontMetricsF(design_font(UI_FAMILY, SMALL, SEMIBOLD if bold else MEDIUM))


class BadgeLabel(QWidget):
    """A badge as a widget. Subclasses make the badge from the tokens of the moment."""

    accessible_role = QAccessible.Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        install_roles()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def badge(self) -> Badge:
        """The badge in the theme in use."""
        raise NotImplementedError

    def refresh(self) -> None:
        """What the badge shows has changed."""
        self.setAccessibleName(self.badge().text)
        self.updateGeometry()
        self.update()

    def least_width(self) -> float:
        """Design pixels that the badge has at least, its text in the middle."""
        return 0.0

    def sizeHint(self) -> QSize:
        scale = theme().scale
        width = max(badge_width(self.badge()), self.least_width())
        return QSize(ceil(width * scale), round(HEIGHT * scale))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = theme().scale
        painter.scale(scale, scale)
        paint_badge(painter, 0, 0, self.badge(), least=self.least_width())


class VerdictBadge(BadgeLabel):
    """The verdict of a node or of a model."""

    def __init__(self, status: Status = Status.NOT_CHECKED, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status = status
        self._fixable = False
        self._text = ""
        self.refresh()

    def set_status(self, status: Status, *, fixable: bool = False, text: str = "") -> None:
        """``text`` takes the place of the status's word."""
        self._status, self._fixable, self._text = status, fixable, text
        self.refresh()

    def badge(self) -> Badge:
        return verdict_badge(theme().tokens, self._status, fixable=self._fixable, text=self._text)


class TintBadge(BadgeLabel):
    """A word on a tint, named by its token: "right", "condition", "wrong"; "" is neutral."""

    def __init__(self, text: str = "", tint: str = "", icon: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._tint, self._icon = text, tint, icon
        self.refresh()

    def set_badge(self, text: str, tint: str = "") -> None:
        self._text, self._tint = text, tint
        self.refresh()

    def badge(self) -> Badge:
        tokens = theme().tokens
        tints = {"right": tokens.right, "condition": tokens.condition, "wrong": tokens.wrong}
        if self._tint in tints:
            return tint_badge(tints[self._tint], self._text, self._icon)
        return plain_badge(tokens, self._text)
