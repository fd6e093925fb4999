"""The menu of a selection: its precision, and what can be done with its name."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from workbench.app.session import Session
from workbench.core.messages import plain
from workbench.ui.commands import CommandSet
from workbench.ui.inspector.precision import BIT_CHOICES, selected_layers
from workbench.ui.text import tr
from workbench.ui.theme.apply import dressed_in


def show_context_menu(parent: QWidget, at: QPoint, session: Session, commands: CommandSet) -> QMenu | None:
    """Pop up at the global position ``at``; None where nothing is selected."""
    state = session.state
    if not state.selection or state.model is None:
        return None
    menu = QMenu(dressed_in(parent))
    if selected_layers(state):
        for bits in BIT_CHOICES:
            menu.addAction(commands[f"bits-{bits}"])
        menu.addSeparator()
    selected = frozenset(state.selection)
    names = [node.title for node in state.model.graph.all_nodes() if node.id in selected]
    copy = menu.addAction(tr("Copy the name") if len(names) == 1 else tr("Copy the names"))
    copy.triggered.connect(lambda: QGuiApplication.clipboard().setText("\n".join(plain(name) for name in names)))
    menu.addAction(commands["copy-csv"])
    menu.popup(at)
    return menu
