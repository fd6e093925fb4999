"""Layouts without Qt's default margins: every gap is one of the grid's."""

from __future__ import annotations

from typing import Final, TypeVar

from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface

PANEL_INSET: Final = 16
HEADER_HEIGHT: Final = 40

Layout = TypeVar("Layout", bound=QBoxLayout)
Inset = int | tuple[int, int, int, int]


def row(parent: QWidget | None = None, *, gap: int = 8, inset: Inset = 0) -> QHBoxLayout:
    """Side by side. ``inset``: one number, or left, top, right, bottom, in design pixels."""
    return _prepared(QHBoxLayout(parent) if parent is not None else QHBoxLayout(), gap, inset)


def column(parent: QWidget | None = None, *, gap: int = 8, inset: Inset = 0) -> QVBoxLayout:
    """One under the other."""
    return _prepared(QVBoxLayout(parent) if parent is not None else QVBoxLayout(), gap, inset)


def rule(*, vertical: bool = False) -> QFrame:
    """A 1 px line in the border's colour."""
    line = QFrame()
    surface(line, "panel", line="left" if vertical else "top")
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line


def header(widget: QWidget) -> QHBoxLayout:
    """Make ``widget`` a panel's header of 40: the layout to put its title and buttons in."""
    surface(widget, "panel", line="bottom")
    widget.setFixedHeight(theme().px(HEADER_HEIGHT))
    return row(widget, inset=(PANEL_INSET, 0, PANEL_INSET, 0))


def empty(layout: QLayout) -> None:
    """Take everything out of ``layout``: its widgets are hidden at once, and gone when Qt is in its loop again."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


def _prepared(layout: Layout, gap: int, inset: Inset) -> Layout:
    px = theme().px
    sides = inset if isinstance(inset, tuple) else (inset, inset, inset, inset)
    layout.setContentsMargins(*(px(side) for side in sides))
    layout.setSpacing(px(gap))
    return layout
