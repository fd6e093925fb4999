"""Where one is in the graph: what gives way where there is no room."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.window.conftest import Driver
from workbench.ui.graph.view import Crumb
from workbench.ui.workspace.crumbs import Crumbs

TITLES = ("encoder", "stage", "layer0", "attention", "Conv")
PATH = tuple(Crumb(f"key of {title}", title) for title in TITLES)
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def shown(crumbs: Crumbs) -> list[str]:
    """The words from left to right."""
    parts = [part for part in crumbs.findChildren(QWidget) if part.isVisible()]
    parts.sort(key=lambda part: part.x())
    return [part.text() for part in parts if isinstance(part, QLabel | QPushButton)]


def overlaps(crumbs: Crumbs) -> list[tuple[QWidget, QWidget]]:
    parts = [part for part in crumbs.findChildren(QWidget) if part.isVisible()]
    pairs = [(a, b) for at, a in enumerate(parts) for b in parts[at + 1 :]]
    return [(a, b) for a, b in pairs if a.geometry().intersects(b.geometry())]


@pytest.fixture
def crumbs(qtbot: QtBot) -> Crumbs:
    crumbs = Crumbs()
    qtbot.addWidget(crumbs)
    crumbs.resize(900, 40)
    crumbs.show()
    crumbs.show_path("model", PATH)
    return crumbs


def test_all_of_the_way_shows_where_there_is_room(crumbs: Crumbs) -> None:
    crumbs.resize(crumbs.sizeHint().width(), 40)
    assert shown(crumbs) == ["model", *TITLES]
    assert overlaps(crumbs) == []


def test_groups_in_the_middle_give_way_and_both_ends_stay(crumbs: Crumbs) -> None:
    whole = crumbs.sizeHint().width()
    lengths: list[int] = []
    for width in range(whole, 200, -10):
        crumbs.resize(width, 40)
        words = shown(crumbs)
        assert words[0] == "model"
        assert words[-1] == "Conv"
        if len(words) < len(TITLES) + 1:
            assert words[1] == ELLIPSIS
        assert max(part.geometry().right() for part in crumbs.findChildren(QWidget) if part.isVisible()) < width
        assert overlaps(crumbs) == []
        lengths.append(len(words))
    assert lengths == sorted(lengths, reverse=True)
    assert shown(crumbs) == ["model", ELLIPSIS, "Conv"]
    assert "layer0" in crumbs.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)[1].toolTip()
    crumbs.resize(whole, 40)
    assert shown(crumbs) == ["model", *TITLES]


def test_both_ends_are_cut_where_nothing_else_can_give_way(crumbs: Crumbs) -> None:
    crumbs.show_path("a model with a long name " * 4, (*PATH[:-1], Crumb("key", "a name as long " * 9)))
    crumbs.resize(300, 40)
    parts = [part for part in crumbs.findChildren(QWidget) if part.isVisible()]
    assert max(part.geometry().right() for part in parts) < 300
    assert min(part.width() for part in parts if isinstance(part, QLabel) and part.text() != ELLIPSIS) > 90


def test_a_shorter_way_uses_the_same_parts_and_a_click_leads_to_its_group(crumbs: Crumbs, qtbot: QtBot) -> None:
    before = crumbs.findChildren(QWidget)
    crumbs.show_path("model", PATH[2:])
    assert shown(crumbs) == ["model", *TITLES[2:]]
    assert crumbs.findChildren(QWidget) == before
    group = next(b for b in crumbs.findChildren(QPushButton) if b.isVisible() and b.text() == "attention")
    with qtbot.waitSignal(crumbs.chosen) as chosen:
        qtbot.mouseClick(group, Qt.MouseButton.LeftButton)
    assert chosen.args == ["key of attention"]


def test_without_a_selection_the_model_alone_shows(crumbs: Crumbs) -> None:
    crumbs.show_path("model", ())
    assert shown(crumbs) == ["model"]


def test_a_long_way_leaves_the_overlay_switch_whole(start: Callable[..., Driver]) -> None:
    driver = start()
    driver.open()
    page = driver.window.workspace.graph_page
    driver.window.resize(driver.window.minimumSize())
    whole = page.overlays.sizeHint().width()
    driver.wait(lambda: page.overlays.width() == whole)
    page.crumbs.show_path("a model with a long name", PATH * 3)
    driver.wait(lambda: ELLIPSIS in shown(page.crumbs))
    assert page.overlays.width() == whole
    assert page.overlays.geometry().left() >= page.crumbs.geometry().right()
