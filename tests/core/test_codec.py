from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from workbench.core import codec
from workbench.core.errors import BadInput
from workbench.core.messages import Message, msg
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.verdict import Figure, Status, Verdict, Verification

PLAN = QuantPlan(LayerQuant(8), {"conv": LayerQuant(4, symmetric=True, block=32)}, half_floats=True)


@dataclass(frozen=True, slots=True)
class Everything:
    number: float
    maybe: float | None
    pair: tuple[float, float] | None
    rows: tuple[tuple[str, float], ...]
    named: Mapping[str, float | int | str]


def test_a_plan_comes_back_as_it_was() -> None:
    doc = json.loads(codec.dumps(codec.document("plan/1", PLAN)))
    assert codec.value(QuantPlan, doc, schema="plan/1", where="p.json") == PLAN


def test_what_is_not_finite_is_null_counted_and_nan_again() -> None:
    value = Everything(math.nan, None, (math.inf, 1.0), (("a", -math.inf),), {"n": math.nan, "s": "x", "i": 3})
    doc = json.loads(codec.dumps(codec.document("e/1", value)))
    assert doc["nonfinite"] == 4
    back = codec.value(Everything, doc, schema="e/1", where="e.json")
    assert math.isnan(back.number)
    assert back.maybe is None
    assert back.pair is not None
    assert math.isnan(back.pair[0])
    assert back.pair[1] == 1.0
    assert math.isnan(back.rows[0][1])
    assert isinstance(back.named["n"], float)
    assert math.isnan(back.named["n"])
    assert (back.named["s"], back.named["i"]) == ("x", 3)


def test_a_verification_that_overflowed_can_be_kept() -> None:
    kept = Verification(Figure(math.inf, 1.0, 0.0, 5, 1, 2e-3), reason=msg("{output} is missing", output="y"))
    doc = json.loads(codec.dumps(codec.document("v/1", kept)))
    back = codec.value(Verification, doc, schema="v/1", where="v.json")
    assert back.engine is not None
    assert math.isnan(back.engine.max_rel_error)
    assert str(back.reason) == "y is missing"


def test_a_message_is_its_sentence_and_names_in_it_are_plain() -> None:
    verdict = Verdict("n", "n", "Relu", Status.WRONG, msg("{name} is wrong", name="a\x1b]0;pwned\x07b"))
    text = codec.dumps(codec.document("v/1", verdict))
    assert json.loads(text)["reason"] == "a\N{REPLACEMENT CHARACTER}]0;pwned\N{REPLACEMENT CHARACTER}b is wrong"


@pytest.mark.parametrize(
    ("doc", "told"),
    [
        ({"schema": "other/1"}, "other/1"),
        ({"schema": "plan/1", "default": {"bits": 9}}, "9 bits"),
        ({"schema": "plan/1", "default": {"bits": "many"}}, "bits"),
        ({"schema": "plan/1", "default": {"bits": 8, "block": 7}}, "block of 7"),
        ({"schema": "plan/1", "layers": [1]}, "layers"),
    ],
)
def test_a_foreign_or_broken_document_is_bad_input_that_says_why(doc: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told) as caught:
        codec.value(QuantPlan, doc, schema="plan/1", where="p.json")
    assert caught.value.where == "p.json"


@pytest.mark.parametrize("text", ["", "{", "[1]", '"x"', "[" * 100_000])
def test_text_that_is_no_object_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        codec.loads(text, where="x.json")


@dataclass(frozen=True, slots=True)
class Said:
    words: tuple[Message, ...]


@pytest.mark.parametrize(
    "message",
    [
        msg("plain"),
        msg("{n} of {name}, {share}", n=3, name="{x} {", share=0.5),
        msg("{verdict}: {reason}", verdict="wrong", reason=msg("off by {error}", error=msg("nothing"))),
    ],
)
def test_a_message_that_was_kept_is_read_in_the_language_of_the_day(message: Message) -> None:
    kept = codec.dumps(codec.document("said/1", Said((message,)), for_reopening=True))
    (back,) = codec.value(Said, codec.loads(kept, where="f"), schema="said/1", where="f").words
    assert back == message
    assert back.render(lambda text: f"<{text}>") == message.render(lambda text: f"<{text}>")
    (shown,) = codec.document("said/1", Said((message,)))["words"]
    assert shown == str(message)


@pytest.mark.parametrize(
    "kept",
    [
        {"template": "{x}", "arguments": {}},
        {"template": "{", "arguments": {}},
        {"template": "{}", "arguments": {"": 1}},
        {"template": "{x:>1000000000}", "arguments": {"x": 1}},
        {"template": "{x!r}", "arguments": {"x": 1}},
        {"template": "{x.__class__}", "arguments": {"x": 1}},
        {"template": "{x[0]}", "arguments": {"x": "a"}},
        {"template": "{x}", "arguments": {"x": [1]}},
        {"template": "{x}", "arguments": {"x": {"template": 3}}},
        {"template": 3, "arguments": {}},
        {"template": "x", "arguments": []},
        {"template": "x"},
        {"template": "x", "arguments": {}, "more": 1},
        7,
    ],
)
def test_what_makes_no_message_is_refused(kept: object) -> None:
    with pytest.raises(BadInput) as caught:
        codec.value(Said, {"schema": "said/1", "words": [kept]}, schema="said/1", where="f")
    assert caught.value.where == "f"
