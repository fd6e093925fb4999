"""A run against its budget, limit by limit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from workbench.core.run import Budget
from workbench.ui.live.figures import Figures, p90_from
from workbench.ui.live.lanes import peak_budget_mb
from workbench.ui.live.recording import Reading, Recording
from workbench.ui.live.words import number, signed, three_digits
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
    if budget.p90_ms is not None:
        rows.extend(_latency(recording, figures, budget.p90_ms))
    limit_mb = peak_budget_mb(budget)
    if limit_mb is not None:
        rows.append(_memory(recording, limit_mb))
    if budget.heating_c is not None:
        rows.append(_heating(recording, budget.heating_c))
    return tuple(rows)


def _latency(recording: Recording, figures: Figures | None, limit: float) -> list[BudgetRow]:
    name = tr("Latency p90")
    if recording.outputs_are_wrong:
        return [BudgetRow(name, tr("no speed"), _of(limit), None)]
    rows = [_milliseconds(name, figures.p90.value if figures else None, limit)]
    if recording.slowdown is not None:
        hot = p90_from(recording, recording.slowdown.start)
        told = recording.slowdown.told
        rows.append(_milliseconds(tr("Latency p90, hot") if told else tr("Latency p90, slower"), hot, limit))
    return rows


def _milliseconds(name: str, value: float | None, limit: float) -> BudgetRow:
    if value is None:
        return BudgetRow(name, tr("not measured"), _of(limit), None)
    return BudgetRow(name, f"{number(value, three_digits(value))} ms", _of(limit), value <= limit)


def _memory(recording: Recording, limit_mb: float) -> BudgetRow:
    name = tr("Peak memory")
    peak = recording.peak_mb
    if math.isnan(peak):
        return BudgetRow(name, _why(recording.memory_reading), _of(limit_mb), None)
    return BudgetRow(name, f"{signed(peak, 0)} MB", _of(limit_mb), peak <= limit_mb)


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
    return tr("of {limit}", limit=number(limit, 0 if limit == round(limit) else three_digits(limit)))
