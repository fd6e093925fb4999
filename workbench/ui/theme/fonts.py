"""The two families, at the sizes of the type scale."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtGui import QFont, QFontDatabase

from workbench.core.errors import InternalError
from workbench.core.messages import msg
from workbench.core.places import resources
from workbench.ui.theme.theme import theme

UI_FAMILY: Final = "Inter"
MONO_FAMILY: Final = "JetBrains Mono"
CHINESE: Final = ("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei UI", "Noto Sans SC", "WenQuanYi Micro Hei")
"""Families that have Chinese, in the order tried; Qt takes the first that is installed."""

REGULAR, MEDIUM, SEMIBOLD = QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.DemiBold

HERO, PAGE_TITLE, TITLE, SENTENCE, BODY, TABLE, SMALL = 28, 20, 15, 14, 13, 12, 11
"""The type scale in pixels: one number of a panel, page title, inspector title, verdict sentence,
body and node titles, tables and hints, badges and mono."""


@lru_cache(maxsize=1)
def load_fonts() -> tuple[str, ...]:
    """Add the shipped fonts to the application; returns the families. Needs a QGuiApplication.

    Raises InternalError where a file is missing or broken.
    """
    families: list[str] = []
    for file in sorted((resources() / "fonts").glob("*.ttf")):
        number = QFontDatabase.addApplicationFont(str(file))
        if number < 0:
            raise InternalError(msg("A font of the program cannot be read"), where=file.name)
        families.extend(QFontDatabase.applicationFontFamilies(number))
    if not {UI_FAMILY, MONO_FAMILY} <= set(families):
        raise InternalError(msg("The fonts of the program are missing"), where=str(resources() / "fonts"))
    return tuple(dict.fromkeys(families))


def ui_font(size: float = BODY, weight: QFont.Weight = REGULAR) -> QFont:
    """Inter at ``size`` design pixels, in the user's scale; digits all of one width."""
    return _font(UI_FAMILY, theme().px(size), weight)


def mono_font(size: float = SMALL) -> QFont:
    """JetBrains Mono for names, shapes, paths and the log; no ligatures: ``->`` stays two signs."""
    return _font(MONO_FAMILY, theme().px(size), REGULAR)


def design_font(family: str, size: int, weight: QFont.Weight) -> QFont:
    """A font at design pixels, for painters that scale themselves."""
    return _font(family, size, weight)


@lru_cache(maxsize=256)
def _shared(family: str, pixels: int, weight: QFont.Weight) -> QFont:
    font = QFont([family, *CHINESE])
    font.setPixelSize(max(1, pixels))
    font.setWeight(weight)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if family == MONO_FAMILY:
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFeature(QFont.Tag("calt"), 0)
    else:
        font.setStyleHint(QFont.StyleHint.SansSerif)
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _font(family: str, pixels: int, weight: QFont.Weight) -> QFont:
    return QFont(_shared(family, pixels, weight))
