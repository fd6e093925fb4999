"""What differs between one output of the engine and the reference's, as values.

Without numpy: a command that only reads what a worker compared answers sooner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from workbench.core.messages import msg

MISSING: Final = "missing"
SHAPE: Final = "shape"
NONFINITE: Final = "nonfinite"
EXACT: Final = "exact"

WORDS: Final = {
    MISSING: msg("presence"),
    SHAPE: msg("shape"),
    NONFINITE: msg("NaN or infinity"),
    EXACT: msg("integers"),
}
"""What a fault is about, for people."""


@dataclass(frozen=True, slots=True)
class Slices:
    """An output cut along ``axis``: each slice's largest absolute error and largest absolute reference value.

    ``count``: how many values each slice has. ``whole``: where all values of the reference are whole numbers.
    """

    axis: int
    count: int
    errors: tuple[float, ...]
    largest: tuple[float, ...]
    whole: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``fault`` is "" or what no tolerance excuses; ``detail`` says it in figures.

    ``max_abs``: largest absolute error; ``largest``: largest absolute reference value, both over
    the positions where the reference is finite. ``relative_l2`` and ``cosine`` over the same
    positions; 0 and 1 where both sides are zero or empty. All are 0 where shapes differ.
    ``slices``: along every axis that may tell channels or attributes apart, floats only.
    """

    fault: str = ""
    detail: str = ""
    max_abs: float = 0.0
    largest: float = 0.0
    relative_l2: float = 0.0
    cosine: float = 1.0
    slices: tuple[Slices, ...] = ()

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Comparison:
        """From what ``dataclasses.asdict`` made of one, through JSON."""
        slices = tuple(
            Slices(cut["axis"], cut["count"], tuple(cut["errors"]), tuple(cut["largest"]), tuple(cut["whole"]))
            for cut in document["slices"]
        )
        return cls(**{**document, "slices": slices})
