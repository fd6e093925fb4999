"""The focus ring in the window: on every control that the keyboard reaches."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from tests.ui.window.conftest import Driver
from workbench.ui.step import Step
from workbench.ui.widgets.focus_ring import FocusRing

_AWAY = 3


def place(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def is_around(ring: FocusRing, control: QWidget) -> bool:
    """3 pixels outside, or less where a scrolled view ends."""
    inner = place(control)
    outer = inner.adjusted(-_AWAY, -_AWAY, _AWAY, _AWAY)
    return outer.contains(ring.geometry()) and ring.geometry().contains(inner)


@pytest.mark.parametrize("step", Step)
def test_every_control_that_tab_reaches_has_the_ring(driver: Driver, step: Step) -> None:
    driver.open()
    driver.window.show_step(step)
    ring = driver.window.findChild(FocusRing)
    assert ring is not None
    reached: list[QWidget] = []
    while True:
        driver.key(Qt.Key.Key_Tab)
        control = QApplication.focusWidget()
        if control is None or control in reached:
            break
        reached.append(control)
        if isinstance(control, QAbstractItemView) or getattr(control, "paints_focus", False):
            assert ring.target() is None
            continue
        assert ring.target() is control
        driver.wait(partial(is_around, ring, control))
    assert len(reached) > 10
