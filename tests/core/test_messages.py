"""Sentences made of sentences."""

from __future__ import annotations

from workbench.core.messages import msg

GERMAN = {"May fail: {cause}": "Kann scheitern: {cause}", "no weights": "keine Gewichte"}


def test_a_message_in_a_place_is_put_into_the_language_of_its_sentence() -> None:
    sentence = msg("May fail: {cause}", cause=msg("no weights"))

    assert str(sentence) == "May fail: no weights"
    assert sentence.render(GERMAN.__getitem__) == "Kann scheitern: keine Gewichte"


def test_control_characters_of_a_name_in_an_inner_message_are_shown_as_replaced() -> None:
    sentence = msg("{reason}", reason=msg("No tensor {name}", name="a\x1b[2J"))

    assert str(sentence) == "No tensor a\N{REPLACEMENT CHARACTER}[2J"
