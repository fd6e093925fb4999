"""What is asked of a run. Apart from what is measured in it, which a window that starts does not need."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits a run is held to; None where there is none (core/budget).

    ``peak_kb``: above the baseline, in units of 1,024 bytes. ``temperature_c``: the highest; ``heating_c``: the
    rise since the run began.
    """

    load_ms: float | None = None
    p50_ms: float | None = None
    p90_ms: float | None = None
    p99_ms: float | None = None
    peak_kb: float | None = None
    temperature_c: float | None = None
    heating_c: float | None = None


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What is asked of the device. ``seconds`` > 0 takes the place of ``iterations``."""

    backend: str = "cpu"
    threads: int = 1
    precision: str = "normal"
    memory: str = "normal"
    warmup: int = 3
    iterations: int = 50
    seconds: float = 0.0
    ops: bool = False
    budget: Budget = Budget()
