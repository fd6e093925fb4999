"""The sentence of answer over the graph, with a strip of shares and the progress of the check."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QWidget

from workbench.app.session import State
from workbench.core.graph import Model
from workbench.core.messages import msg
from workbench.core.verdict import Answer, CheckReport, Status, condition_in_words
from workbench.ui.boxes import PANEL_INSET, column, row
from workbench.ui.buttons import button
from workbench.ui.graph.texts import amount
from workbench.ui.jobbook import JobRecord
from workbench.ui.layers.columns import PLAN_STEPS
from workbench.ui.layers.outline import Outline
from workbench.ui.numbers import bytes_text, count_text, seconds_text
from workbench.ui.progress import progress_bar, show_fraction
from workbench.ui.step import Step
from workbench.ui.text import listed, say, sentences, tr
from workbench.ui.theme.theme import theme
from workbench.ui.theme.tokens import SEVERITY
from workbench.ui.widgets.badge import status_count
from workbench.ui.widgets.labels import ElidedLabel, TwoLines, surface
from workbench.ui.widgets.share_strip import ShareStrip

_SHARES: Final = {
    Status.RIGHT: "right",
    Status.FIXED: "right",
    Status.CONDITION: "condition",
    Status.WRONG: "wrong_solid.bg",
    Status.CRASH: "crash_solid.bg",
    Status.HANG: "text2",
    Status.UNSUPPORTED: "unsupported_solid.bg",
    Status.NOT_CHECKED: "border2",
}

_BAD: Final = frozenset({Status.WRONG, Status.UNSUPPORTED, Status.CRASH, Status.HANG})
_ANSWERS: Final = {
    Answer.OK: msg("Ready: the engine computes all {total} ops right"),
    Answer.OK_WITH_CONDITION: msg("Ready under a condition"),
    Answer.REWRITABLE: msg("Not ready as it is: exact rewrites make {bad} of {total} ops right"),
    Answer.UNSUPPORTED: msg("Not ready: the engine does not have {bad} of {total} ops"),
    Answer.WRONG: msg("Not ready: {bad} of {total} ops computed wrongly"),
    Answer.CRASH: msg("Not ready: the engine crashes on this model"),
    Answer.HANG: msg("Not ready: the engine does not finish this model"),
    Answer.UNVERIFIED: msg("Not verified: there is no reference to compare with"),
    Answer.INVALID: msg("Not a valid model"),
}


class AnswerBar(QWidget):
    """One sentence for the step; the window gives it the state and the check that runs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel", line="bottom")
        self.sentence = TwoLines("sentence")
        self.detail = ElidedLabel("", "hint")
        self.strip = ShareStrip()
        self.progress = progress_bar(tr("Progress of the check"))
        self.cancel = button(tr("Cancel"), "x")
        layout = row(self, gap=16, inset=(PANEL_INSET, 8, PANEL_INSET, 8))
        words = column(gap=6)
        words.addStretch(1)
        words.addWidget(self.sentence)
        # An empty layout would hold its neighbours to its own width of nothing: a widget does not.
        self._under = QWidget()
        under = row(self._under, gap=12)
        under.addWidget(self.strip, 3)
        under.addWidget(self.progress, 3)
        under.addWidget(self.detail, 2)
        words.addWidget(self._under)
        words.addStretch(1)
        layout.addLayout(words, 1)
        layout.addWidget(self.cancel)
        self.setMinimumHeight(theme().px(50))

    def show_state(self, step: Step, state: State, outline: Outline, check: JobRecord | None) -> None:
        """``check``: the check at work, None where none is."""
        is_checking = check is not None and step not in PLAN_STEPS
        self.progress.setVisible(False)
        self.cancel.setVisible(is_checking)
        self.strip.setVisible(False)
        if check is not None and is_checking:
            self._show_progress(check)
        elif step in PLAN_STEPS:
            self.sentence.set_text(plan_sentence(state))
            self.detail.set_text("")
        elif state.report is not None:
            self._show_report(state.report)
        else:
            assert state.model is not None
            self.sentence.set_text(model_sentence(state.model, outline))
            self.detail.set_text(tr("Not checked yet."))
        self.detail.setVisible(bool(self.detail.text()))
        self._under.setVisible(is_checking or not self.strip.isHidden() or not self.detail.isHidden())

    def _show_progress(self, check: JobRecord) -> None:
        self.sentence.set_text(tr("Checking whether the engine computes every op right"))
        text = say(check.text) if check.text is not None else ""
        show_fraction(self.progress, check.fraction)
        self.detail.set_text(listed([part for part in (text, seconds_text(check.elapsed())) if part]))

    def _show_report(self, report: CheckReport) -> None:
        counts = Counter(verdict.status for verdict in report.nodes)
        self.sentence.set_text(answer_sentence(report, counts))
        words = [status_count(status, counts[status]) for status in reversed(SEVERITY) if counts[status]]
        self.detail.set_text(listed(words))
        self.strip.setVisible(bool(counts))
        shares = [(float(counts[status]), _SHARES[status]) for status in reversed(SEVERITY) if counts[status]]
        self.strip.set_shares(shares, listed(words))


def model_sentence(model: Model, outline: Outline) -> str:
    """What the file holds."""
    return tr(
        "{name}: {ops} ops, {parameters} parameters, {size}",
        name=Path(model.path).name,
        ops=count_text(len(outline.rows)),
        parameters=amount(outline.parameters),
        size=bytes_text(model.bytes),
    )


def plan_sentence(state: State) -> str:
    """What the plan does."""
    counts = Counter(state.plan.of(node).bits for node in state.layers)
    if not state.layers:
        return tr("No layer of this model can be quantized")
    if set(counts) == {0}:
        return tr("All {n} layers stay float", n=count_text(len(state.layers)))
    if len(counts) == 1:
        return tr("All {n} layers at {bits} bit", n=count_text(len(state.layers)), bits=next(iter(counts)))
    parts = [
        tr("{n} float", n=count_text(count)) if bits == 0 else tr("{n} at {bits} bit", n=count_text(count), bits=bits)
        for bits, count in sorted(counts.items(), key=lambda pair: -pair[0])
    ]
    return tr("{n} layers: {parts}", n=count_text(len(state.layers)), parts=listed(parts))


def conditions_text(conditions: tuple[str, ...]) -> str:
    """What every run keeps to, and why."""
    return sentences([say(condition_in_words(condition)) for condition in conditions])


def answer_sentence(report: CheckReport, counts: Counter[Status]) -> str:
    """Whether the model is ready, and why not."""
    bad = sum(count for status, count in counts.items() if status in _BAD)
    if report.verdict.is_yes and report.conditions:
        return tr("Ready. {conditions}", conditions=conditions_text(report.conditions))
    words = tr(_ANSWERS[report.verdict].template, bad=bad, total=count_text(len(report.nodes)))
    if report.verdict.is_yes or bad or report.reason is None:
        return words
    return tr("{answer}. {reason}", answer=words, reason=say(report.reason))
