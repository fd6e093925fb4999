"""The tokens keep what the design promises of contrast and colour-blindness."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from tests.ui.theme.color_vision import MACHADO, delta_e, seen
from workbench.core.verdict import Status
from workbench.ui.theme.contrast import contrast, luminance, mix, on_data
from workbench.ui.theme.tokens import DARK, LIGHT, SEVERITY, Tokens, verdict_form

THEMES = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
BLIND = pytest.mark.parametrize("vision", ["protan", "deutan", "tritan"])


def surfaces(tokens: Tokens) -> list[str]:
    names = ("chrome", "panel", "canvas", "raised", "sunken", "hover", "sel", "sel_off")
    return [getattr(tokens, name) for name in names]


@THEMES
def test_text_can_be_read_on_every_surface(tokens: Tokens) -> None:
    worst = min(contrast(ink, s) for ink in (tokens.text, tokens.text2, tokens.text3) for s in surfaces(tokens))
    assert round(worst, 2) >= 4.59


@THEMES
def test_verdict_and_link_texts_can_be_read_on_every_surface(tokens: Tokens) -> None:
    inks = (tokens.right.fg, tokens.condition.fg, tokens.wrong.fg, tokens.accent_text)
    assert min(contrast(ink, surface) for ink in inks for surface in surfaces(tokens)) >= 4.59


@THEMES
def test_text_can_be_read_on_its_own_fill(tokens: Tokens) -> None:
    inks = (
        tokens.right,
        tokens.condition,
        tokens.wrong,
        tokens.wrong_solid,
        tokens.crash_solid,
        tokens.unsupported_solid,
    )
    assert min(contrast(ink.fg, ink.bg) for ink in inks) >= 4.59
    assert contrast(tokens.onaccent, tokens.accent) >= 4.59
    assert contrast(tokens.accent_text, tokens.accent_soft) >= 4.59


@THEMES
def test_the_focus_ring_stands_out_everywhere(tokens: Tokens) -> None:
    assert min(contrast(tokens.ring, surface) for surface in surfaces(tokens)) >= 4.5


@THEMES
def test_outlines_edges_and_series_reach_three_to_one(tokens: Tokens) -> None:
    at_rest = (tokens.chrome, tokens.panel, tokens.canvas, tokens.raised, tokens.sunken)
    assert min(contrast(tokens.border2, surface) for surface in at_rest) >= 3
    assert contrast(tokens.edge, tokens.canvas) >= 3
    assert min(contrast(color, tokens.panel) for color in tokens.series) >= 3


@THEMES
def test_text_on_data_fills_can_be_read(tokens: Tokens) -> None:
    fills = [*tokens.heat, *(tokens.bits.fill(bits) for bits in (0, 8, 7, 6, 5, 4, 3, 2))]
    assert min(contrast(on_data(fill), fill) for fill in fills) >= 4.5


@BLIND
@THEMES
def test_verdicts_differ_for_the_colour_blind(tokens: Tokens, vision: str) -> None:
    colors = (
        tokens.right.fg,
        tokens.condition.bg,
        tokens.wrong_solid.bg,
        tokens.crash_solid.bg,
        tokens.unsupported_solid.bg,
    )
    nearest = min(delta_e(seen(a, vision), seen(b, vision)) for a, b in combinations(colors, 2))
    assert round(nearest) >= 18


@BLIND
@THEMES
def test_series_differ_for_the_colour_blind(tokens: Tokens, vision: str) -> None:
    nearest = min(delta_e(seen(a, vision), seen(b, vision)) for a, b in combinations(tokens.series, 2))
    assert nearest >= 16


@THEMES
def test_bits_and_heat_survive_greyscale(tokens: Tokens) -> None:
    for scale in ([tokens.bits.fill(bits) for bits in (8, 6, 4, 3, 2)], list(tokens.heat)):
        light = [luminance(color) for color in scale]
        steps = [b - a for a, b in pairwise(light)]
        assert all(step > 0 for step in steps) or all(step < 0 for step in steps)


@THEMES
def test_every_status_has_its_own_shape_and_a_form(tokens: Tokens) -> None:
    icons = {verdict_form(tokens, status).icon for status in Status}
    assert len(icons) == len(Status)
    assert set(SEVERITY) == set(Status)


def test_weight_grows_with_harm() -> None:
    quiet, solid = verdict_form(LIGHT, Status.RIGHT), verdict_form(LIGHT, Status.WRONG)
    assert not quiet.fill
    assert contrast(solid.fill, LIGHT.raised) > contrast(verdict_form(LIGHT, Status.CONDITION).fill, LIGHT.raised)


def test_a_simulation_without_deficiency_changes_nothing() -> None:
    white, black = seen("#FFFFFF", "normal"), seen("#000000", "normal")
    assert delta_e(white, black) == pytest.approx(100, abs=0.1)
    assert set(MACHADO) == {"normal", "protan", "deutan", "tritan"}


def test_mixing_goes_from_one_colour_to_the_other() -> None:
    assert mix("#000000", "#FFFFFF", 0) == "#000000"
    assert mix("#000000", "#FFFFFF", 1) == "#FFFFFF"
    assert mix("#DDE1E6", "#858D98", 0.4) == "#BABFC7"
