"""The graph with its header: where one is, which overlay, and the sentence of answer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.app.session import Session, State, Topic
from workbench.ui.boxes import column, header
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.view import Crumb, GraphView
from workbench.ui.segments import Segments
from workbench.ui.step import Step
from workbench.ui.text import tr
from workbench.ui.widgets.labels import surface
from workbench.ui.workspace.answer import AnswerBar
from workbench.ui.workspace.crumbs import Crumbs

_OVERLAYS: Final = {
    Step.MODEL: Overlay.NONE,
    Step.CHECK: Overlay.SUPPORT,
    Step.QUANTIZE: Overlay.BITS,
    Step.CONVERT: Overlay.BITS,
}


class GraphPage(QWidget):
    """The centre of the first three steps. ``keys`` move on to the GraphView."""

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
        self.overlays.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.overlays.chosen.connect(self.graph.set_overlay)
        self.crumbs = Crumbs()
        head = QWidget()
        bar = header(head)
        bar.addWidget(self.crumbs, 1)
        bar.addWidget(self.overlays)
        layout = column(self, gap=0)
        layout.addWidget(head)
        layout.addWidget(self.answer)
        layout.addWidget(self.graph, 1)
        self.graph.breadcrumb_changed.connect(self._show_crumbs)
        self.crumbs.chosen.connect(self.graph.select)
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
        model = self._session.state.model
        self.crumbs.show_path(Path(model.path).stem if model is not None else "", crumbs)
