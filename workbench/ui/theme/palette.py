"""The tokens as a QPalette, for everything that Fusion paints itself."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QPalette

from workbench.ui.theme.tokens import Tokens

_ROLES: Final = {
    QPalette.ColorRole.Window: "panel",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "raised",
    QPalette.ColorRole.AlternateBase: "panel",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "text3",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "onaccent",
    QPalette.ColorRole.Highlight: "sel",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "accent_text",
    QPalette.ColorRole.LinkVisited: "accent_text",
    QPalette.ColorRole.Light: "raised",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Dark: "border2",
    QPalette.ColorRole.Shadow: "shadow",
}
_DISABLED: Final = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


def palette(tokens: Tokens) -> QPalette:
    """The palette; what is disabled is grey, and a selection without focus is neutral."""
    result = QPalette()
    for role, name in _ROLES.items():
        result.setColor(role, QColor(getattr(tokens, name)))
    result.setColor(QPalette.ColorRole.ToolTipBase, QColor(tokens.crash_solid.bg))
    result.setColor(QPalette.ColorRole.ToolTipText, QColor(tokens.crash_solid.fg))
    for role in _DISABLED:
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.border2))
    result.setColor(QPalette.ColorGroup.Inactive, QPalette.ColorRole.Highlight, QColor(tokens.sel_off))
    return result
