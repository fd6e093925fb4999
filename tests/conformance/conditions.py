"""What an artifact's conditions say of a run, read apart from Workbench."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tests.conformance.arrays import Array, is_float

PATHS: Final = ("module", "session")
_Covers = Callable[[Array, re.Match[str]], bool]


def paths(conditions: Sequence[str]) -> tuple[str, ...]:
    """The engine's paths that are said to be right."""
    return tuple(path for path in PATHS if f"path={path}" in conditions) or PATHS


def winograd(conditions: Sequence[str]) -> bool:
    return "winograd=off" not in conditions


def _within(array: Array, match: re.Match[str]) -> bool:
    finite = array[np.isfinite(array)] if is_float(array) else array
    return bool(np.all((finite >= float(match["low"])) & (finite <= float(match["high"]))))


def _float(array: Array) -> Array:
    return np.asarray(array, np.float64)


_INPUTS: Final[tuple[tuple[re.Pattern[str], _Covers], ...]] = (
    (re.compile(r"range=(?P<input>.+) within (?P<low>\S+)\.\.(?P<high>\S+)"), _within),
    (re.compile(r"finite=(?P<input>.+)"), lambda array, _: bool(np.all(np.isfinite(_float(array))))),
    (
        re.compile(r"zeros=(?P<input>.+) positive"),
        lambda array, _: not np.any((_float(array) == 0) & np.signbit(_float(array))),
    ),
    (
        re.compile(r"precision=(?P<input>.+) within 24 bits"),
        lambda array, _: bool(np.array_equal(_float(array), _float(array).astype(np.float32), equal_nan=True)),
    ),
)


def covers(conditions: Sequence[str], inputs: Mapping[str, Any]) -> bool:
    """Whether the artifact is said to be right on ``inputs``."""
    for condition in conditions:
        for pattern, holds in _INPUTS:
            match = pattern.fullmatch(condition)
            if match is not None and not holds(inputs[match["input"]], match):
                return False
    return True
