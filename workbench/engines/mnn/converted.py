"""How a conversion ended, as a value: a model, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from workbench.core.artifact import AppliedLayer
from workbench.core.messages import Message

Argv = tuple[str, ...]


class WhyNot(StrEnum):
    UNSUPPORTED = "unsupported"
    FAILED = "failed"  # the converter said so, or wrote nothing
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    NOT_APPLIED = "not_applied"  # a model came out, but not with the plan's precision


@dataclass(frozen=True, slots=True)
class Converted:
    """A model that the converter wrote. Nothing is known yet of its numbers.

    ``weights``: the file beside ``path`` that holds its weights, None where they are inside.
    ``argv``: the converter's arguments in the order of its calls, with ``in.onnx`` for the source
    and plain names for what lies in the job's folder. ``layers_applied``: read back from ``path``.
    ``plan_weights``: keyword arguments of ``dequantized.with_plan_weights``, empty for a float plan;
    the files that they name lie beside ``path``.
    ``notes``: what makes this conversion's result uncertain.
    """

    path: Path
    weights: Path | None
    argv: tuple[Argv, ...]
    layers_applied: tuple[AppliedLayer, ...]
    plan_weights: Mapping[str, Any]
    lines: tuple[str, ...]
    notes: tuple[Message, ...]
    seconds: float
    peak_rss_bytes: int

    @property
    def bytes(self) -> int:
        return sum(file.stat().st_size for file in (self.path, self.weights) if file is not None)


@dataclass(frozen=True, slots=True)
class NotConverted:
    """No model that can be used. ``nodes``: ids of the nodes at fault where they are known."""

    why: WhyNot
    what: Message
    hint: Message | None
    nodes: tuple[str, ...]
    argv: tuple[Argv, ...]
    lines: tuple[str, ...]
    seconds: float
    peak_rss_bytes: int


ConvertResult = Converted | NotConverted
