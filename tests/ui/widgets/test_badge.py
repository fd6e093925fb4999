"""Badges, strips and labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QEnterEvent
from PySide6.QtWidgets import QApplication

from workbench.core.verdict import Status
from workbench.ui.text import set_translator
from workbench.ui.theme.apply import apply_theme
from workbench.ui.theme.tokens import DARK, LIGHT
from workbench.ui.widgets.badge import VerdictBadge, badge_width, bits_badge, verdict_badge
from workbench.ui.widgets.labels import ElidedLabel, as_tooltip, text_label
from workbench.ui.widgets.share_strip import share_widths


def test_a_verdict_says_its_word_and_has_a_role(app: QApplication) -> None:
    badge = VerdictBadge(Status.UNSUPPORTED)
    assert badge.accessibleName() == "Unsupported"
    spoken = QAccessible.queryAccessibleInterface(badge)
    assert spoken.role() == QAccessible.Role.StaticText


def test_words_are_translated(app: QApplication) -> None:
    set_translator(lambda text: "错误" if text == "Wrong" else text)
    assert verdict_badge(LIGHT, Status.WRONG).text == "错误"


def test_a_badge_grows_by_its_wrench(app: QApplication) -> None:
    plain, fixable = verdict_badge(LIGHT, Status.WRONG), verdict_badge(LIGHT, Status.WRONG, fixable=True)
    assert badge_width(fixable) == badge_width(plain) + 16


@pytest.mark.parametrize(("mode", "tokens"), [("light", LIGHT), ("dark", DARK)])
def test_a_wrong_badge_is_solid(app: QApplication, mode: str, tokens: object) -> None:
    apply_theme(app, mode, motion=False)
    badge = VerdictBadge(Status.WRONG)
    badge.resize(badge.sizeHint())
    image = badge.grab().toImage()
    fill = (LIGHT if tokens is LIGHT else DARK).wrong_solid.bg
    assert image.pixelColor(3, image.height() // 2).name().upper() == fill


def test_bits_are_told_by_word_too(app: QApplication) -> None:
    assert bits_badge(LIGHT, 4).text == "4 bit"
    assert bits_badge(LIGHT, 0).text == "float"
    assert bits_badge(LIGHT, 0).outline


@given(st.lists(st.integers(0, 10_000), max_size=9), st.floats(40, 800))
def test_shares_fill_the_strip_and_none_vanishes(amounts: list[int], width: float) -> None:
    widths = share_widths(amounts, width)
    present = [w for w, amount in zip(widths, amounts, strict=True) if amount]
    assert all(w == 0 for w, amount in zip(widths, amounts, strict=True) if not amount)
    if present and width > 2 * (len(present) - 1):
        assert sum(present) + 2 * (len(present) - 1) == pytest.approx(width)
        assert min(present) > 0


def test_larger_amounts_get_more() -> None:
    small, large = share_widths([1, 4999], 200)
    assert small == 6
    assert large > 180


def test_a_label_reads_no_html(app: QApplication) -> None:
    label = text_label("<b>conv</b>")
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_an_elided_label_keeps_its_text_and_may_be_narrow(app: QApplication) -> None:
    label = ElidedLabel("a/very/long/name/of/a/node", mode=Qt.TextElideMode.ElideMiddle)
    label.resize(60, 20)
    assert label.text() == "a/very/long/name/of/a/node"
    assert label.minimumSizeHint().width() < 30
    label.set_text("\x1b[31mred")
    assert "\x1b" not in label.text()


def test_an_elided_label_tells_the_whole_text_while_it_is_cut(app: QApplication) -> None:
    label = ElidedLabel("a/very/long/name/of/a/node")
    tips = []
    for width in (60, 600, 60):
        label.resize(width, 20)
        QApplication.sendEvent(label, QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
        tips.append(label.toolTip())
    whole = as_tooltip("a/very/long/name/of/a/node")
    assert tips == [whole, "", whole]
    label.setToolTip("what it is")
    QApplication.sendEvent(label, QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
    assert label.toolTip() == "what it is"


def test_tooltips_escape_what_models_are_called() -> None:
    assert "<img" not in as_tooltip("<img src=x>")
