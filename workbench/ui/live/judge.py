"""A run against its budget, limit by limit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.core.numbers import decimals_of
from workbench.core.run import Budget
from workbench.ui.live.figures import Figures, p90_from
from workbench.ui.live.lanes import peak_budget_mb
from workbench.ui.live.recording import Reading, Recording
from workbench.ui.live.words import number, signed
from workbench.ui.text import tr


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """``within`` is None where the value is not known; ``value`` then says why."""

    name: str
    value: str
    limit: str
    within: bool | None


def judge(budget: Budget, recording: Recording, figures: Figures | None) -> tuple[BudgetRow, ...]:
    """A row for every limit of ``budget``; the p90 of a slowed down end has one of its own."""
    rows: list[BudgetRow] = []
    if budget.load_ms is not None:
        load = recording.loaded.load_ms if recording.loaded else None
        rows.append(_milliseconds(tr("Load"), load, budget.load_ms))
    rows.extend(_latencies(budget, recording, figures))
    limit_mb = peak_budget_mb(budget)
    if limit_mb is not None:
        rows.append(_memory(recording, limit_mb))
    if budget.temperature_c is not None:
        rows.append(_temperature(recording, budget.temperature_c))
    if budget.heating_c is not None:
        rows.append(_heating(recording, budget.heating_c))
    return tuple(rows)


def _latencies(budget: Budget, recording: Recording, figures: Figures | None) -> Iterator[BudgetRow]:
    limits = (
        (tr("Latency p50"), budget.p50_ms, figures.p50.value if figures else None),
        (tr("Latency p90"), budget.p90_ms, figures.p90.value if figures else None),
        (tr("Latency p99"), budget.p99_ms, figures.p99.value if figures else None),
    )
    for name, limit, value in limits:
        if limit is None:
            continue
        if recording.outputs_are_wrong:
            yield BudgetRow(name, tr("no speed"), _of(limit), None)
            continue
        yield _milliseconds(name, value, limit)
        if limit is budget.p90_ms:
            yield from _slowed(recording, limit)


def _slowed(recording: Recording, limit: float) -> Iterator[BudgetRow]:
    if recording.slowdown is not None:
        hot = p90_from(recording, recording.slowdown.start)
        told = recording.slowdown.told
        yield _milliseconds(tr("Latency p90, hot") if told else tr("Latency p90, slower"), hot, limit)


def _milliseconds(name: str, value: float | None, limit: float) -> BudgetRow:
    if value is None:
        return BudgetRow(name, tr("not measured"), _of(limit), None)
    return BudgetRow(name, f"{number(value, decimals_of(value))} ms", _of(limit), value <= limit)


def _memory(recording: Recording, limit_mb: float) -> BudgetRow:
    name = tr("Peak memory")
    peak = recording.peak_mb
    if math.isnan(peak):
        return BudgetRow(name, _why(recording.memory_reading), _of(limit_mb), None)
    return BudgetRow(name, f"{signed(peak, 0)} MB", _of(limit_mb), peak <= limit_mb)


def _temperature(recording: Recording, limit: float) -> BudgetRow:
    name = tr("Temperature")
    values = recording.temperature.v.values
    if len(values) == 0:
        return BudgetRow(name, _why(recording.temperature_reading), _of(limit), None)
    highest = float(values.max())
    return BudgetRow(name, f"{number(highest, 1)} °C", _of(limit), highest <= limit)


def _heating(recording: Recording, limit: float) -> BudgetRow:
    name = tr("Heating")
    values = recording.temperature.v.values
    if len(values) == 0:
        return BudgetRow(name, _why(recording.temperature_reading), _of(limit), None)
    rise = float(values.max() - values[0])
    return BudgetRow(name, f"{signed(rise, 1)} K", _of(limit), rise <= limit)


def _why(reading: Reading) -> str:
    return tr("not available") if reading is Reading.ABSENT else tr("not measured")


def _of(limit: float) -> str:
    return tr("of {limit}", limit=number(limit, 0 if limit == round(limit) else decimals_of(limit)))
