"""How large items are, in design pixels. Pure: widths of text come from a table of advances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.ui.graph import texts
from workbench.ui.graph.hierarchy import Hierarchy, Item
from workbench.ui.graph.tree import Kind

_NODE: Final = (176, 48)
CLOSED: Final = (208, 56)
_PILL_HEIGHT: Final = 24
PADDING: Final = 12
EDGE_INSET: Final = 8
"""A badge's distance from the upper and right border of its node."""
HEADER: Final = 32
INSET: Final = 16
TITLE_LEFT: Final = 28
"""From a group's border to its title: padding, chevron, gap."""
PILL_GAP: Final = 8
_WIDEST_NODE: Final = 296
_WIDEST_PILL: Final = 320
_WIDEST_HEADER: Final = 160
_USUAL_BADGE: Final = 72
"""Room for "Wrong" with its wrench, so that a check does not move the graph."""
_STEP: Final = 8
_WIDE_FROM: Final = 0x2E80
"""From here on characters are about as wide as high: CJK, Hangul, emoji."""


@dataclass(frozen=True, slots=True)
class Advances:
    """Widths of a font's characters. Kerning is left out: sizes need no more than two pixels."""

    narrow: Mapping[str, float]
    usual: float
    wide: float

    def width(self, text: str) -> float:
        """Width of ``text`` on one line."""
        return sum(
            self.narrow.get(character, self.wide if ord(character) >= _WIDE_FROM else self.usual) for character in text
        )


@dataclass(frozen=True, slots=True)
class Fonts:
    """The two that sizes depend on: titles (13/600) and mono (11)."""

    title: Advances
    mono: Advances


@dataclass(frozen=True, slots=True)
class Sizes:
    """By item: size while closed; for groups what their open header needs left of the first edge."""

    width: NDArray[np.float64]
    height: NDArray[np.float64]
    header: NDArray[np.float64]


def measure(hierarchy: Hierarchy, fonts: Fonts, badges: Mapping[int, float]) -> Sizes:
    """Sizes of every item. ``badges``: width of an item's badge where it is known."""
    sizes = np.zeros((len(hierarchy.items), 3))
    for number, item in enumerate(hierarchy.items):
        sizes[number] = _size(item, fonts, badges.get(number, _USUAL_BADGE))
    return Sizes(sizes[:, 0], sizes[:, 1], sizes[:, 2])


def _size(item: Item, fonts: Fonts, badge: float) -> tuple[float, float, float]:
    title = fonts.title.width(texts.title(item))
    if item.kind in (Kind.INPUT, Kind.OUTPUT):
        width = title + PILL_GAP + fonts.mono.width(texts.detail(item)) + 2 * PADDING + 1
        return min(_WIDEST_PILL, _even(width, 2)), _PILL_HEIGHT, 0.0
    if item.is_group:
        return (*CLOSED, _even(TITLE_LEFT + min(title, _WIDEST_HEADER) + PADDING, 2))
    width = PADDING + title + EDGE_INSET + badge + EDGE_INSET
    return min(_WIDEST_NODE, max(_NODE[0], _even(width, _STEP))), _NODE[1], 0.0


def _even(value: float, step: int) -> float:
    """Up to the next multiple: centres stay on whole pixels."""
    return float(-(-value // step) * step)
