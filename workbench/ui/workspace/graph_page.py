"""The graph with its header: where one is, which overlay, and the sentence of answer."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.messages import plain
from workbench.ui.boxes import column, header, row
from workbench.ui.buttons import button
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.view import Crumb, GraphView
from workbench.ui.icon_label import IconLabel
from workbench.ui.segments import Segments
from workbench.ui.step import Step
from workbench.ui.text import tr
from workbench.ui.theme.icons import ROW
from workbench.ui.widgets.labels import ElidedLabel, surface
from workbench.ui.workspace.answer import AnswerBar

_OVERLAYS: Final = {
    Step.MODEL: Overlay.NONE,
    Step.CHECK: Overlay.SUPPORT,
    Step.QUANTIZE: Overlay.BITS,
    Step.CONVERT: Overlay.BITS,
}
_CRUMBS: Final = 4
_LONGEST: Final = 24


class GraphPage(QWidget):
    """The centre of the first three steps. ``keys`` move on to the GraphView."""

    crumb_chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "canvas")
        self._session = session
        self.graph = GraphView()
        self.graph.setAccessibleName(tr("Graph"))
        self.answer = AnswerBar()
        self.overlays: Segments[Overlay] = Segments(
            [(Overlay.NONE, tr("Plain")), (Overlay.SUPPORT, tr("Support")), (Overlay.BITS, tr("Bits"))], tr("Overlay")
        )
        self.overlays.chosen.connect(self.graph.set_overlay)
        self.crumb_row = row(gap=4)
        head = QWidget()
        bar = header(head)
        bar.addLayout(self.crumb_row)
        bar.addStretch(1)
        bar.addWidget(self.overlays)
        layout = column(self, gap=0)
        layout.addWidget(head)
        layout.addWidget(self.answer)
        layout.addWidget(self.graph, 1)
        self.graph.breadcrumb_changed.connect(self._show_crumbs)
        self.crumb_chosen.connect(self.graph.select)
        session.follow(self._model_changed, Topic.MODEL)
        session.follow(self._verdicts_changed, Topic.CHECK)
        session.follow(self._plan_changed, Topic.PLAN)
        self._model_changed(session.state)
        self._verdicts_changed(session.state)
        self._plan_changed(session.state)

    def set_step(self, step: Step) -> None:
        """The overlay that belongs to ``step``."""
        overlay = _OVERLAYS.get(step)
        if overlay is not None:
            self.overlays.set_value(overlay)
            self.graph.set_overlay(overlay)

    def _model_changed(self, state: State) -> None:
        self.graph.set_graph(state.model.graph if state.model is not None else None)
        self._show_crumbs(())

    def _verdicts_changed(self, state: State) -> None:
        self.graph.set_verdicts(state.verdicts)

    def _plan_changed(self, state: State) -> None:
        self.graph.set_bits({node: state.plan.of(node).bits for node in state.layers})

    def _show_crumbs(self, crumbs: tuple[Crumb, ...]) -> None:
        while (item := self.crumb_row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        model = self._session.state.model
        shown = crumbs[-_CRUMBS:]
        first = ElidedLabel(Path(model.path).stem if model is not None else "", "" if shown else "strong")
        self.crumb_row.addWidget(first)
        for crumb in shown:
            self.crumb_row.addWidget(IconLabel("chevron-right", ROW))
            is_here = crumb is shown[-1]
            self.crumb_row.addWidget(ElidedLabel(crumb.title, "strong") if is_here else self._crumb(crumb))

    def _crumb(self, crumb: Crumb) -> QPushButton:
        """A group around: it leads there."""
        result = button(plain(crumb.title)[:_LONGEST].replace("&", "&&"), "", "flat")
        result.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        result.clicked.connect(partial(self.crumb_chosen.emit, crumb.key))
        return result
