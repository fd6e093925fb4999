"""The runs of a report as a table: one line a run, numbers right, wrong outputs without a speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.app.session import FinishedRun, State
from workbench.core.numbers import three_digits
from workbench.core.run import RunSummary
from workbench.core.verdict import Status
from workbench.ui.boxes import empty, rule
from workbench.ui.device_words import device_title
from workbench.ui.numbers import count_text, ms_text
from workbench.ui.steps_done import plan_word
from workbench.ui.text import tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.badge import TintBadge, VerdictBadge
from workbench.ui.widgets.labels import ElidedLabel, text_label

_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ROW: Final = 28
_NONE: Final = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run in words. ``outputs``: how its outputs stand against the reference; ``over``: a limit was not kept."""

    plan: str
    device: str
    p50: str
    interval: str
    p99: str
    memory: str
    runs: str
    outputs: Status
    over: bool

    @property
    def numbers(self) -> tuple[str, ...]:
        return (self.p50, self.interval, self.p99, self.memory, self.runs)


def run_line(run: FinishedRun, state: State) -> RunLine:
    """What the table says of ``run``; wrong outputs get no speed."""
    summary = run.summary
    outputs = Status.NOT_CHECKED
    if summary.outputs is not None:
        outputs = Status.RIGHT if summary.outputs.right else Status.WRONG
    memory = summary.memory
    peak = f"+{three_digits((memory.peak_kb - memory.baseline_kb) * 1024 / 1e6)} MB" if memory is not None else _NONE
    p50, interval, p99, runs = _speed(summary, outputs)
    over = any(not verdict.kept for verdict in summary.budget)
    device = device_title(run.device)
    if run.device.simulated:
        device = tr("{device}: this computer's processor", device=device)
    return RunLine(plan_word(state, run.plan), device, p50, interval, p99, peak, runs, outputs, over)


def _speed(summary: RunSummary, outputs: Status) -> tuple[str, str, str, str]:
    latency = summary.latency_ms
    if outputs is Status.WRONG:
        return tr("no speed"), _NONE, _NONE, _NONE
    if latency is None:
        return tr("not measured"), _NONE, _NONE, _NONE
    interval = _NONE
    if latency.ci95 is not None:
        interval = tr("{low} to {high}", low=three_digits(latency.ci95[0]), high=three_digits(latency.ci95[1]))
    return ms_text(latency.p50), interval, ms_text(latency.p99), count_text(latency.n)


class RunsTable(QWidget):
    """Made anew when the runs change: there are few."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Runs on devices"))
        self._shown: tuple[RunLine, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme().px(24))
        self._grid.setVerticalSpacing(0)

    def show_runs(self, lines: tuple[RunLine, ...]) -> None:
        """``lines`` from above."""
        if lines == self._shown:
            return
        self._shown = lines
        empty(self._grid)
        if not lines:
            return
        self._head()
        for at, line in enumerate(lines, start=1):
            self._line(2 * at, line)

    def accessible_text(self) -> str:
        """All lines, as they are read."""
        return "\n".join(
            ", ".join((line.plan, line.device, *line.numbers, line.outputs.word.template)) for line in self._shown
        )

    def _head(self) -> None:
        numbers = ("p50", tr("95 % interval, ms"), "p99", tr("Peak memory"), tr("Runs"))
        for at, name in enumerate((tr("Plan"), tr("Device"), *numbers, tr("Outputs"))):
            label = text_label(name, "head")
            label.setMinimumHeight(theme().px(_ROW))
            if 2 <= at < 2 + len(numbers):
                label.setAlignment(_RIGHT)
            self._grid.addWidget(label, 0, at)
        self._grid.addWidget(rule(), 1, 0, 1, 8)
        self._grid.setColumnStretch(0, 3)
        self._grid.setColumnStretch(1, 4)

    def _line(self, at: int, line: RunLine) -> None:
        self._grid.addWidget(ElidedLabel(line.plan, "table"), at, 0)
        self._grid.addWidget(text_label(line.device, "table", wrap=True), at, 1)
        for column, number in enumerate(line.numbers, start=2):
            label = text_label(number, "table" if column == 2 else "hint")
            label.setAlignment(_RIGHT)
            self._grid.addWidget(label, at, column)
        right_and_over = line.over and line.outputs is not Status.WRONG
        badge = TintBadge(tr("Over budget"), "condition") if right_and_over else VerdictBadge(line.outputs)
        self._grid.addWidget(badge, at, 7, Qt.AlignmentFlag.AlignVCenter)
        self._grid.setRowMinimumHeight(at, theme().px(_ROW))
        self._grid.addWidget(rule(), at + 1, 0, 1, 8)
