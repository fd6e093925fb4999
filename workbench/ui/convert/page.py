"""The Convert page: before, while it runs, and the answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.artifact import Artifact, Rewrite
from workbench.ui.boxes import column, header, row
from workbench.ui.buttons import button
from workbench.ui.convert.result import ConversionResult
from workbench.ui.convert.rewritten import RewrittenBox
from workbench.ui.convert.stages import StageList
from workbench.ui.flow import Flow
from workbench.ui.jobbook import JobKind, JobRecord, JobState
from workbench.ui.numbers import seconds_text
from workbench.ui.progress import progress_bar, show_fraction
from workbench.ui.scrolling import scrolled
from workbench.ui.text import say, sentences, tr
from workbench.ui.theme.fonts import SMALL, mono_font
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface, text_label
from workbench.ui.workspace.answer import plan_sentence

_WIDTH: Final = 640
_TICK_MS: Final = 500
_LINES: Final = 12


class ConvertPage(QWidget):
    """``wanted`` carries a window command's id."""

    wanted = Signal(str)

    def __init__(self, session: Session, flow: Flow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel")
        self._session, self._flow = session, flow
        self.title = text_label("", "page", wrap=True)
        self.took = text_label("", "hint")
        self.progress = progress_bar(tr("Progress of the conversion"))
        self.now = text_label("", "hint", wrap=True)
        self.stages = StageList()
        self.cancel = button(tr("Cancel"), "x", page=True)
        self.cancel.clicked.connect(lambda: flow.work.cancel(JobKind.CONVERT))
        self.background = text_label(tr("You can go on working: this runs in the background."), "hint", wrap=True)
        self.about = text_label("", "", wrap=True)
        self.result = ConversionResult()
        self.rewritten = RewrittenBox()
        self.save = button(tr("Save as"), "download", page=True)
        self.save.clicked.connect(lambda: self.wanted.emit("save-artifact"))
        self.lines_title = text_label(tr("Last lines of the converter"), "strong")
        self.lines = QPlainTextEdit()
        self.lines.setReadOnly(True)
        self.lines.setProperty("role", "mono")
        self.lines.setProperty("surface", "sunken")
        self.lines.setFont(mono_font(SMALL))
        self.lines.setAccessibleName(tr("Last lines of the converter"))
        self.lines.document().setDocumentMargin(theme().px(8))
        self.lines.setFixedHeight(theme().px(160))
        self._build()
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)
        flow.work.changed.connect(self._job_changed)
        flow.converted.connect(self.refresh)
        session.follow(lambda _state: self.refresh(), Topic.MODEL, Topic.PLAN, Topic.ARTIFACT)
        self.refresh()

    def _build(self) -> None:
        head = QWidget()
        header(head).addWidget(text_label(tr("Convert"), "strong"))
        inside = QWidget()
        surface(inside, "panel")
        centre = row(inside, inset=(32, 32, 32, 32))
        body = QWidget()
        body.setMaximumWidth(theme().px(_WIDTH))
        layout = column(body, gap=12)
        top = row()
        top.addWidget(self.title, 1)
        top.addWidget(self.took, 0, Qt.AlignmentFlag.AlignBottom)
        layout.addLayout(top)
        for widget in (self.progress, self.now, self.about, self.stages):
            layout.addWidget(widget)
        acts = row(gap=16)
        acts.addWidget(self.cancel)
        acts.addWidget(self.background, 1)
        layout.addLayout(acts)
        layout.addWidget(self.result)
        layout.addWidget(self.rewritten)
        saving = row()
        saving.addWidget(self.save)
        saving.addStretch(1)
        layout.addLayout(saving)
        layout.addWidget(self.lines_title)
        layout.addWidget(self.lines)
        layout.addStretch(1)
        centre.addStretch(1)
        centre.addWidget(body, 8)
        centre.addStretch(1)
        area = scrolled(inside, tr("Convert"))
        whole = column(self, gap=0)
        whole.addWidget(head)
        whole.addWidget(area, 1)

    def refresh(self) -> None:
        """Show where the conversion stands."""
        state = self._session.state
        if state.model is None or not self.isVisible():
            return
        record = self._flow.work.book.last(JobKind.CONVERT)
        if record is not None and not record.state.is_over:
            self._show_running(record)
        elif self._flow.conversion is not None:
            self._show_answer(state, record)
        elif record is not None and record.state is JobState.FAILED and record.model == state.model.path:
            self._show_failed(record)
        elif state.artifact is not None:
            self._show_artifact(state, state.artifact)
        else:
            self._show_before(state)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _job_changed(self, record: JobRecord) -> None:
        if record.kind is JobKind.CONVERT:
            (self._timer.stop if record.state.is_over else self._timer.start)()
            self.refresh()

    def _tick(self) -> None:
        record = self._flow.work.live(JobKind.CONVERT)
        if record is not None:
            self.took.setText(seconds_text(record.elapsed()))

    def _show_only(self, *parts: QWidget) -> None:
        for part in (
            self.progress,
            self.now,
            self.about,
            self.stages,
            self.cancel,
            self.background,
            self.result,
            self.rewritten,
            self.save,
            self.lines_title,
            self.lines,
        ):
            part.setVisible(part in parts)

    def _show_before(self, state: State) -> None:
        self.title.setText(tr("Not converted yet"))
        self.took.setText("")
        engine = tr("The converted model is compared with onnxruntime before it counts as done.")
        rewriting = tr("What is not right as it is will be rewritten, exactly.")
        plan = tr("{plan}.", plan=plan_sentence(state))
        self.about.setText(sentences([plan, *([rewriting] if state.is_rewriting else []), engine]))
        self._show_only(self.about)

    def _show_running(self, record: JobRecord) -> None:
        self.title.setText(tr("Stopping") if record.is_stopping else tr("Converting"))
        self.took.setText(seconds_text(record.elapsed()))
        self.cancel.setEnabled(not record.is_stopping)
        share = f"{record.fraction:.0%}".replace("%", " %") if record.fraction is not None else ""
        self.now.setText("  ".join(part for part in (share, say(record.text) if record.text else "") if part))
        self.stages.show_job(record)
        self._show_only(self.now, self.stages, self.cancel, self.background)
        show_fraction(self.progress, record.fraction)

    def _show_answer(self, state: State, record: JobRecord | None) -> None:
        conversion = self._flow.conversion
        assert conversion is not None
        report = conversion.report
        self.title.setText(_converted_title(state) if report.ok else tr("Not converted: the answer is no"))
        self.took.setText(seconds_text(record.elapsed()) if record is not None else "")
        self.result.show_report(report, conversion.plan)
        parts: list[QWidget] = [self.result, *self._rewritten_parts(state, report.rewrites)]
        if record is not None:
            self.stages.show_job(record, refused=not report.ok)
            parts.append(self.stages)
        if report.ok:
            parts.append(self.save)
        else:
            parts += self._lines_parts()
        self._show_only(*parts)

    def _show_artifact(self, state: State, artifact: Artifact) -> None:
        """Made before: in another session, or before the plan was changed and changed back."""
        self.title.setText(_converted_title(state))
        self.took.setText("")
        self.result.show_artifact(artifact)
        self._show_only(self.result, *self._rewritten_parts(state, artifact.rewrites), self.save)

    def _rewritten_parts(self, state: State, rewrites: tuple[Rewrite, ...]) -> Iterable[QWidget]:
        if not rewrites:
            return ()
        assert state.model is not None
        names = {node.id: node.title for node in state.model.graph.all_nodes()}
        self.rewritten.show_rewrites(rewrites, names)
        return (self.rewritten,)

    def _show_failed(self, record: JobRecord) -> None:
        self.title.setText(tr("Not converted"))
        self.took.setText(tr("stopped after {time}", time=seconds_text(record.elapsed())))
        self.stages.show_job(record)
        self._show_only(self.stages, *self._lines_parts())

    def _lines_parts(self) -> Iterable[QWidget]:
        lines = self._flow.work.last_lines(JobKind.CONVERT)[-_LINES:]
        self.lines.setPlainText("\n".join(lines))
        return (self.lines_title, self.lines) if lines else ()


def _converted_title(state: State) -> str:
    if state.artifact_is_current:
        return tr("Converted and verified")
    if state.artifact is not None and state.artifact.plan == state.plan:
        return tr("Converted with rewrites, which have been turned off since")
    return tr("Converted, but the plan has changed since")
