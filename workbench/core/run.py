"""A run: what was asked (core/run_config), and what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.core.messages import Message
from workbench.core.op import Op
from workbench.core.run_config import Budget, RunConfig

__all__ = (
    "Budget",
    "BudgetVerdict",
    "Latency",
    "ProfiledOp",
    "RunConfig",
    "RunMemory",
    "RunOutputs",
    "RunSummary",
)


@dataclass(frozen=True, slots=True)
class BudgetVerdict:
    """A limit and what was measured, both in ``unit``. ``value`` is None where it was not measured: not kept.

    ``reason`` says why it was not.
    """

    name: str
    limit: float
    unit: str
    value: float | None
    kept: bool
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds over ``n`` steady runs. ``ci95``: interval of the median (order statistics).

    Made by ``core.statistics.latency``. ``ci95`` is None below 6 runs, ``stdev`` NaN for one.
    """

    p50: float
    p90: float
    p99: float
    mean: float
    stdev: float
    ci95: tuple[float, float] | None
    n: int


@dataclass(frozen=True, slots=True)
class RunMemory:
    """Resident kilobytes: before the model was loaded, and at the peak."""

    baseline_kb: int
    peak_kb: int


@dataclass(frozen=True, slots=True)
class RunOutputs:
    """The device's outputs against the reference, on the inputs that were pushed."""

    max_rel_error: float
    right: bool


@dataclass(frozen=True, slots=True)
class ProfiledOp(Op):
    """An operator's time, with the id and the name of the model's node it belongs to; None where that is not known."""

    node: str | None = None
    node_name: str | None = None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What ``run`` answers. ``temperature``: zone to (first, last, highest) in degrees Celsius.

    ``simulated``: the device's temperatures and clocks were made up, the rest measured on this computer.
    """

    load_ms: float | None
    first_ms: float | None
    latency_ms: Latency | None
    memory: RunMemory | None
    temperature: Mapping[str, tuple[float, float, float]]
    ops: tuple[ProfiledOp, ...]
    outputs: RunOutputs | None
    requested: Mapping[str, str | int | float]
    actual: Mapping[str, str | int | float]
    dropped: int
    warnings: tuple[Message, ...] = field(default=())
    simulated: bool = False
    budget: tuple[BudgetVerdict, ...] = ()
