"""The Report page: what is known so far, and the file that says so."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.artifact import WHOLE_MODEL, Artifact, by_rule
from workbench.core.metric import Accuracy
from workbench.core.verdict import Figure
from workbench.ui.boxes import column, header, row
from workbench.ui.buttons import button
from workbench.ui.flow import Flow
from workbench.ui.icon_label import IconLabel
from workbench.ui.inspector.section import Facts
from workbench.ui.numbers import bytes_text, count_text, error_text
from workbench.ui.report.runs import RunsTable, run_line
from workbench.ui.scrolling import scrolled
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import ElidedLabel, surface, text_label
from workbench.ui.workspace.answer import answer_sentence, model_sentence, plan_sentence

_WIDTH: Final = 840
_RUNS: Final = 12


class ReportPage(QWidget):
    """Sections in the order of the work; what was not done is said to be so."""

    def __init__(self, session: Session, flow: Flow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._flow = session, flow
        surface(self, "panel")
        self.written = QWidget()
        surface(self.written, "right")
        self.where = ElidedLabel("", "table", Qt.TextElideMode.ElideMiddle)
        self.open = button(tr("Open"), "external-link")
        self.open.clicked.connect(self._open_report)
        self._path = Path()
        told = row(self.written, gap=12, inset=(16, 8, 16, 8))
        told.addWidget(IconLabel("circle-check", ink="right"))
        told.addWidget(text_label(tr("Report written"), "strong"))
        told.addWidget(self.where, 1)
        told.addWidget(self.open)
        self.written.hide()
        head = QWidget()
        header(head).addWidget(text_label(tr("Report"), "strong"))
        inside = QWidget()
        surface(inside, "panel")
        centre = row(inside, inset=32)
        body = QWidget()
        body.setMaximumWidth(theme().px(_WIDTH))
        self._layout = column(body, gap=8)
        self._layout.addWidget(text_label(tr("What is known"), "page"))
        self.model = self._section(tr("Model"))
        self.check = self._section(tr("Check"))
        self.plan = self._section(tr("Precision"))
        self.artifact = self._section(tr("Converted model"))
        self.accuracy = self._section(tr("Accuracy on labelled data"))
        self._heading(tr("Runs on devices"))
        self.runs = RunsTable()
        self.no_runs = text_label(tr("Not run yet: latency and memory are not measured."), "hint")
        self._layout.addWidget(self.runs)
        self._layout.addWidget(self.no_runs)
        self._layout.addStretch(1)
        centre.addStretch(1)
        centre.addWidget(body, 8)
        centre.addStretch(1)
        area = scrolled(inside, tr("Report"))
        layout = column(self, gap=0)
        layout.addWidget(head)
        layout.addWidget(self.written)
        layout.addWidget(area, 1)
        flow.report_written.connect(self._show_written)
        flow.labels.measured.connect(self._labels_measured)
        session.follow(lambda _state: self.written.hide(), Topic.MODEL)
        session.follow(self.show_state, Topic.MODEL, Topic.CHECK, Topic.PLAN, Topic.ARTIFACT, Topic.RUN)

    def _show_written(self, path: Path) -> None:
        self._path = path
        self.where.set_text(str(path))
        self.written.show()

    def _open_report(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path)))

    def _heading(self, title: str) -> None:
        self._layout.addSpacing(theme().px(12))
        self._layout.addWidget(text_label(title, "title"))

    def _section(self, title: str) -> Facts:
        self._heading(title)
        facts = Facts()
        self._layout.addWidget(facts)
        return facts

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_state(self._session.state)

    def _labels_measured(self) -> None:
        self.show_state(self._session.state)

    def show_state(self, state: State) -> None:
        if state.model is None or not self.isVisible():
            return
        holds = model_sentence(state.model, self._flow.outline_for(state))
        self.model.set_facts([(tr("File"), state.model.path), (tr("Holds"), holds)])
        self.check.set_facts(_check_facts(state))
        self.plan.set_facts([(tr("Plan"), plan_sentence(state))])
        self.artifact.set_facts(_artifact_facts(state))
        labels = self._flow.labels
        self.accuracy.set_facts(_accuracy_facts(labels.accuracies(state), are_known=labels.are_known))
        shown = state.runs[: -_RUNS - 1 : -1]
        lines = tuple(run_line(run, state) for run in shown)
        self.runs.show_runs(lines)
        self.runs.setVisible(bool(lines))
        self.no_runs.setVisible(not lines)


def _check_facts(state: State) -> list[tuple[str, str]]:
    report = state.report
    if report is None:
        return [(tr("Answer"), tr("not checked"))]
    return [
        (tr("Answer"), answer_sentence(state)),
        (tr("Engine"), f"{report.engine_name} {report.engine_version}"),
    ]


def _artifact_facts(state: State) -> list[tuple[str, str]]:
    artifact = state.artifact
    if artifact is None:
        return [(tr("File"), tr("not converted"))]
    facts = [
        (tr("File"), Path(artifact.path).name),
        (tr("Size"), bytes_text(artifact.bytes)),
        (tr("SHA-256"), artifact.sha256),
    ]
    engine, price = artifact.verification.engine, artifact.verification.price
    facts.append((tr("Engine"), _engine_text(engine) if engine is not None else tr("not verified")))
    if price is not None:
        text = tr("relative L2 {l2}, cosine {cosine}", l2=error_text(price.relative_l2), cosine=f"{price.cosine:.5f}")
        facts.append((tr("Price of the plan"), text))
    for (title, effect), nodes in by_rule(artifact.rewrites).items():
        whole = nodes == (WHOLE_MODEL,)
        words = say(title) if whole else tr("{what} ({count})", what=say(title), count=len(nodes))
        facts.append((tr("Exact rewrite"), words))
        facts += [(tr("Effect"), say(effect))] if effect is not None else []
    if not state.artifact_is_current:
        facts.append((tr("Note"), _since(state, artifact)))
    return facts


def _since(state: State, artifact: Artifact) -> str:
    if artifact.plan == state.plan:
        return tr("Rewrites have been turned off since this was converted.")
    return tr("The plan has changed since this was converted.")


def _accuracy_facts(found: tuple[Accuracy, ...], *, are_known: bool) -> list[tuple[str, str]]:
    if not found:
        why = tr("measured once the model is converted") if are_known else tr("not measured: no labels are known")
        return [(tr("Top-1"), why)]
    return [
        (one.subject, tr("{percent} % of {total} images", percent=f"{one.percent:.2f}", total=count_text(one.total)))
        for one in found
    ]


def _engine_text(figure: Figure) -> str:
    return tr(
        "largest error {error} of the largest value (limit {limit}), {inputs} inputs, {sizes} sizes",
        error=error_text(figure.max_rel_error),
        limit=error_text(figure.tolerance),
        inputs=figure.inputs,
        sizes=figure.sizes,
    )
