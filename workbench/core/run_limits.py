"""What may be asked of a run: the ranges and words that the agents take (workbench/agent/options.cc)."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Final

from workbench.core.messages import Message, msg

if TYPE_CHECKING:  # the command line's help needs the words, not the values
    from workbench.core.run import RunConfig

RANGES: Final = {
    "threads": (1, 64),
    "warmup": (0, 100_000_000),
    "iterations": (1, 100_000_000),
    "seconds": (0, 86_400),
}
BACKENDS: Final = ("cpu",)
MODES: Final = ("normal", "low", "high")
_WORDS: Final = {"backend": BACKENDS, "precision": MODES, "memory": MODES}


def misfit(config: RunConfig) -> tuple[str, Message, Message] | None:
    """The first field of ``config`` that no run takes: its name, what is wrong with it, and what to use instead."""
    for name, (low, high) in RANGES.items():
        value = getattr(config, name)
        if not low <= value <= high:  # NaN is not between them either
            hint = msg("Use a number from {low} to {high}.", low=low, high=high)
            return name, msg("{value} is not possible", value=value), hint
    for name, words in _WORDS.items():
        word = getattr(config, name)
        if word not in words:
            hint = msg("Use one of {words}.", words=", ".join(words))
            return name, msg("{value} is not possible", value=word), hint
    for field in fields(config.budget):
        limit = getattr(config.budget, field.name)
        if limit is not None and not 0 < limit < math.inf:
            what = msg("{value} is not possible", value=limit)
            return f"budget.{field.name}", what, msg("A limit is a number above 0.")
    return None
