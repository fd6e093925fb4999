"""The limits that a run is held to, each a number with its unit; none is no limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from workbench.core.messages import Message, msg
from workbench.core.run import Budget
from workbench.ui.boxes import row
from workbench.ui.fields import prepare_spin
from workbench.ui.inspector.section import Section
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import text_label

_LABEL: Final = 92
_KIB_IN_MB: Final = 1e6 / 1024


@dataclass(frozen=True, slots=True)
class _Look:
    """``factor``: what one of ``unit`` is in the field of ``Budget``."""

    title: Message
    unit: str
    most: float
    decimals: int
    factor: float = 1.0


LOOKS: Final[Mapping[str, _Look]] = {
    "load_ms": _Look(msg("Load"), "ms", 3_600_000, 0),
    "p50_ms": _Look(msg("Latency p50"), "ms", 3_600_000, 2),
    "p90_ms": _Look(msg("Latency p90"), "ms", 3_600_000, 2),
    "p99_ms": _Look(msg("Latency p99"), "ms", 3_600_000, 2),
    "peak_kb": _Look(msg("Peak memory"), "MB", 1_000_000, 0, _KIB_IN_MB),
    "temperature_c": _Look(msg("Temperature"), "°C", 150, 1),
    "heating_c": _Look(msg("Heating"), "K", 100, 1),
}
"""By the fields of ``Budget``, in the order shown."""


class BudgetPart(Section):
    """``edited`` carries the Budget that a person set."""

    edited = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Budget"), parent=parent)
        self._budget = Budget()
        self._showing = False
        self.fields = {field: _spin(look) for field, look in LOOKS.items()}
        for field, spin in self.fields.items():
            line = row()
            label = text_label(say(LOOKS[field].title), "hint")
            label.setFixedWidth(theme().px(_LABEL))
            label.setBuddy(spin)
            line.addWidget(label)
            line.addWidget(spin, 1)
            self.content.addLayout(line)
            spin.valueChanged.connect(lambda value, which=field: self._edit(which, value))
        self.show_budget(Budget())

    def show_budget(self, budget: Budget) -> None:
        """Show ``budget`` without telling."""
        self._showing = True
        self._budget = budget
        limits = {field: getattr(budget, field) for field in LOOKS}
        for field, limit in limits.items():
            self.fields[field].setValue(0.0 if limit is None else limit / LOOKS[field].factor)
        count = sum(limit is not None for limit in limits.values())
        self.head.set_fact(_count_words(count))
        self._showing = False

    def _edit(self, field: str, value: float) -> None:
        if self._showing:
            return
        limit = value * LOOKS[field].factor if value > 0 else None
        self.edited.emit(replace(self._budget, **{field: limit}))


def _count_words(count: int) -> str:
    if count == 0:
        return tr("no limits")
    return tr("1 limit") if count == 1 else tr("{n} limits", n=count)


def _spin(look: _Look) -> QDoubleSpinBox:
    result = QDoubleSpinBox()
    result.setRange(0.0, look.most)
    result.setDecimals(look.decimals)
    result.setSpecialValueText(tr("no limit"))  # shown for the least value, 0
    result.setSuffix(f" {look.unit}")
    prepare_spin(result, tr("{what}, limit in {unit}", what=say(look.title), unit=look.unit))
    return result
