"""What a person types into the filter field: words, and terms such as ``bits<8`` or ``op=Conv``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from workbench.core.plan import LayerQuant
from workbench.core.verdict import Status
from workbench.ui.layers.row import Row

_TERM: Final = re.compile(r"(?P<field>[A-Za-z]+)(?P<sign><=|>=|!=|<|>|=)(?P<value>\S+)")
_QUANTITY: Final = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>kb|mb|gb|k|m|g|)", re.IGNORECASE)
_UNITS: Final = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "kb": 1e3, "mb": 1e6, "gb": 1e9}
_SIGNS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
FLOAT_RANK: Final = 32.0
"""What a float layer counts as in ``bits<8``: more than any integer."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A row with what changes about it: its precision and its verdict."""

    row: Row
    quant: LayerQuant
    status: Status


Test = Callable[[Facts], bool]


@dataclass(frozen=True, slots=True)
class Filter:
    """``problems``: terms that mean nothing; the other terms still hold."""

    tests: tuple[Test, ...] = ()
    problems: tuple[str, ...] = ()

    def accepts(self, facts: Facts) -> bool:
        return all(test(facts) for test in self.tests)

    @property
    def is_empty(self) -> bool:
        return not self.tests


def _bits(facts: Facts) -> float | None:
    if not facts.row.can_quantize:
        return None
    return FLOAT_RANK if facts.quant.is_float else float(facts.quant.bits)


_NUMBERS: Final[dict[str, Callable[[Facts], float | None]]] = {
    "bits": _bits,
    "block": lambda facts: float(facts.quant.block) if facts.row.can_quantize else None,
    "params": lambda facts: float(facts.row.parameters),
    "size": lambda facts: float(facts.row.weight_bytes),
}
_TEXTS: Final[dict[str, Callable[[Facts], str]]] = {
    "op": lambda facts: facts.row.op,
    "name": lambda facts: facts.row.name,
    "id": lambda facts: facts.row.node,
    "verdict": lambda facts: facts.status.value,
}
FIELDS: Final = (*_NUMBERS, *_TEXTS)


def parse(text: str) -> Filter:
    """Words must all occur in name, op or id; terms must all hold. Case does not matter."""
    tests: list[Test] = []
    problems: list[str] = []
    for word in text.split():
        found = _TERM.fullmatch(word)
        if found is None:
            tests.append(_contains(word))
            continue
        test = _term(found["field"].lower(), found["sign"], found["value"])
        if test is None:
            problems.append(word)
        else:
            tests.append(test)
    return Filter(tuple(tests), tuple(problems))


def _contains(word: str) -> Test:
    needle = word.casefold()
    return lambda facts: any(needle in text.casefold() for text in (facts.row.name, facts.row.op, facts.row.node))


def _term(field: str, sign: str, value: str) -> Test | None:
    if field in _NUMBERS:
        return _number_term(_NUMBERS[field], sign, value)
    if field in _TEXTS and sign in ("=", "!="):
        return _text_term(_TEXTS[field], sign, value)
    return None


def _number_term(read: Callable[[Facts], float | None], sign: str, value: str) -> Test | None:
    wanted = FLOAT_RANK if value.lower() == "float" else _quantity(value)
    if wanted is None:
        return None
    compare = _SIGNS[sign]

    def test(facts: Facts) -> bool:
        measured = read(facts)
        return measured is not None and compare(measured, wanted)

    return test


def _quantity(text: str) -> float | None:
    found = _QUANTITY.fullmatch(text)
    return float(found["number"]) * _UNITS[found["unit"].lower()] if found else None


def _text_term(read: Callable[[Facts], str], sign: str, value: str) -> Test:
    wanted = value.casefold()
    if sign == "=":
        return lambda facts: read(facts).casefold() == wanted
    return lambda facts: read(facts).casefold() != wanted
