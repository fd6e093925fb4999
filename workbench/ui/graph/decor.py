"""What the overlay makes of an item: its fill, its badge or value, its second line, its shares."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from workbench.core.plan import FLOAT_BITS
from workbench.core.verdict import Status
from workbench.ui.graph import texts
from workbench.ui.graph.colors import canvas_colors
from workbench.ui.graph.hierarchy import Hierarchy, Item
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.tallies import Support, Widths
from workbench.ui.text import tr
from workbench.ui.theme.contrast import on_data
from workbench.ui.theme.tokens import Tokens, verdict_form
from workbench.ui.widgets.badge import Badge, bits_word, status_count, verdict_badge
from workbench.ui.widgets.share_strip import Share

_QUIET: Final = (Status.RIGHT, Status.NOT_CHECKED)
"""What a group says by its strip alone."""


@dataclass(frozen=True, slots=True)
class Decor:
    """``title`` and ``line`` are the two lines, ``value`` is text in place of a badge.

    ``plain`` fills the rectangle where text has no room. ``alarm`` is the colour of a heavy
    border, "" for none.
    """

    title: str
    line: str
    fill: str
    ink: str
    ink2: str
    plain: str
    badge: Badge | None = None
    value: str = ""
    alarm: str = ""
    shares: tuple[Share, ...] = ()


@dataclass(frozen=True, slots=True)
class Decorator:
    """Makes the decor of items. One per theme, overlay and state of knowledge."""

    hierarchy: Hierarchy
    tokens: Tokens
    overlay: Overlay
    support: Support
    widths: Widths
    _made: dict[int, Decor] = field(default_factory=dict, compare=False)

    def decor(self, number: int) -> Decor:
        """Made once: painting asks for it with every frame."""
        if number not in self._made:
            self._made[number] = self._decor(number, self.hierarchy.items[number])
        return self._made[number]

    def _decor(self, number: int, item: Item) -> Decor:
        match self.overlay:
            case Overlay.SUPPORT:
                return self._support(number, item)
            case Overlay.BITS:
                return self._bits(number, item)
            case Overlay.NONE:
                return self._bare(item)

    def _bare(self, item: Item) -> Decor:
        t = self.tokens
        line = texts.contents(item) if item.is_group else texts.detail(item)
        return Decor(texts.title(item), line, t.raised, t.text, t.text3, canvas_colors(t).sheet)

    def _support(self, number: int, item: Item) -> Decor:
        bare = self._bare(item)
        counts = self.support.counts(number, item.end)
        if not counts:
            return bare
        worst, count = next(iter(counts.items()))
        form = verdict_form(self.tokens, worst)
        plain = self.tokens.right.bg if worst is Status.RIGHT else form.share
        if item.is_group:
            loud = worst not in _QUIET
            fixable = loud and self.support.fixable_in(number, item.end)
            badge = verdict_badge(self.tokens, worst, fixable=fixable, text=status_count(worst, count))
            shares = tuple(
                Share(counts[status], verdict_form(self.tokens, status).share) for status in reversed(counts)
            )
            return replace(bare, plain=plain, badge=badge if loud else None, shares=shares)
        badge = verdict_badge(self.tokens, worst, fixable=self.support.is_fixable(number))
        alarm = self.tokens.wrong_solid.bg if worst is Status.WRONG else ""
        return replace(bare, plain=plain, badge=badge, alarm=alarm)

    def _bits(self, number: int, item: Item) -> Decor:
        bare = self._bare(item)
        if not item.is_group:
            bits = self.widths.of(number)
            return bare if bits is None else self._filled(bare, bits, value=bits_word(bits))
        counts = self.widths.counts(number, item.end)
        if not counts:
            return bare
        layers = sum(counts.values())
        line = tr(
            "{layers}, {bits}",
            layers=tr("1 layer") if layers == 1 else tr("{n} layers", n=layers),
            bits=bits_summary(counts),
        )
        shares = tuple(Share(count, self.tokens.bits.fill(bits)) for bits, count in counts.items())
        return self._filled(bare, typical_bits(counts), line=line, shares=shares if len(shares) > 1 else ())

    def _filled(
        self, bare: Decor, bits: int, *, value: str = "", line: str = "", shares: tuple[Share, ...] = ()
    ) -> Decor:
        fill = self.tokens.bits.fill(bits)
        filled = replace(bare, fill=fill, plain=fill, value=value, line=line or bare.line, shares=shares)
        if bits == FLOAT_BITS:
            return filled
        return replace(filled, ink=on_data(fill), ink2=on_data(fill))


def bits_summary(counts: dict[int, int]) -> str:
    """ "8 bit", "8 and 4 bit", "4.6 bit on average", "8 to 2 bit and float"."""
    whole = [bits for bits in counts if bits != FLOAT_BITS]
    has_float = FLOAT_BITS in counts
    if not whole:
        return tr("float")
    if len(whole) == 1:
        words = bits_word(whole[0])
    elif has_float:
        words = tr("{most} to {least} bit", most=max(whole), least=min(whole))
    elif len(whole) == 2:
        words = tr("{most} and {least} bit", most=max(whole), least=min(whole))
    else:
        mean = sum(bits * counts[bits] for bits in whole) / sum(counts[bits] for bits in whole)
        words = tr("{mean} bit on average", mean=f"{mean:.1f}")
    return tr("{bits} and float", bits=words) if has_float else words


def typical_bits(counts: dict[int, int]) -> int:
    """The bits whose tint stands for a group: the mean of what is quantized, float where most is."""
    quantized = sum(count for bits, count in counts.items() if bits != FLOAT_BITS)
    if quantized * 2 < sum(counts.values()):
        return FLOAT_BITS
    mean = sum(bits * count for bits, count in counts.items()) / quantized
    return min((8, 6, 4, 3, 2), key=lambda bits: abs(bits - mean))
