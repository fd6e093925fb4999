"""Sentences that have no room."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.boxes import column
from workbench.ui.widgets.labels import TwoLines

LONG = "Ready. Every run keeps Winograd off, because with it the engine computes a convolution of this model wrongly"


@pytest.fixture
def box(app: QApplication, qtbot: QtBot) -> QWidget:
    box = QWidget()
    qtbot.addWidget(box)
    layout = column(box)
    layout.addWidget(TwoLines("sentence"))
    layout.addWidget(QWidget(), 1)
    box.show()
    return box


def label(box: QWidget) -> TwoLines:
    found = box.findChild(TwoLines)
    assert found is not None
    return found


def shown_at(box: QWidget, width: int, text: str) -> tuple[int, str]:
    """The lines that ``text`` takes at a width, and what is written on them."""
    label(box).set_text(text)
    box.resize(width, 200)
    QApplication.sendPostedEvents()
    return round(label(box).height() / label(box).fontMetrics().lineSpacing()), label(box)._shown()


def test_a_sentence_takes_one_line_where_there_is_room(box: QWidget) -> None:
    assert shown_at(box, 1200, LONG) == (1, LONG)


def test_a_sentence_takes_a_second_line_before_it_is_cut(box: QWidget) -> None:
    assert shown_at(box, 480, LONG) == (2, LONG)


def test_only_what_two_lines_cannot_hold_is_cut(box: QWidget) -> None:
    lines, shown = shown_at(box, 300, LONG)
    assert lines == 2
    assert shown.endswith("…")
    assert len(shown) > len(LONG) / 2


def test_a_sentence_without_spaces_wraps_too(box: QWidget) -> None:
    text = "可用：每次运行都关闭Winograd，因为开启时引擎会把这个模型中的一个卷积计算错误"
    assert shown_at(box, 420, text) == (2, text)
