"""The input contract: what a model's input holds, for calibration, host and phone alike."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.graph import Shape


@dataclass(frozen=True, slots=True)
class InputContract:
    """One input. ``mean`` and ``std`` (one value a channel) turn stored samples into what the model takes.

    ``layout`` names the axes ("NCHW", "NHWC", "NC", "" where unknown). ``low`` and ``high`` bound
    generated values: token ids of an embedding must stay below its rows.
    """

    name: str
    shape: Shape
    dtype: str
    layout: str = ""
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    low: float | None = None
    high: float | None = None
