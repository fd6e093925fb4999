"""Where the words of the phases go: in their band, or as a flag under it where it is too narrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

PADDING: Final = 5.0
_TIGHT: Final = 2.0
"""Room between a word and the end of its band."""


@dataclass(frozen=True, slots=True)
class Band:
    """A phase from pixel ``left`` to ``right``."""

    word: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Flag:
    """A word at pixel ``x``. ``row`` 0 is inside the band; flags in row 1 hang from ``x`` by a line."""

    word: str
    x: float
    row: int


def flags(
    bands: Sequence[Band],
    width: Callable[[str], float],
    limit: float,
    join: Callable[[Sequence[str]], str],
) -> tuple[Flag, ...]:
    """A place for every band's word. ``width`` measures a word; nothing goes beyond pixel ``limit``.

    A flag that would run into the one before it is joined to it: "Push, Load".
    """
    placed: list[Flag] = []
    hanging: Flag | None = None
    for band in bands:
        if width(band.word) + PADDING + _TIGHT <= band.right - band.left:
            placed.append(Flag(band.word, band.left, 0))
            continue
        if hanging is not None and band.left < hanging.x + width(hanging.word) + 3 * PADDING:
            placed.remove(hanging)
            hanging = Flag(join((hanging.word, band.word)), hanging.x, 1)
        else:
            hanging = Flag(band.word, band.left, 1)
        placed.append(hanging)
    return tuple(_within(flag, width(flag.word) + PADDING, limit) for flag in placed)


def _within(flag: Flag, width: float, limit: float) -> Flag:
    return flag if flag.x + width <= limit else Flag(flag.word, max(0.0, limit - width), flag.row)
