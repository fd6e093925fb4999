"""A graph view on the screen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.graph.acting import Show
from workbench.core.graph import Graph
from workbench.ui.graph.view import GraphView


@pytest.fixture
def show(app: QApplication, qtbot: QtBot) -> Show:
    def make(model: Graph) -> GraphView:
        view = GraphView()
        qtbot.addWidget(view)
        view.resize(900, 760)
        with qtbot.waitActive(view):
            view.show()
            view.activateWindow()
        view.setFocus()
        view.set_graph(model)
        return view

    return make
