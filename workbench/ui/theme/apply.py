"""Put a theme on the application, and its style sheet on the parts of a window. Called again, they switch live.

A style sheet of the whole application takes off and puts on that of every widget in one call: measured on the
window, 107 ms of 650 widgets. So the parts of a window (a bar, a panel, a page) have one each, and ``dress``
takes 1 to 20 ms of a part. What is made for a part costs nothing of it before the part is dressed; a menu or a
dialog wears the sheet of the part that it is a child of.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from workbench.ui.theme.fonts import load_fonts, ui_font
from workbench.ui.theme.icons import svg
from workbench.ui.theme.palette import palette
from workbench.ui.theme.qss import style_sheet
from workbench.ui.theme.theme import SCALE_RANGE, Theme, set_active, theme
from workbench.ui.theme.tokens import THEMES, Tokens

SYSTEM: Final = "system"
"""Follow the desktop's light or dark."""

_SCHEMES: Final = {SYSTEM: Qt.ColorScheme.Unknown, "light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}

_CONTROL_ICONS: Final = {
    "check": ("check", "onaccent"),
    "minus": ("minus", "onaccent"),
    "chevron-down": ("chevron-down", "text2"),
    "chevron-down-off": ("chevron-down", "border2"),
    "chevron-up": ("chevron-up", "text2"),
}
"""Icons that only a style sheet can place: file name to icon and token."""


def make_application(program: str) -> QApplication:
    """The application, in the style that ``apply_theme`` dresses, whatever the desktop's is.

    Setting or asking it later makes PySide wrap QStyle with all its enums: 5 % of the start.
    """
    return QApplication([program, "-style", "fusion"])


def apply_theme(app: QApplication, mode: str = SYSTEM, *, scale: float = 1.0, motion: bool = True) -> Theme:
    """The theme in use from now on. ``mode`` is "light", "dark" or "system"; ``scale`` is kept within SCALE_RANGE.

    Every widget gets PaletteChange, upon which painted ones repaint; then ``dress`` the parts. For
    "system", call again when ``app.styleHints().colorSchemeChanged`` says so.
    """
    load_fonts()
    app.styleHints().setColorScheme(_SCHEMES[mode])
    least, most = SCALE_RANGE
    new = Theme(tokens=_tokens(app, mode), scale=min(most, max(least, scale)), motion=motion)
    set_active(new)
    colors: QPalette = palette(new.tokens)
    app.setPalette(colors)
    QToolTip.setPalette(colors)
    app.setFont(ui_font())
    return new


def dress(part: QWidget) -> None:
    """Have ``part``, and all that is in it or comes into it, wear the theme in use; they get StyleChange."""
    # Qt 6.11 keeps objects that are gone in the rules of a style sheet, and a sheet that replaces another visits
    # them: a crash. One that is taken off first forgets them.
    part.setStyleSheet("")
    part.setStyleSheet(_sheet(theme()))


def dressed_in(window: QWidget) -> QWidget:
    """A part of ``window`` that is dressed: what a dialog over the window must be a child of."""
    return next((child for child in window.findChildren(QWidget) if child.styleSheet()), window)


@lru_cache(maxsize=2)
def _sheet(worn: Theme) -> str:
    return style_sheet(worn, control_icons(worn.tokens))


def _tokens(app: QApplication, mode: str) -> Tokens:
    if mode == SYSTEM:
        dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return THEMES["dark" if dark else "light"]
    return THEMES[mode]


@lru_cache(maxsize=1)
def _icon_folder() -> Path:
    """Style sheets read images from files only; these go when the program ends."""
    folder = tempfile.mkdtemp(prefix="workbench-icons-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@lru_cache(maxsize=2)
def control_icons(tokens: Tokens) -> str:
    """The folder with the recoloured icons of check boxes and arrows, as the style sheet names it."""
    folder = _icon_folder() / tokens.name
    folder.mkdir()
    for file, (name, token) in _CONTROL_ICONS.items():
        (folder / f"{file}.svg").write_text(svg(name, getattr(tokens, token)), encoding="utf-8")
    return folder.as_posix()
