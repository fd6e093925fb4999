"""The steps of the rail, in the order of the work."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from workbench.core.messages import Message, msg


class Step(StrEnum):
    MODEL = "model"
    CHECK = "check"
    QUANTIZE = "quantize"
    CONVERT = "convert"
    RUN = "run"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class StepLook:
    """How the rail shows a step."""

    step: Step
    title: Message
    icon: str
    hint: Message
    go: Message


STEPS: Final = (
    StepLook(
        Step.MODEL,
        msg("Model"),
        "box",
        msg("What the file holds"),
        msg("Go to Model"),
    ),
    StepLook(
        Step.CHECK, msg("Check"), "shield-check", msg("Whether the engine computes every op right"), msg("Go to Check")
    ),
    StepLook(
        Step.QUANTIZE, msg("Quantize"), "sliders-horizontal", msg("The precision of each layer"), msg("Go to Quantize")
    ),
    StepLook(
        Step.CONVERT, msg("Convert"), "package", msg("Make and verify the model for the phone"), msg("Go to Convert")
    ),
    StepLook(
        Step.RUN,
        msg("Run"),
        "activity",
        msg("Latency and memory on a device"),
        msg("Go to Run"),
    ),
    StepLook(
        Step.REPORT,
        msg("Report"),
        "file-text",
        msg("What is known, to hand on"),
        msg("Go to Report"),
    ),
)
