"""The theme in use: tokens, the user's font scale, and whether things may move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtGui import QColor

from workbench.ui.theme.tokens import LIGHT, Tokens

SCALE_RANGE: Final = (0.9, 1.5)
"""Least and largest font scale a user may choose."""


@dataclass(frozen=True, slots=True)
class Theme:
    """``scale`` multiplies sizes and heights. ``motion`` False turns every animation off."""

    tokens: Tokens = LIGHT
    scale: float = 1.0
    motion: bool = True

    def px(self, size: float) -> int:
        """A size of the design in pixels of the user."""
        return round(size * self.scale)

    def ms(self, duration: int) -> int:
        """A duration of the design in milliseconds, 0 where things may not move."""
        return duration if self.motion else 0

    @property
    def is_dark(self) -> bool:
        return self.tokens.name == "dark"


class _Active:
    theme = Theme()


def theme() -> Theme:
    """The theme in use. Painted widgets ask when they paint, as they would ask for the palette.

    Qt tells them of a change with ``QEvent.PaletteChange`` or ``StyleChange``.
    """
    return _Active.theme


def set_active(new: Theme) -> None:
    """For ``apply`` alone, which also sets palette, fonts and style sheet."""
    _Active.theme = new


@lru_cache(maxsize=512)
def qcolor(color: str, alpha: float = 1.0) -> QColor:
    """A token's colour for painting. Shared: do not change it."""
    result = QColor(color)
    result.setAlphaF(alpha)
    return result
