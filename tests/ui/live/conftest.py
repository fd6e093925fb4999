import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from workbench.ui.live.charts import LiveCharts
from workbench.ui.theme.apply import apply_theme, dress


@pytest.fixture
def on_screen(qapp, qtbot):
    """Shows widgets, and deletes them after the test: a theme is put on every widget that still lives."""
    shown = []

    def _show(widget, width, height):
        shown.append(widget)
        widget.resize(width, height)
        widget.show()
        qtbot.waitExposed(widget)
        return widget

    yield _show
    for widget in shown:
        widget.close()
        widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def charts(qapp, on_screen):
    """Charts on the screen, in the light theme."""
    apply_theme(qapp, "light")
    charts = LiveCharts()
    dress(charts)
    return on_screen(charts, 760, 720)


@pytest.fixture
def feed(charts):
    """Hands events to the charts in batches, as the window does, and has them drawn."""

    def _feed(events, title="Run 1"):
        charts.begin(title)
        rows = tuple(events)
        for start in range(0, len(rows), 33):
            charts.add(rows[start : start + 33])
        charts.finish(None)

    return _feed
