"""JSON as the agent takes it: no key twice, no NaN, text that is Unicode."""

from __future__ import annotations

import json
from collections.abc import Sequence


class BadJson(ValueError):
    """The text is no JSON, which is json's ValueError, or not what is expected here."""


def parse(text: bytes) -> dict[str, object]:
    """The object in ``text``. Raises ValueError."""
    try:
        value = json.loads(text.decode(), object_pairs_hook=_without_doubles, parse_constant=_no_number)
    except RecursionError as error:
        raise BadJson("nested too deep") from error
    return members(value)


def members(value: object) -> dict[str, object]:
    """``value``, which must be an object. Raises ValueError."""
    if not isinstance(value, dict):
        raise BadJson("an object expected")
    return value


def items(value: object) -> list[object]:
    if not isinstance(value, list):
        raise BadJson("a list expected")
    return value


def text(value: object) -> str:
    if not isinstance(value, str):
        raise BadJson("text expected")
    value.encode()  # raises UnicodeEncodeError, a ValueError, for a lone surrogate
    return value


def integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadJson("a whole number expected")
    return value


def real(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadJson("a number expected")
    return value


def boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadJson("true or false expected")
    return value


def _without_doubles(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise BadJson(f"{key} is there twice")
        found[key] = value
    return found


def _no_number(word: str) -> object:
    raise BadJson(f"{word}: a value expected")
