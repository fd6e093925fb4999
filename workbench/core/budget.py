"""A run's budget: limits in a user's words, and whether a run kept them.

What was not measured is not kept: a budget that nothing was held against says nothing. That is
so for the speed of a run whose outputs are wrong, for a percentile of too few runs to bound it,
for memory and temperatures that the device does not tell, and for the made-up temperatures of a
simulated phone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from workbench.core.errors import UsageError
from workbench.core.messages import Message, msg
from workbench.core.run import Budget, BudgetVerdict, RunSummary
from workbench.core.statistics import least_runs
from workbench.core.zones import choose

Measured: TypeAlias = "float | Message"
"""A value in the unit of the limit's field, or why there is none."""

_MILLISECONDS: Final = {"us": 1e-3, "µs": 1e-3, "ms": 1.0, "s": 1e3}
_KIBIBYTES: Final = {"kb": 1e3 / 1024, "mb": 1e6 / 1024, "gb": 1e9 / 1024, "kib": 1.0, "mib": 1024.0, "gib": 1024.0**2}
_CELSIUS: Final = {"c": 1.0, "°c": 1.0}
_KELVIN: Final = {"k": 1.0, **_CELSIUS}
_LIMIT: Final = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)\s*(?P<unit>[a-zµ°]*)", re.IGNORECASE)
_NOT_MEASURED: Final = msg("it was not measured")


@dataclass(frozen=True, slots=True)
class _Line:
    """``units``: what one of each is in the field's own unit; ``shown`` of them is told, under the name ``unit``."""

    field: str
    units: Mapping[str, float]
    unit: str
    example: str
    measured: Callable[[RunSummary], Measured]

    def told(self, value: float) -> float:
        """``value``, which is in the field's unit, in ``unit``."""
        return round(value / self.units[self.unit.lower()], 6)


def _speed(value: float | None) -> Callable[[RunSummary], Measured]:
    """The quantile ``value`` of the steady runs, or the load for None."""

    def measured(summary: RunSummary) -> Measured:
        if value is None:
            return _NOT_MEASURED if summary.load_ms is None else summary.load_ms
        if summary.outputs is not None and not summary.outputs.right:
            return msg("the outputs are wrong, so there is no speed")
        latency = summary.latency_ms
        if latency is None:
            return _NOT_MEASURED
        needed = least_runs(value)
        if latency.n < needed:
            return msg("{n} runs are too few: it takes {needed}", n=latency.n, needed=needed)
        figure: float = getattr(latency, f"p{value * 100:.0f}")
        return figure

    return measured


def _memory(summary: RunSummary) -> Measured:
    memory = summary.memory
    return msg("the device does not tell it") if memory is None else float(memory.peak_kb - memory.baseline_kb)


def _temperature(summary: RunSummary) -> Measured:
    return _of_zones(summary, lambda first, highest: max(highest))


def _heating(summary: RunSummary) -> Measured:
    return _of_zones(summary, lambda first, highest: max(highest) - max(first))


def _of_zones(summary: RunSummary, figure: Callable[[list[float], list[float]], float]) -> Measured:
    if summary.simulated:
        return msg("a simulated phone's temperatures are made up")
    zones = choose(summary.temperature)
    if zones is None:
        return msg("the device does not tell it")
    followed = [summary.temperature[name] for name in zones.names]
    return figure([first for first, _, _ in followed], [highest for _, _, highest in followed])


_LINES: Final[Mapping[str, _Line]] = {
    "load": _Line("load_ms", _MILLISECONDS, "ms", "load=300ms", _speed(None)),
    "p50": _Line("p50_ms", _MILLISECONDS, "ms", "p50=20ms", _speed(0.5)),
    "p90": _Line("p90_ms", _MILLISECONDS, "ms", "p90=20ms", _speed(0.9)),
    "p99": _Line("p99_ms", _MILLISECONDS, "ms", "p99=20ms", _speed(0.99)),
    "memory": _Line("peak_kb", _KIBIBYTES, "MB", "memory=200MB", _memory),
    "temperature": _Line("temperature_c", _CELSIUS, "°C", "temperature=45C", _temperature),
    "heating": _Line("heating_c", _KELVIN, "K", "heating=8K", _heating),
}
NAMES: Final = tuple(_LINES)


def parse_budget(texts: Iterable[str]) -> Budget:
    """The budget of ``NAME=LIMIT`` words such as ``p90=20ms``. Raises UsageError."""
    budget = Budget()
    for text in texts:
        name, limit = _parsed(text)
        field = _LINES[name].field
        if getattr(budget, field) is not None:
            raise _misfit(msg("{name} has two limits", name=name), msg("Give it once."))
        budget = replace(budget, **{field: limit})
    return budget


def budget_words(budget: Budget) -> tuple[str, ...]:
    """``budget`` as ``parse_budget`` takes it."""
    return tuple(
        f"{name}={line.told(limit):.6f}".rstrip("0").rstrip(".") + line.unit.removeprefix("°")
        for name, line in _LINES.items()
        if (limit := getattr(budget, line.field)) is not None
    )


def _parsed(text: str) -> tuple[str, float]:
    name, equals, said = text.partition("=")
    name = name.strip()
    if not equals:
        raise _misfit(msg("{text} is not NAME=LIMIT", text=text), msg("Write it as p90=20ms or memory=200MB."))
    line = _LINES.get(name)
    if line is None:
        raise _misfit(
            msg("There is no limit called {name}", name=name), msg("The names are: {names}.", names=", ".join(NAMES))
        )
    match = _LIMIT.fullmatch(said.strip())
    factor = line.units.get(match["unit"].lower()) if match else None
    if match is None or factor is None:
        raise _misfit(
            msg("{limit} is no limit of {name}", limit=said, name=name),
            msg("Give a number and its unit, such as {example}.", example=line.example),
        )
    limit = float(match["number"]) * factor
    if not 0 < limit < math.inf:
        raise _misfit(msg("{value} is not possible", value=said), msg("A limit is a number above 0."))
    return name, limit


def _misfit(what: Message, hint: Message) -> UsageError:
    return UsageError(what, where="--budget", hint=hint)


def judge_budget(budget: Budget, summary: RunSummary) -> tuple[BudgetVerdict, ...]:
    """A verdict for every limit of ``budget``, in the order of ``NAMES``."""
    return tuple(
        _judged(name, line, limit, summary)
        for name, line in _LINES.items()
        if (limit := getattr(budget, line.field)) is not None
    )


def _judged(name: str, line: _Line, limit: float, summary: RunSummary) -> BudgetVerdict:
    measured = line.measured(summary)
    if isinstance(measured, Message):
        return BudgetVerdict(name, line.told(limit), line.unit, None, kept=False, reason=measured)
    return BudgetVerdict(name, line.told(limit), line.unit, line.told(measured), kept=measured <= limit)
