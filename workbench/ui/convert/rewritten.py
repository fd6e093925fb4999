"""What was rewritten of a model when it was converted: each rule once, with its effect and its ops."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.core.artifact import Rewrite, by_rule
from workbench.core.messages import plain
from workbench.ui.boxes import column, empty, row
from workbench.ui.buttons import button
from workbench.ui.flowlayout import FlowLayout
from workbench.ui.numbers import count_text
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.badge import TintBadge
from workbench.ui.widgets.labels import surface, text_label

_SHOWN: Final = 8
"""Ops of one rule; the layers table has all of them."""
_LONGEST: Final = 40


class RewrittenBox(QWidget):
    """``node_chosen`` carries the id of an op of the model that was clicked."""

    node_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "group")
        layout = column(self, gap=8, inset=12)
        head = row()
        head.addWidget(text_label(tr("Rewritten"), "strong"), 1)
        head.addWidget(TintBadge(tr("Exact rewrite"), "right"))
        layout.addLayout(head)
        self._rules = QWidget()
        self._lines: QVBoxLayout = column(self._rules, gap=8)
        layout.addWidget(self._rules)
        self._shown: tuple[tuple[Rewrite, ...], Mapping[str, str]] = ((), {})

    def show_rewrites(self, rewrites: tuple[Rewrite, ...], names: Mapping[str, str]) -> None:
        """``names``: of the model's ops, by id."""
        if (rewrites, names) == self._shown:
            return
        self._shown = (rewrites, names)
        empty(self._lines)
        for (title, effect), nodes in by_rule(rewrites).items():
            self._lines.addWidget(text_label(say(title), "", wrap=True))
            if effect is not None:
                self._lines.addWidget(text_label(say(effect), "hint", wrap=True))
            self._lines.addWidget(self._ops(nodes, names))

    def _ops(self, nodes: tuple[str, ...], names: Mapping[str, str]) -> QWidget:
        """A button an op; what concerns the model as a whole leads nowhere."""
        result = QWidget()
        layout = FlowLayout(result, gap=theme().px(8))
        known = [node for node in nodes if node in names]
        for node in known[:_SHOWN]:
            name = plain(names[node])
            shown = name if len(name) <= _LONGEST else f"\N{HORIZONTAL ELLIPSIS}{name[1 - _LONGEST :]}"
            link = button(shown.replace("&", "&&"), "crosshair", "link")
            link.setAccessibleName(tr("Show {op} in the graph", op=name))
            link.clicked.connect(partial(self._choose, node))
            layout.addWidget(link)
        if not known:
            layout.addWidget(text_label(tr("The model as a whole"), "hint"))
        if len(known) > _SHOWN:
            layout.addWidget(text_label(tr("and {n} more", n=count_text(len(known) - _SHOWN)), "hint"))
        return result

    def _choose(self, node: str, _checked: bool = False) -> None:
        self.node_chosen.emit(node)
