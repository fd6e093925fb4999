"""Why a run cannot go on."""

from __future__ import annotations

from typing import Literal

Stage = Literal["options", "load", "input", "run", "output"]


class Failure(Exception):
    """``stage`` and ``text`` are those of the last event."""

    def __init__(self, stage: Stage, text: str) -> None:
        super().__init__(text)
        self.stage = stage
        self.text = text


def file_failure(stage: Stage, file: str, error: OSError) -> Failure:
    return Failure(stage, f"{file}: {error.strerror or error}")
