"""The sentence of answer over the graph, with a strip of shares and the progress of the check."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.app.session import State
from workbench.core.graph import Model
from workbench.core.messages import msg
from workbench.core.verdict import Answer, Status, condition_in_words
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

_ANSWERS: Final = {
    Answer.OK: msg("Ready: the engine computes all {total} ops right"),
    Answer.OK_WITH_CONDITION: msg("Ready under a condition"),
    Answer.UNSUPPORTED: msg("Not ready: the engine does not have {bad} of {total} ops"),
    Answer.WRONG: msg("Not ready: {bad} of {total} ops computed wrongly"),
    Answer.CRASH: msg("Not ready: the engine crashes on this model"),
    Answer.HANG: msg("Not ready: the engine does not finish this model"),
    Answer.UNVERIFIED: msg("Not verified: there is no reference to compare with"),
    Answer.INVALID: msg("Not a valid model"),
}
# By whether rewriting is on; for rewrites of the model as a whole, of one op, of several.
_REWRITABLE: Final = {
    False: (
        msg("Right once rewritten"),
        msg("Right once rewritten: 1 op"),
        msg("Right once rewritten: {n} ops"),
    ),
    True: (
        msg("Ready with exact rewrites"),
        msg("Ready with exact rewrites: 1 op"),
        msg("Ready with exact rewrites: {n} ops"),
    ),
}


class AnswerBar(QWidget):
    """One sentence for the step; the window gives it the state and the check that runs.

    ``wanted`` carries a window command's id: the button beside the sentence switches rewriting on or off.
    """

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel", line="bottom")
        self.sentence = TwoLines("sentence")
        self.detail = ElidedLabel("", "hint")
        self.strip = ShareStrip()
        self.progress = progress_bar(tr("Progress of the check"))
        self.fix = button("", "wrench", "soft")
        self.fix.setToolTip(tr("The same on the command line: {option}", option="workbench convert --rewrite"))
        self.fix.clicked.connect(lambda: self.wanted.emit("fix-all"))
        self.keep = button(tr("Turn off rewrites"), "x", "flat")
        self.keep.clicked.connect(lambda: self.wanted.emit("rewrites-off"))
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
        for act in (self.fix, self.keep, self.cancel):
            layout.addWidget(act)
        self.setMinimumHeight(theme().px(50))

    def show_state(self, step: Step, state: State, outline: Outline, check: JobRecord | None) -> None:
        """``check``: the check at work, None where none is."""
        is_checking = check is not None and step not in PLAN_STEPS
        self.progress.setVisible(False)
        self.cancel.setVisible(is_checking)
        offers = state.is_rewritable and not is_checking and step not in PLAN_STEPS
        self.fix.setVisible(offers and not state.is_rewriting)
        self.keep.setVisible(offers and state.is_rewriting)
        self.strip.setVisible(False)
        if check is not None and is_checking:
            self._show_progress(check)
        elif step in PLAN_STEPS:
            self.sentence.set_text(plan_sentence(state))
            self.detail.set_text("")
        elif state.report is not None:
            self._show_report(state)
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

    def _show_report(self, state: State) -> None:
        counts = Counter(verdict.status for verdict in state.verdicts.values())
        self.sentence.set_text(answer_sentence(state))
        self.fix.setText(fix_all_text(state))
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


def fix_all_text(state: State) -> str:
    """ "Fix all (2)", with the number of ops that would be rewritten."""
    fixable = _fixable(state)
    return tr("Fix all ({n})", n=count_text(fixable)) if fixable else tr("Fix all")


def _fixable(state: State) -> int:
    return sum(verdict.fix is not None for verdict in state.verdicts.values())


def answer_sentence(state: State) -> str:
    """Whether the checked model is ready, and why not."""
    report = state.report
    assert report is not None
    if report.is_rewritable:
        fixable = _fixable(state)
        return tr(_REWRITABLE[state.is_rewriting][min(fixable, 2)].template, n=count_text(fixable))
    bad = sum(verdict.status.is_bad for verdict in report.nodes)
    if report.verdict.is_yes and report.conditions:
        return tr("Ready. {conditions}", conditions=conditions_text(report.conditions))
    words = tr(_ANSWERS[report.verdict].template, bad=bad, total=count_text(len(report.nodes)))
    if report.verdict.is_yes or bad or report.reason is None:
        return words
    return tr("{answer}. {reason}", answer=words, reason=say(report.reason))
