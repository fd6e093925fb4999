"""The inspector: the model where nothing is selected, one operator, or several layers."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.graph import Graph, Node
from workbench.core.verdict import Status
from workbench.ui.boxes import PANEL_INSET, column, row, rule
from workbench.ui.buttons import button, icon_button
from workbench.ui.fault import worst_of
from workbench.ui.flow import Flow
from workbench.ui.inspector import texts
from workbench.ui.inspector.forecast import ForecastPart
from workbench.ui.inspector.precision import PrecisionPart, selected_layers
from workbench.ui.inspector.section import Facts, HeadLine, Section
from workbench.ui.inspector.verdict import VerdictPart
from workbench.ui.layers.columns import PLAN_STEPS
from workbench.ui.node_search import graph_of
from workbench.ui.numbers import count_text
from workbench.ui.scrolling import scrolled
from workbench.ui.step import Step
from workbench.ui.text import say, tr
from workbench.ui.widgets.labels import ElidedLabel, surface, text_label

WIDTH: Final = 320
NARROW_WIDTH: Final = 304
_DIFFERENT_OPS: Final = 3


class Inspector(QWidget):
    """Follows the session's selection. ``step_wanted``: the next (1) or the previous (-1) layer."""

    step_wanted = Signal(int)

    def __init__(self, session: Session, flow: Flow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel")
        self.setAccessibleName(tr("Inspector"))
        self._session, self._flow = session, flow
        self._step = Step.MODEL
        self.title = ElidedLabel("", "title")
        self.name = ElidedLabel("", "mono", Qt.TextElideMode.ElideMiddle)
        self.previous = icon_button("chevron-up", tr("Previous layer"), "Shift+F3")
        self.next = icon_button("chevron-down", tr("Next layer"), "F3")
        self.previous.clicked.connect(lambda: self.step_wanted.emit(-1))
        self.next.clicked.connect(lambda: self.step_wanted.emit(1))
        self.verdict = VerdictPart()
        self.show_op = button(tr("Show the op"), "crosshair", "link")
        self.show_op.clicked.connect(self._show_worst)
        self._worst = ""
        self.precision = PrecisionPart(session)
        self.forecast = ForecastPart()
        self.model_facts = Facts()
        self.inputs = Section(tr("Inputs"), is_open=True)
        self.outputs = Section(tr("Outputs"), is_open=True)
        self.notes = Section(tr("Notes"), is_open=True)
        self.attributes = Section(tr("Attributes"), is_open=True)
        self.tensors = Section(tr("Tensors"))
        self.becomes = Section(tr("Becomes in MNN"))
        self._lists = {section: Facts(mono=True) for section in (self.inputs, self.outputs, self.attributes)}
        for section, facts in self._lists.items():
            section.content.addWidget(facts)
        self._tensor_inputs, self._tensor_outputs = Facts(mono=True), Facts(mono=True)
        for text, facts in ((tr("In"), self._tensor_inputs), (tr("Out"), self._tensor_outputs)):
            self.tensors.content.addWidget(HeadLine(text))
            self.tensors.content.addWidget(facts)
        self._applied = Facts()
        self._not_applied = text_label("", "hint", wrap=True)
        for widget in (self._applied, self._not_applied):
            self.becomes.content.addWidget(widget)
        self._note = text_label("", "hint", wrap=True)
        self.notes.content.addWidget(self._note)
        self._build()
        session.follow(self._changed, Topic.MODEL, Topic.SELECTION, Topic.CHECK, Topic.PLAN, Topic.ARTIFACT)
        flow.forecast_made.connect(self._forecast_made)
        self._changed(session.state)

    def set_step(self, step: Step) -> None:
        self._step = step
        self._changed(self._session.state)

    def _build(self) -> None:
        head = QWidget()
        head_row = row(head, inset=(PANEL_INSET, 8, 8, 8))
        words = column(gap=4)
        words.addWidget(self.title)
        words.addWidget(self.name)
        head_row.addLayout(words, 1)
        for widget in (self.previous, self.next):
            head_row.addWidget(widget, alignment=Qt.AlignmentFlag.AlignTop)
        inside = QWidget()
        surface(inside, "panel")
        body = column(inside, gap=0)
        facts_box = QWidget()
        column(facts_box, inset=(PANEL_INSET, 12, PANEL_INSET, 16)).addWidget(self.model_facts)
        self._facts_box = facts_box
        op_box = QWidget()
        row(op_box, inset=(PANEL_INSET, 0, PANEL_INSET, 12)).addWidget(self.show_op, 0, Qt.AlignmentFlag.AlignLeft)
        self._op_box = op_box
        self._parts: tuple[QWidget, ...] = (
            self.verdict,
            self._op_box,
            self._facts_box,
            self.precision,
            self.forecast,
            self.inputs,
            self.outputs,
            self.notes,
            self.attributes,
            self.tensors,
            self.becomes,
        )
        for part in self._parts:
            body.addWidget(part)
        body.addStretch(1)
        self.area = scrolled(inside, tr("Inspector"))
        layout = column(self, gap=0)
        layout.addWidget(head)
        layout.addWidget(rule())
        layout.addWidget(self.area, 1)

    # Following the session

    def _forecast_made(self) -> None:
        self._changed(self._session.state)

    def _changed(self, state: State) -> None:
        if state.model is None:
            return
        graph = state.model.graph
        nodes = [found for node in state.selection[:1] if (found := graph_of(graph, node)) is not None]
        if len(state.selection) == 1 and nodes:
            self._show_node(state, *nodes[0])
        elif state.selection:
            self._show_several(state)
        else:
            self._show_model(state)

    def _show_only(self, *parts: QWidget) -> None:
        for part in self._parts:
            part.setVisible(part in parts)

    def _show_model(self, state: State) -> None:
        model = state.model
        assert model is not None
        planning = self._step in PLAN_STEPS
        self.title.set_text(tr("Whole model") if planning else Path(model.path).stem)
        self.name.set_text(model.path)
        self._step_buttons(False)
        if planning:
            self.precision.show_state(state)
            self._show_forecast(state)
            self._show_only(self.precision, self.forecast)
            return
        self.model_facts.set_facts(texts.model_facts(model, self._flow.outline_for(state)))
        for section, tensors in ((self.inputs, model.graph.inputs), (self.outputs, model.graph.outputs)):
            self._lists[section].set_facts(texts.tensor_facts(tensors))
            section.head.set_fact(str(len(tensors)))
        self._note.setText("\n".join(map(say, model.notes)))
        parts = [self._facts_box, self.inputs, self.outputs]
        self._show_only(*parts, *((self.notes,) if model.notes else ()))

    def _show_node(self, state: State, graph: Graph, node: Node) -> None:
        self.title.set_text(node.op if not node.domain else f"{node.domain}::{node.op}")
        self.name.set_text(node.title)
        self._step_buttons(True)
        parts: list[QWidget] = [self.attributes, self.tensors, self.becomes]
        if self._step in PLAN_STEPS and node.id in state.layers:
            self.precision.show_state(state)
            self._show_forecast(state)
            parts += [self.precision, self.forecast]
        else:
            self.verdict.show_verdict(state.verdicts.get(node.id), state, node.id)
            parts.append(self.verdict)
        self._lists[self.attributes].set_facts(texts.attribute_facts(node.attributes))
        self.attributes.head.set_fact(str(len(node.attributes)))
        inputs, outputs = texts.node_tensors(graph, node)
        self._tensor_inputs.set_facts(inputs)
        self._tensor_outputs.set_facts(outputs)
        self.tensors.head.set_fact(tr("{n} in, {m} out", n=len(inputs), m=len(outputs)))
        self._show_becomes(state, node)
        self._show_only(*parts)

    def _show_becomes(self, state: State, node: Node) -> None:
        """What the converter made of ``node``, or what is missing to know it."""
        applied = texts.applied_layer(state.artifact, node.id)
        self._applied.setVisible(applied is not None)
        self._not_applied.setVisible(applied is None)
        if applied is not None:
            self._applied.set_facts(texts.applied_facts(applied))
            self.becomes.head.set_fact(applied.op_name)
        elif state.artifact is None:
            self.becomes.head.set_fact(tr("not converted"))
            self._not_applied.setText(tr("Convert the model: what became of this op is then read back from the file."))
        else:
            self.becomes.head.set_fact(tr("not read back"))
            self._not_applied.setText(tr("Only layers with weights are read back from the converted model."))

    def _show_several(self, state: State) -> None:
        model = state.model
        assert model is not None
        layers = selected_layers(state) if self._step in PLAN_STEPS else ()
        selected = frozenset(state.selection)
        shown = frozenset(layers) or selected
        ops = sorted({node.op for node in model.graph.all_nodes() if node.id in shown})
        named = ", ".join(ops[:_DIFFERENT_OPS]) + (", …" if len(ops) > _DIFFERENT_OPS else "")
        self._step_buttons(False)
        if layers:
            self.title.set_text(tr("{n} layers selected", n=count_text(len(layers))))
            self.name.set_text(named)
            self.precision.show_state(state)
            self._show_forecast(state)
            self._show_only(self.precision, self.forecast)
        else:
            self.title.set_text(tr("{n} ops selected", n=count_text(len(selected))))
            self.name.set_text(named)
            self._show_several_verdicts(state)

    def _show_several_verdicts(self, state: State) -> None:
        """The worst verdict of what is selected, and the way to the operator that has it."""
        worst = worst_of(state.selection, state.verdicts)
        if worst is None or self._step in PLAN_STEPS:
            self._show_only()
            return
        self._worst = worst.node
        self.verdict.show_verdict(worst, state, worst.node)
        is_one = worst.status is not Status.RIGHT
        self.name.set_text(worst.name if is_one else self.name.text())
        self._show_only(self.verdict, *((self._op_box,) if is_one else ()))

    def _show_worst(self) -> None:
        self._session.select((self._worst,))

    def _show_forecast(self, state: State) -> None:
        known = self._flow.forecast_of
        current = known is not None and known[0] == (state.model, state.plan)
        self.forecast.show_state(state, known[1] if known is not None and current else None)
        if not current:
            self._flow.forecast()

    def _step_buttons(self, on: bool) -> None:
        self.previous.setVisible(on)
        self.next.setVisible(on)
