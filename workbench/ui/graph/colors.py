"""Colours that the canvas derives from the tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from workbench.ui.theme.contrast import mix
from workbench.ui.theme.tokens import Tokens

GROUP_ALPHA: Final = 0.55
"""An open group lets the dots of the canvas through."""


@dataclass(frozen=True, slots=True)
class CanvasColors:
    """``outline`` of nodes and groups lies between border and border2; ``sheet`` is an identical block's."""

    outline: str
    sheet: str
    dot: str
    group: str


@lru_cache(maxsize=4)
def canvas_colors(tokens: Tokens) -> CanvasColors:
    return CanvasColors(
        outline=mix(tokens.border, tokens.border2, 0.4),
        sheet=mix(tokens.canvas, tokens.raised, 0.6),
        dot=mix(tokens.canvas, tokens.border2, 0.3 if tokens.name == "light" else 0.17),
        group=mix(tokens.canvas, tokens.raised, GROUP_ALPHA),
    )
