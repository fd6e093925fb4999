"""The one style sheet, made from the tokens.

Widgets choose a form by dynamic property, never by a style sheet of their own:

======== ================================================== =====================================
property values                                             on
======== ================================================== =====================================
kind     main, soft, flat, link                             QPushButton
kind     segment, tab                                       QToolButton
role     page, title, sentence, strong, table, hint, mono    QLabel
surface  chrome, panel, canvas, raised, sunken, group,      QWidget, QFrame (through ``surface``)
         condition, wrong, right, bare
line     top, bottom, left, right                           QWidget with a surface
large    true                                               QPushButton: 32 high
======== ================================================== =====================================
"""

from __future__ import annotations

from dataclasses import fields
from string import Template
from typing import Final

from workbench.ui.theme.contrast import mix
from workbench.ui.theme.fonts import CHINESE, MONO_FAMILY, PAGE_TITLE, SENTENCE, SMALL, TABLE, TITLE
from workbench.ui.theme.theme import Theme
from workbench.ui.theme.tokens import Ink

_SURFACES: Final = """
*[surface="chrome"] { background: $chrome; }
*[surface="panel"] { background: $panel; }
*[surface="canvas"] { background: $canvas; }
*[surface="sunken"] { background: $sunken; border-radius: ${p8}px; }
*[surface="raised"] { background: $raised; border: 1px solid $border; border-radius: ${p8}px; }
*[surface="group"] { background: transparent; border: 1px solid $border; border-radius: ${p6}px; }
*[surface="condition"] { background: $condition_bg; border-radius: ${p8}px; }
*[surface="wrong"] { background: $wrong_bg; }
*[surface="right"] { background: $right_bg; border-radius: ${p8}px; }
*[surface="bare"] { background: transparent; border: none; }
*[line="top"] { border-top: 1px solid $border; }
*[line="bottom"] { border-bottom: 1px solid $border; }
*[line="left"] { border-left: 1px solid $border; }
*[line="right"] { border-right: 1px solid $border; }
"""

_LABELS: Final = """
QLabel { background: transparent; }
QLabel[role="page"] { font-size: ${f20}px; font-weight: 600; }
QLabel[role="title"] { font-size: ${f15}px; font-weight: 600; }
QLabel[role="sentence"] { font-size: ${f14}px; font-weight: 600; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="table"] { font-size: ${f12}px; }
QLabel[role="hint"] { font-size: ${f12}px; color: $text2; }
QLabel[role="head"] { font-size: ${f11}px; font-weight: 500; color: $text2; }
QLabel[role="mono"] { font-family: $mono; font-size: ${f11}px; color: $text2; }
QLabel:disabled { color: $border2; }
"""

_BUTTONS: Final = """
QPushButton {
    background: $raised; color: $text; border: 1px solid $border2; border-radius: ${p6}px;
    min-height: ${h26}px; padding: 0 ${p12}px; font-weight: 500;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed, QPushButton:checked { background: $sel; }
QPushButton:focus { border-color: $ring; }
QPushButton:disabled { background: $panel; color: $border2; border-color: $border; }
QPushButton[kind="main"] { background: $accent; color: $onaccent; border-color: $accent; font-weight: 600; }
QPushButton[kind="main"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[kind="main"]:pressed { background: $accent_down; border-color: $accent_down; }
QPushButton[kind="main"]:disabled { background: $hover; color: $text3; border-color: $hover; }
QPushButton[kind="soft"] { background: $accent_soft; color: $accent_text; border-color: $accent_soft; }
QPushButton[kind="soft"]:hover { background: $sel; border-color: $sel; }
QPushButton[kind="soft"]:focus { border-color: $ring; }
QPushButton[kind="soft"]:disabled { background: $hover; color: $text3; border-color: $hover; }
QPushButton[kind="flat"], QPushButton[kind="link"] { background: transparent; border-color: transparent; }
QPushButton[kind="flat"] { color: $text2; padding: 0 ${p8}px; }
QPushButton[kind="link"] { color: $accent_text; padding: 0 ${p4}px; font-weight: 600; }
QPushButton[kind="flat"]:hover, QPushButton[kind="link"]:hover { background: $hover; }
QPushButton[kind="flat"]:pressed, QPushButton[kind="link"]:pressed { background: $sel; }
QPushButton[kind="flat"]:focus, QPushButton[kind="link"]:focus { border-color: $ring; }
QPushButton[kind="flat"]:disabled, QPushButton[kind="link"]:disabled {
    background: transparent; color: $border2; border-color: transparent;
}
QPushButton[large="true"] { min-height: ${h30}px; padding: 0 ${p16}px; }
QPushButton::menu-indicator { image: none; width: 0; }

QToolButton {
    background: transparent; color: $text2; border: 1px solid transparent; border-radius: ${p6}px;
    min-width: ${h26}px; min-height: ${h26}px; padding: 0; font-weight: 500;
}
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $sel; color: $accent_text; }
QToolButton:focus { border-color: $ring; }
QToolButton:disabled { color: $border2; background: transparent; }
QToolButton::menu-indicator { image: none; width: 0; }
QToolButton[kind="segment"] {
    font-size: ${f12}px; padding: 0 ${p5}px; min-width: ${p14}px; min-height: ${h22}px; border-radius: ${p6}px;
}
QToolButton[kind="segment"]:checked { background: $raised; color: $text; border-color: $border2; font-weight: 600; }
QToolButton[kind="tab"] {
    border: none; border-bottom: 2px solid transparent; border-radius: 0; padding: 0 ${p4}px; font-weight: 600;
}
QToolButton[kind="tab"]:checked { background: transparent; color: $text; border-bottom-color: $accent; }
QToolButton[kind="tab"]:focus { color: $ring; }
"""

_FIELDS: Final = """
QLineEdit, QComboBox, QAbstractSpinBox {
    background: $raised; color: $text; border: 1px solid $border2; border-radius: ${p6}px;
    min-height: ${h26}px; padding: 0 ${p8}px; selection-background-color: $sel; selection-color: $text;
}
QLineEdit:hover, QComboBox:hover, QAbstractSpinBox:hover { border-color: $text3; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border-color: $ring; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled {
    background: $panel; color: $border2; border-color: $border;
}
QLineEdit[invalid="true"], QAbstractSpinBox[invalid="true"] { border-color: $wrong_fg; }
QComboBox { padding-right: ${p24}px; font-weight: 500; }
QComboBox::drop-down { border: none; width: ${p24}px; }
QComboBox::down-arrow { image: url($icons/chevron-down.svg); width: ${p16}px; height: ${p16}px; }
QComboBox::down-arrow:disabled { image: url($icons/chevron-down-off.svg); }
QComboBox QAbstractItemView {
    background: $raised; border: 1px solid $border; border-radius: ${p6}px; padding: ${p4}px; outline: none;
    selection-background-color: $sel; selection-color: $text;
}
QComboBox QAbstractItemView::item { min-height: ${h28}px; padding: 0 ${p8}px; border-radius: ${p4}px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; background: transparent; width: ${p20}px; }
QAbstractSpinBox::up-arrow { image: url($icons/chevron-up.svg); width: ${p12}px; height: ${p12}px; }
QAbstractSpinBox::down-arrow { image: url($icons/chevron-down.svg); width: ${p12}px; height: ${p12}px; }
QCheckBox { spacing: ${p8}px; min-height: ${h24}px; background: transparent; }
QCheckBox:disabled { color: $border2; }
QCheckBox::indicator {
    width: ${p14}px; height: ${p14}px; border: 1px solid $border2; border-radius: ${p4}px; background: $raised;
}
QCheckBox::indicator:hover { border-color: $text3; }
QCheckBox::indicator:focus { border: 2px solid $ring; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url($icons/check.svg); }
QCheckBox::indicator:indeterminate { background: $accent; border-color: $accent; image: url($icons/minus.svg); }
QCheckBox::indicator:disabled { background: $panel; border-color: $border; }
QPlainTextEdit {
    background: $panel; color: $text; border: none; selection-background-color: $sel; selection-color: $text;
}
QPlainTextEdit[role="mono"] { font-family: $mono; font-size: ${f11}px; }
QProgressBar { background: $grid; border: none; border-radius: ${p3}px; max-height: ${p6}px; min-height: ${p6}px; }
QProgressBar::chunk { background: $accent; border-radius: ${p3}px; }
"""

_VIEWS: Final = """
QAbstractItemView {
    background: $panel; color: $text; border: none; outline: none; gridline-color: $grid; font-size: ${f12}px;
    selection-background-color: $sel; selection-color: $text;
}
QAbstractItemView::item { border: none; }
QTableView::item:selected:!active, QTreeView::item:selected:!active, QListView::item:selected:!active {
    background: $sel_off;
}
QTreeView::branch { background: transparent; image: none; }
QHeaderView { background: $panel; border: none; }
QHeaderView::section {
    background: $panel; color: $text3; border: none; border-bottom: 1px solid $border;
    min-height: ${h27}px; padding: 0 ${p8}px; font-size: ${f11}px; font-weight: 500;
}
QHeaderView::section:first { padding-left: ${p16}px; }
QHeaderView::section:hover { color: $text; }
QHeaderView::up-arrow { image: url($icons/chevron-up.svg); width: ${p12}px; height: ${p12}px; }
QHeaderView::down-arrow { image: url($icons/chevron-down.svg); width: ${p12}px; height: ${p12}px; }
QTableCornerButton::section { background: $panel; border: none; }
QAbstractScrollArea { border: none; }
QScrollArea { background: transparent; }
QScrollBar:vertical { background: transparent; width: ${p12}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${p12}px; margin: 0; }
QScrollBar::handle { background: $scroll; border-radius: ${p3}px; margin: ${p3}px; }
QScrollBar::handle:hover { background: $border2; }
QScrollBar::handle:vertical { min-height: ${p32}px; }
QScrollBar::handle:horizontal { min-width: ${p32}px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: $border; }
QSplitter::handle:hover { background: $border2; }
QSplitter::handle:pressed { background: $ring; }
"""

_WINDOWS: Final = """
QMainWindow, QDialog { background: $panel; }
QMenuBar { background: transparent; color: $text2; border: none; spacing: 0; }
QMenuBar::item { background: transparent; padding: ${p4}px ${p8}px; border-radius: ${p6}px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; color: $text; }
QMenu { background: $raised; color: $text; border: 1px solid $border; border-radius: ${p8}px; padding: ${p4}px; }
QMenu::item { padding: ${p5}px ${p24}px ${p5}px ${p8}px; border-radius: ${p4}px; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $border2; background: transparent; }
QMenu::icon { padding-left: ${p8}px; }
QMenu::separator { height: 1px; background: $border; margin: ${p4}px ${p8}px; }
QToolTip {
    background: $crash_bg; color: $crash_fg; border: 1px solid $crash_bg; padding: ${p4}px ${p8}px;
    font-size: ${f12}px;
}
"""

_SHEETS: Final = tuple(Template(part) for part in (_SURFACES, _LABELS, _BUTTONS, _FIELDS, _VIEWS, _WINDOWS))
_LENGTHS: Final = (3, 4, 5, 6, 8, 12, 14, 16, 20, 24, 32)
_FONTS: Final = (SMALL, TABLE, SENTENCE, TITLE, PAGE_TITLE)
_HEIGHTS: Final = (22, 24, 26, 27, 28, 30)


def style_sheet(theme: Theme, icons: str) -> str:
    """The style sheet of ``theme``. ``icons`` is the folder that ``control_icons`` filled."""
    values = _values(theme) | {"icons": icons}
    return "".join(sheet.substitute(values) for sheet in _SHEETS)


def _values(theme: Theme) -> dict[str, str]:
    tokens = theme.tokens
    values = {f.name: v for f in fields(tokens) if isinstance(v := getattr(tokens, f.name), str)}
    for f in fields(tokens):
        ink = getattr(tokens, f.name)
        if isinstance(ink, Ink):
            short = f.name.removesuffix("_solid") if f.name.startswith("crash") else f.name
            values |= {f"{short}_fg": ink.fg, f"{short}_bg": ink.bg}
    values["accent_hover"] = mix(tokens.accent, "#000000", 0.1)
    values["accent_down"] = mix(tokens.accent, "#000000", 0.2)
    values["scroll"] = mix(tokens.panel, tokens.border2, 0.5)
    values["mono"] = ", ".join(f'"{family}"' for family in (MONO_FAMILY, *CHINESE))
    values |= {f"p{n}": str(theme.px(n)) for n in _LENGTHS}
    values |= {f"f{n}": str(theme.px(n)) for n in _FONTS}
    values |= {f"h{n}": str(theme.px(n + 2) - 2) for n in _HEIGHTS}
    return values
