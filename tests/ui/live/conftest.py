import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest

from workbench.ui.live.charts import LiveCharts
from workbench.ui.theme.apply import apply_theme


@pytest.fixture
def charts(qapp, qtbot):
    """Charts on the screen, in the light theme."""
    apply_theme(qapp, "light")
    widget = LiveCharts()
    qtbot.addWidget(widget)
    widget.resize(760, 720)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


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
