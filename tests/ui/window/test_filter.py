"""What can be typed into the filter field."""

from __future__ import annotations

import pytest

from workbench.core.plan import FLOAT, LayerQuant
from workbench.core.verdict import Status
from workbench.ui.layers.filter import Facts, parse
from workbench.ui.layers.row import Row


def facts(quant: LayerQuant = FLOAT, *, can_quantize: bool = True, status: Status = Status.RIGHT) -> Facts:
    row = Row("decoder/out", "decoder/rnn/LSTM", "LSTM", "[1,8]", 3, 4096, 16384, can_quantize)
    return Facts(row, quant, status)


@pytest.mark.parametrize("text", ["lstm", "decoder", "RNN lstm", "op=lstm", "op!=Conv", "name=decoder/rnn/LSTM"])
def test_words_and_texts_are_found_whatever_their_case(text: str) -> None:
    assert parse(text).accepts(facts())


@pytest.mark.parametrize("text", ["conv", "lstm conv", "op=Conv", "op!=LSTM", "id=decoder"])
def test_what_does_not_fit_is_left_out(text: str) -> None:
    assert not parse(text).accepts(facts())


@pytest.mark.parametrize(
    ("text", "bits", "fits"),
    [
        ("bits<8", 4, True),
        ("bits<8", 8, False),
        ("bits<=8", 8, True),
        ("bits<8", 0, False),  # float is more than any integer
        ("bits=float", 0, True),
        ("bits!=float", 4, True),
        ("bits>4", 0, True),
    ],
)
def test_bits_compare_as_numbers_and_float_is_the_most(text: str, bits: int, fits: bool) -> None:
    assert parse(text).accepts(facts(LayerQuant(bits))) is fits


def test_a_layer_that_cannot_be_quantized_has_no_bits() -> None:
    assert not parse("bits=float").accepts(facts(can_quantize=False))


@pytest.mark.parametrize(
    ("text", "fits"),
    [("size>16kb", True), ("size>17kb", False), ("params>=4096", True), ("params<4k", False), ("size<1mb", True)],
)
def test_quantities_take_units(text: str, fits: bool) -> None:
    assert parse(text).accepts(facts()) is fits


def test_a_verdict_can_be_asked_for() -> None:
    assert parse("verdict=wrong").accepts(facts(status=Status.WRONG))
    assert not parse("verdict=wrong").accepts(facts())


@pytest.mark.parametrize("term", ["depth<8", "bits<many", "op<Conv"])
def test_a_term_that_means_nothing_is_told_and_the_rest_holds(term: str) -> None:
    found = parse(f"lstm {term}")
    assert found.problems == (term,)
    assert found.accepts(facts())
