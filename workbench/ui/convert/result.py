"""What a conversion came to: the file, and both figures, each under its own name."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.core.artifact import AppliedLayer, Artifact
from workbench.core.plan import QuantPlan
from workbench.core.verdict import Figure, Status, Verification
from workbench.ui.boxes import column, row
from workbench.ui.inspector.section import Facts
from workbench.ui.numbers import bytes_text, count_text, error_text
from workbench.ui.text import say, tr
from workbench.ui.widgets.badge import VerdictBadge
from workbench.ui.widgets.labels import surface, text_label
from workbench.ui.workspace.answer import conditions_text

if TYPE_CHECKING:
    from workbench.engines.convert import ConvertReport


class FigureBox(QWidget):
    """One figure: what was compared with what, how close it is, and whether that is right."""

    def __init__(self, title: str, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "group")
        layout = column(self, gap=8, inset=12)
        head = row()
        head.addWidget(text_label(title, "strong"), 1)
        self.badge = VerdictBadge()
        head.addWidget(self.badge)
        layout.addLayout(head)
        layout.addWidget(text_label(about, "hint", wrap=True))
        self.facts = Facts()
        layout.addWidget(self.facts)

    def show_engine(self, figure: Figure) -> None:
        """MNN against the reference that has the plan's own weights."""
        self.badge.set_status(Status.RIGHT if figure.right else Status.WRONG)
        facts = [
            (tr("Largest error"), _largest(figure.max_rel_error)),
            (tr("Limit"), error_text(figure.tolerance)),
            (tr("Tried on"), tr("{inputs} inputs, {sizes} sizes", inputs=figure.inputs, sizes=figure.sizes)),
        ]
        if figure.exact_failures:
            facts.append((tr("Outputs not exact"), count_text(figure.exact_failures)))
        self.facts.set_facts(facts)

    def show_price(self, figure: Figure) -> None:
        """The quantized model against the float model."""
        self.badge.set_status(
            Status.RIGHT if figure.right else Status.WRONG,
            text=tr("Within the limit") if figure.right else tr("Over the limit"),
        )
        self.facts.set_facts(
            [
                (tr("Relative L2"), error_text(figure.relative_l2)),
                (tr("Cosine"), f"{figure.cosine:.5f}"),
                (tr("Limit"), error_text(figure.tolerance)),
            ]
        )


class ConversionResult(QWidget):
    """Shows a ConvertReport."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = column(self, gap=16)
        self.reason = text_label("", "", wrap=True)
        self.file = Facts()
        self.engine = FigureBox(tr("Engine"), tr("MNN against onnxruntime, both with the weights of this plan"))
        self.price = FigureBox(tr("Price of the plan"), tr("The quantized model against the float model"))
        self.conditions = text_label("", "hint", wrap=True)
        for widget in (self.reason, self.file, self.engine, self.price, self.conditions):
            layout.addWidget(widget, alignment=Qt.AlignmentFlag(0))

    def show_report(self, report: ConvertReport, plan: QuantPlan) -> None:
        """The answer of a conversion, yes or no."""
        self._show_reason(say(report.reason) if report.reason is not None else "")
        self.file.set_facts([*_file_facts(report.artifact), *_read_back(report.layers_applied, plan)])
        self._show_figures(report.verification or Verification(None), report.conditions)

    def show_artifact(self, artifact: Artifact) -> None:
        """What is recorded of an artifact that was made before."""
        self._show_reason("")
        self.file.set_facts([*_file_facts(artifact), *_read_back(artifact.layers_applied, artifact.plan)])
        self._show_figures(artifact.verification, artifact.conditions)

    def _show_reason(self, reason: str) -> None:
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))

    def _show_figures(self, verification: Verification, conditions: tuple[str, ...]) -> None:
        self.engine.setVisible(verification.engine is not None)
        if verification.engine is not None:
            self.engine.show_engine(verification.engine)
        self.price.setVisible(verification.price is not None)
        if verification.price is not None:
            self.price.show_price(verification.price)
        self.conditions.setVisible(bool(conditions))
        self.conditions.setText(conditions_text(conditions))


def _file_facts(artifact: Artifact | None) -> list[tuple[str, str]]:
    if artifact is None:
        return []
    path = Path(artifact.path)
    return [
        (tr("File"), path.name),
        (tr("Folder"), str(path.parent)),
        (tr("Size"), bytes_text(artifact.bytes)),
        (tr("SHA-256"), f"{artifact.sha256[:16]}\N{HORIZONTAL ELLIPSIS}"),
    ]


def _read_back(applied: tuple[AppliedLayer, ...], plan: QuantPlan) -> list[tuple[str, str]]:
    """Whether the converter did what the plan says."""
    if not plan.changes_weights or not applied:
        return []
    kept = sum(layer.bits == plan.of(layer.node).bits for layer in applied)
    text = tr("{kept} of {total} layers have the bits you chose", kept=kept, total=len(applied))
    return [(tr("Read back"), text)]


def _largest(error: float) -> str:
    if not math.isfinite(error):  # another shape, or a NaN where the reference has a number
        return tr("not comparable")
    return tr("{error} of the largest value", error=error_text(error))
