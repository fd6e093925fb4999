"""The layers panel: filter, chips, table, and what is selected."""

from __future__ import annotations

import csv
import io
from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.verdict import Status
from workbench.ui.boxes import column, header, row
from workbench.ui.buttons import button
from workbench.ui.chips import ChipLook, ChipRow
from workbench.ui.fields import furnish
from workbench.ui.flow import Flow
from workbench.ui.layers.columns import COLUMNS, LOOKS, PLAN_STEPS, Column
from workbench.ui.layers.filter import parse
from workbench.ui.layers.model import LayersModel
from workbench.ui.layers.outline import NOTHING
from workbench.ui.layers.row import Row
from workbench.ui.layers.view import LayersView
from workbench.ui.numbers import bytes_text, count_text
from workbench.ui.step import Step
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import theme
from workbench.ui.theme.tokens import verdict_form
from workbench.ui.widgets.badge import TintBadge, status_word
from workbench.ui.widgets.labels import surface, text_label

WIDTH: Final = 440
_TYPING_MS: Final = 120
_ALL: Final = "all"
_STATUS_INK: Final = {
    Status.RIGHT: "right",
    Status.CONDITION: "condition",
    Status.WRONG: "wrong",
    Status.CRASH: "text",
    Status.HANG: "text2",
    Status.UNSUPPORTED: "unsupported_solid.bg",
    Status.NOT_CHECKED: "text3",
    Status.FIXED: "right",
}
_FORMULA_STARTS: Final = ("=", "+", "-", "@")


class LayersPanel(QWidget):
    """Follows the session. ``keys_selected``: what was selected here, as the graph names it."""

    keys_selected = Signal(tuple)
    node_activated = Signal(str)
    menu_wanted = Signal(QPoint)

    def __init__(self, session: Session, flow: Flow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel")
        self._session, self._flow = session, flow
        self._step = Step.MODEL
        self._model = LayersModel(self)
        self.view = LayersView(self._model)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter by name, op, bits<8, size>10kb"))
        self.filter.setAccessibleName(tr("Filter layers"))
        self.filter.setAcceptDrops(False)  # a file dropped here is for the window
        self.key = TintBadge("Ctrl F")
        furnish(self.filter, "list-filter", self.key)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._apply_filter)
        self.filter.textChanged.connect(self._typed)
        self.filter.returnPressed.connect(lambda: self.view.step_to(1))
        self.problem = text_label("", "hint", wrap=True)
        self.problem.hide()
        self.chips = ChipRow()
        self.chips.chosen.connect(lambda _key: self._apply_filter())
        self.view.nodes_selected.connect(self._selected)
        self.view.activated_node.connect(self.node_activated)
        self.view.menu_wanted.connect(self.menu_wanted)
        self.nothing = text_label("", "hint", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._build()
        session.follow(self._model_changed, Topic.MODEL)
        session.follow(self._verdicts_changed, Topic.CHECK)
        session.follow(self._plan_changed, Topic.PLAN)
        session.follow(self._selection_changed, Topic.SELECTION)
        self._model_changed(session.state)

    def _build(self) -> None:
        head = QWidget()
        bar = header(head)
        self.title = text_label(tr("Layers"), "strong")
        self.count = text_label("", "hint")
        bar.addWidget(self.title)
        bar.addWidget(self.count)
        bar.addStretch(1)
        search = QWidget()
        tools = column(search, gap=8, inset=(12, 8, 12, 8))
        tools.addWidget(self.filter)
        tools.addWidget(self.problem)
        tools.addWidget(self.chips)
        foot = QWidget()
        surface(foot, "panel", line="top")
        foot.setFixedHeight(theme().px(32))
        bottom = row(foot, inset=(16, 0, 8, 0))
        self.chosen = text_label("", "table")
        self.chosen_size = text_label("", "hint")
        self.copy = button(tr("Copy CSV"), "copy", "flat")
        self.copy.clicked.connect(self.copy_csv)
        bottom.addWidget(self.chosen)
        bottom.addWidget(self.chosen_size)
        bottom.addStretch(1)
        bottom.addWidget(self.copy)
        layout = column(self, gap=0)
        layout.addWidget(head)
        layout.addWidget(search)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.nothing, 1)
        layout.addWidget(foot)

    # What others do with it

    def set_step(self, step: Step) -> None:
        """Show the columns of ``step``."""
        if step in COLUMNS:
            self._step = step
            self._model.set_columns(COLUMNS[step], only_quantizable=step in PLAN_STEPS)
            self.view.fit_columns()
            self._show_chips()
            self._apply_filter()

    def outline_rows(self) -> tuple[Row, ...]:
        """Every operator of the model."""
        return self._model.rows

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._model.columns

    def index_of(self, node: str) -> QModelIndex:
        """The line of a node; invalid where the filter leaves it out."""
        return self._model.index_of(node)

    def text(self, node: str, column: Column) -> str:
        """A cell as text."""
        return self._model.text(self._model.item(self._model.index_of(node)), column)

    def shown_rows(self) -> tuple[Row, ...]:
        """The rows that pass the filter, in the order shown."""
        return self._model.shown()

    def focus_filter(self) -> None:
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def copy_csv(self) -> None:
        """The selected rows, or all that are shown, with the columns of this step."""
        QGuiApplication.clipboard().setText(self.as_csv())

    def as_csv(self) -> str:
        selected = frozenset(self.view.selected_nodes())
        rows = [r for r in self._model.shown() if not selected or r.node in selected]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["id", *(say(LOOKS[c].title) for c in self._model.columns)])
        for one in rows:
            index = self._model.index_of(one.node)
            cells = [self._model.text(self._model.item(index), c) for c in self._model.columns[1:]]
            writer.writerow([_cell(text) for text in (one.node, one.name, *cells)])
        return out.getvalue()

    # Following the session

    def _model_changed(self, state: State) -> None:
        self.filter.clear()
        if state.model is None:
            self._model.set_outline(NOTHING)
        else:
            self._model.set_outline(self._flow.outline_for(state))
            self.view.open_groups(_first_groups(self._model))
        self._model.set_plan(state.plan)
        self._model.set_verdicts(state.verdicts)
        self._show_chips()
        self._show_counts()

    def _verdicts_changed(self, state: State) -> None:
        self._model.set_verdicts(state.verdicts)
        self._show_chips()

    def _plan_changed(self, state: State) -> None:
        self._model.set_plan(state.plan)
        self._selection_changed(state)

    def _selection_changed(self, state: State) -> None:
        self.view.select_nodes(state.selection)
        self._show_counts()

    def _selected(self, nodes: tuple[str, ...]) -> None:
        self._session.select(nodes)
        self.keys_selected.emit(self.view.selected_keys())

    # Filter

    def _typed(self, text: str) -> None:
        self.key.setVisible(not text)
        self._typing.start()

    def _apply_filter(self) -> None:
        self._typing.stop()
        wanted = parse(self.filter.text())
        choice = self.chips.choice()
        status = Status(choice) if self._step is Step.CHECK and choice not in ("", _ALL) else None
        self._model.set_filter(wanted, status)
        self.problem.setVisible(bool(wanted.problems))
        self.problem.setText(
            tr("Not understood: {terms}. Try bits<8, op=Conv, size>10kb.", terms=" ".join(wanted.problems))
        )
        self.filter.setProperty("invalid", bool(wanted.problems))
        self.filter.style().unpolish(self.filter)
        self.filter.style().polish(self.filter)
        self.view.select_nodes(self._session.state.selection)
        self._show_counts()

    def _show_chips(self) -> None:
        counts = self._model.statuses()
        checked = self._step is Step.CHECK and set(counts) - {Status.NOT_CHECKED} != set()
        self.chips.setVisible(checked)
        if not checked:
            self.chips.set_chips(())
            return
        looks = [ChipLook(_ALL, tr("All"), sum(counts.values()))]
        for status, count in reversed(counts.items()):
            form = verdict_form(theme().tokens, status)
            looks.append(ChipLook(status.value, status_word(status), count, form.icon, _STATUS_INK[status]))
        self.chips.set_chips(looks)

    def _show_counts(self) -> None:
        listed, shown = self._model.listed(), self._model.shown()
        total = count_text(len(listed))
        self.count.setText(tr("{n} that can be quantized", n=total) if self._step in PLAN_STEPS else total)
        self.view.setVisible(bool(shown))
        self.nothing.setVisible(not shown)
        filtered = self._model.is_filtered
        self.nothing.setText(tr("No layer fits the filter.") if filtered else tr("No layer here can be quantized."))
        selected = set(self._session.state.selection)
        chosen = [r for r in listed if r.node in selected]
        if not chosen and filtered:
            self.chosen.setText(tr("{shown} of {total} shown", shown=count_text(len(shown)), total=total))
        else:
            self.chosen.setText(tr("{n} of {total} selected", n=count_text(len(chosen)), total=total))
        weights = sum(r.weight_bytes for r in chosen)
        self.chosen_size.setText(tr("{size} in the model file", size=bytes_text(weights)) if weights else "")
        self.copy.setEnabled(bool(shown))


def _cell(text: str) -> str:
    """Names are data: a spreadsheet must not take ``=HYPERLINK(...)`` for a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _first_groups(model: LayersModel) -> set[str]:
    """The groups to open at first: the outermost ones, while they fit a screen."""
    children = model.tree.root.children
    tops = [item for item in children if item.is_group]
    lines = len(children)
    opened: set[str] = set()
    for item in tops:
        lines += len(item.children)
        if lines > 40:
            break
        opened.add(item.key)
    return opened
