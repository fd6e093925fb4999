"""The colour tokens, light and dark: the one place where a colour is written down.

Values are "#RRGGBB". ``tests/ui/theme`` holds them to their contrasts and to colour blindness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.core.verdict import Status


@dataclass(frozen=True, slots=True)
class Ink:
    """A foreground and the fill it is made for."""

    fg: str
    bg: str


@dataclass(frozen=True, slots=True)
class Bits:
    """Fills by bits of a layer's weights, light to heavy loss; ordered by lightness."""

    float: str
    b8: str
    b6: str
    b4: str
    b3: str
    b2: str

    def fill(self, bits: int) -> str:
        """The fill of ``bits`` (0 is float); 7 and 5 bits share the fill of the next coarser step."""
        if bits == 0:
            return self.float
        steps = ((8, self.b8), (6, self.b6), (4, self.b4), (3, self.b3), (2, self.b2))
        return next(fill for least, fill in steps if bits >= least)


@dataclass(frozen=True, slots=True)
class Tokens:
    """One theme. Surfaces, then lines, text, accent, verdicts, data."""

    name: str
    chrome: str
    panel: str
    canvas: str
    raised: str
    sunken: str
    hover: str
    border: str
    grid: str
    border2: str
    edge: str
    text: str
    text2: str
    text3: str
    accent: str
    onaccent: str
    accent_text: str
    accent_soft: str
    ring: str
    sel: str
    sel_off: str
    right: Ink
    condition: Ink
    wrong: Ink
    wrong_solid: Ink
    crash_solid: Ink
    unsupported_solid: Ink
    series: tuple[str, str, str, str]
    bits: Bits
    heat: tuple[str, str, str, str, str]
    shadow: str


LIGHT: Final = Tokens(
    name="light",
    chrome="#F1F3F5",
    panel="#FFFFFF",
    canvas="#F7F8FA",
    raised="#FFFFFF",
    sunken="#F1F3F5",
    hover="#E9ECF0",
    border="#DDE1E6",
    grid="#E9ECEF",
    border2="#858D98",
    edge="#868E9A",
    text="#1A1D21",
    text2="#4A525D",
    text3="#5E6671",
    accent="#2C5FDB",
    onaccent="#FFFFFF",
    accent_text="#2453C4",
    accent_soft="#E8EFFD",
    ring="#2C5FDB",
    sel="#DDE8FD",
    sel_off="#E6E9ED",
    right=Ink("#00695A", "#DDF3EE"),
    condition=Ink("#744B00", "#FFEDC2"),
    wrong=Ink("#AD2E08", "#FDE6DD"),
    wrong_solid=Ink("#FFFFFF", "#C2370D"),
    crash_solid=Ink("#FFFFFF", "#22262B"),
    unsupported_solid=Ink("#FFFFFF", "#6B3FA8"),
    series=("#2C5FDB", "#AD5700", "#007A67", "#A02C89"),
    bits=Bits("#FFFFFF", "#EFEAFC", "#D9CDF6", "#B7A0EC", "#8760D4", "#5A33AD"),
    heat=("#FFF9EF", "#FDE6BE", "#F8BE72", "#DD7B2B", "#9A3D0B"),
    shadow="#1A1D21",
)

DARK: Final = Tokens(
    name="dark",
    chrome="#15171B",
    panel="#1B1E23",
    canvas="#121418",
    raised="#24282E",
    sunken="#121418",
    hover="#2A2F36",
    border="#2F343B",
    grid="#24282E",
    border2="#757D89",
    edge="#5E6672",
    text="#E9EBEE",
    text2="#B1B8C2",
    text3="#969FAB",
    accent="#3A6AE6",
    onaccent="#FFFFFF",
    accent_text="#8FB3FF",
    accent_soft="#1D2A47",
    ring="#7EA6FF",
    sel="#22345B",
    sel_off="#2C3138",
    right=Ink("#52D3BA", "#123630"),
    condition=Ink("#F3C455", "#3A2D0D"),
    wrong=Ink("#FF9A73", "#421F12"),
    wrong_solid=Ink("#2B0F04", "#FF8D61"),
    crash_solid=Ink("#15171B", "#F1F3F5"),
    unsupported_solid=Ink("#15171B", "#B99CF5"),
    series=("#7EA6FF", "#F0A04B", "#45CBB2", "#E58AD2"),
    bits=Bits("#24282E", "#382F58", "#433471", "#6149A6", "#937CDC", "#CBBBFF"),
    heat=("#29221B", "#4D341B", "#86501A", "#CE7D26", "#FFC970"),
    shadow="#000000",
)

THEMES: Final = {"light": LIGHT, "dark": DARK}

ON_DATA: Final = ("#16181C", "#FFFFFF")
"""Text on a data fill is whichever of the two contrasts more."""


@dataclass(frozen=True, slots=True)
class VerdictForm:
    """How a status is drawn: a shape, a colour, and a weight that grows with harm.

    ``fill`` and ``outline`` are empty where there is none. ``share`` colours strips and plain
    rectangles, where neither icon nor word has room.
    """

    icon: str
    ink: str
    fill: str
    outline: str
    share: str
    bold: bool


def verdict_form(tokens: Tokens, status: Status) -> VerdictForm:
    """The form of ``status`` in ``tokens``."""
    return _FORMS[tokens.name][status]


def _forms(t: Tokens) -> dict[Status, VerdictForm]:
    wrong, crash, ban = t.wrong_solid, t.crash_solid, t.unsupported_solid
    return {
        Status.RIGHT: VerdictForm("circle-check", t.right.fg, "", "", t.right.fg, bold=True),
        Status.CONDITION: VerdictForm("triangle-alert", t.condition.fg, t.condition.bg, "", t.condition.fg, bold=True),
        Status.WRONG: VerdictForm("octagon-x", wrong.fg, wrong.bg, "", wrong.bg, bold=True),
        Status.CRASH: VerdictForm("zap", crash.fg, crash.bg, "", crash.bg, bold=True),
        Status.HANG: VerdictForm("hourglass", t.text, t.raised, t.text, t.text2, bold=True),
        Status.UNSUPPORTED: VerdictForm("ban", ban.fg, ban.bg, "", ban.bg, bold=True),
        Status.NOT_CHECKED: VerdictForm("circle-dashed", t.text3, "", "", t.border2, bold=False),
        Status.FIXED: VerdictForm("wrench", t.right.fg, t.right.bg, "", t.right.fg, bold=True),
    }


_FORMS: Final = {name: _forms(tokens) for name, tokens in THEMES.items()}

SEVERITY: Final = (
    Status.CRASH,
    Status.HANG,
    Status.UNSUPPORTED,
    Status.WRONG,
    Status.CONDITION,
    Status.FIXED,
    Status.NOT_CHECKED,
    Status.RIGHT,
)
"""Worst first: what a group shows of its children."""
