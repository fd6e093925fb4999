"""What the check says of the selected operator: verdict, reason, evidence, fix."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.app.session import State
from workbench.core.messages import Message, msg, plain
from workbench.core.verdict import Status, Verdict, condition_in_words
from workbench.ui.boxes import PANEL_INSET, column, row
from workbench.ui.buttons import button
from workbench.ui.inspector.section import Facts, HeadLine
from workbench.ui.numbers import count_text, error_text
from workbench.ui.text import say, tr
from workbench.ui.widgets.badge import TintBadge, VerdictBadge
from workbench.ui.widgets.labels import text_label

_SENTENCES: Final = {
    Status.RIGHT: msg("The engine computes this op right"),
    Status.CONDITION: msg("Right under a condition"),
    Status.WRONG: msg("The engine computes this op wrongly"),
    Status.CRASH: msg("The engine crashes on this op"),
    Status.HANG: msg("The engine does not finish this op"),
    Status.UNSUPPORTED: msg("The engine does not have this op"),
    Status.NOT_CHECKED: msg("Not checked yet"),
    Status.FIXED: msg("Fixed by a rewrite"),
}
_EVIDENCE_NAMES: Final[dict[str, Message]] = {
    "max_rel_error": msg("Largest error"),
    "relative_l2": msg("Relative L2"),
    "cosine": msg("Cosine"),
    "inputs": msg("Inputs tried"),
    "sizes": msg("Sizes tried"),
    "tolerance": msg("Limit"),
    "exact_failures": msg("Outputs not exact"),
    "signal": msg("Signal"),
    "seconds": msg("Seconds"),
    "input": msg("Worst input"),
    "measured": msg("Measured"),
    "model_max_rel_error": msg("Largest error, whole model"),
}


class VerdictPart(QWidget):
    """Hidden parts have nothing to say; nothing here is made up where the check was silent.

    ``wanted`` carries a window command's id.
    """

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = column(self, gap=8, inset=(PANEL_INSET, 12, PANEL_INSET, 16))
        self.badge = VerdictBadge()
        self.engine = text_label("", "hint")
        top = row()
        top.addWidget(self.badge)
        top.addStretch(1)
        top.addWidget(self.engine)
        self.sentence = text_label("", "sentence", wrap=True)
        self.reason = text_label("", "", wrap=True)
        self.conditions = text_label("", "", wrap=True)
        self.evidence_head = HeadLine(tr("Evidence"), tr("against onnxruntime"))
        self.evidence = Facts(wrap=True)
        self.diverges = text_label(tr("The first op whose numbers differ."), "hint", wrap=True)
        self.fix_head = HeadLine(tr("Fix"), tag=TintBadge(tr("Exact rewrite"), "right"))
        self.fix = text_label("", "", wrap=True)
        self.fix_effect = text_label("", "hint", wrap=True)
        self.fix_all = button(tr("Fix all"), "wrench", "soft")
        self.fix_all.clicked.connect(lambda: self.wanted.emit("fix-all"))
        self.fixed = text_label(tr("Rewritten when the model is converted."), "hint", wrap=True)
        layout.addLayout(top)
        for widget in (
            self.sentence,
            self.reason,
            self.conditions,
            self.evidence_head,
            self.evidence,
            self.diverges,
            self.fix_head,
            self.fix,
            self.fix_effect,
            self.fixed,
        ):
            layout.addWidget(widget)
        layout.addWidget(self.fix_all, 0, Qt.AlignmentFlag.AlignLeft)

    def show_verdict(self, verdict: Verdict | None, state: State, node: str) -> None:
        """``verdict`` None: no check has spoken of this node."""
        report = state.report
        status = verdict.status if verdict is not None else Status.NOT_CHECKED
        self.badge.set_status(status, fixable=verdict is not None and verdict.fix is not None)
        engine = f"{report.engine_name} {report.engine_version}" if report is not None else ""
        self.engine.setText(tr("by {engine}", engine=engine) if engine else "")
        self.sentence.setText(say(_SENTENCES[status]))
        reason = say(verdict.reason) if verdict is not None and verdict.reason is not None else ""
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        conditions = report.conditions if report is not None and status is Status.CONDITION else ()
        self.conditions.setVisible(bool(conditions))
        self.conditions.setText("\n".join(say(condition_in_words(one)) for one in conditions))
        evidence = tuple(verdict.evidence.items()) if verdict is not None else ()
        self.evidence_head.setVisible(bool(evidence))
        fixed = status is Status.FIXED
        self.evidence_head.fact.setText(tr("as it is, against onnxruntime") if fixed else tr("against onnxruntime"))
        self.evidence.setVisible(bool(evidence))
        self.evidence.set_facts((_evidence_name(name), evidence_text(name, value)) for name, value in evidence)
        self.diverges.setVisible(report is not None and report.first_diverging_node == node)
        self._show_fix(verdict, state)

    def _show_fix(self, verdict: Verdict | None, state: State) -> None:
        fix = verdict.fix if verdict is not None else None
        effect = verdict.fix_effect if verdict is not None else None
        self.fix_head.setVisible(fix is not None)
        for label, message in ((self.fix, fix), (self.fix_effect, effect)):
            label.setVisible(message is not None)
            label.setText(say(message) if message is not None else "")
        self.fix_all.setVisible(fix is not None and state.is_rewritable and not state.is_rewriting)
        self.fixed.setVisible(fix is not None and state.is_rewritable and state.is_rewriting)


def _evidence_name(name: str) -> str:
    known = _EVIDENCE_NAMES.get(name)
    return say(known) if known is not None else plain(name.replace("_", " "))


def evidence_text(name: str, value: float | int | str) -> str:
    """A figure of the evidence as people read it."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return count_text(value)
    if not math.isfinite(value):  # another shape, or a NaN where the reference has a number
        return tr("not comparable")
    return f"{value:.5f}" if name == "cosine" else error_text(value)
