"""Where one is in the graph: what gives way where there is no room."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.graph.view import Crumb
from workbench.ui.workspace.crumbs import Crumbs

PATH = tuple(Crumb(f"key{at}", title) for at, title in enumerate(("encoder", "stage", "layer0", "attention", "Conv")))


def shown(crumbs: Crumbs) -> list[str]:
    widgets: list[QWidget] = [w for w in crumbs.findChildren(QWidget) if w.isVisible()]
    return [w.text() for w in widgets if isinstance(w, QLabel | QPushButton) and w.text()]


def test_groups_in_the_middle_give_way_and_both_ends_stay(qtbot: QtBot) -> None:
    crumbs = Crumbs()
    qtbot.addWidget(crumbs)
    crumbs.resize(900, 40)
    crumbs.show()
    crumbs.show_path("model", PATH)
    qtbot.waitUntil(lambda: shown(crumbs) == ["model", "encoder", "stage", "layer0", "attention", "Conv"])
    crumbs.resize(crumbs.sizeHint().width() - 20, 40)
    qtbot.waitUntil(lambda: "encoder" not in shown(crumbs))
    assert shown(crumbs)[:2] == ["model", "\N{HORIZONTAL ELLIPSIS}"]
    assert shown(crumbs)[-2:] == ["attention", "Conv"]
    assert crumbs.minimumSizeHint().width() < 100
