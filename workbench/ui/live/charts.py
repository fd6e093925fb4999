"""Latency, memory and temperature of a run on one time axis, while it runs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QImageWriter, QPainter, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from workbench.core.errors import BadInput, WorkbenchError
from workbench.core.messages import msg
from workbench.core.protocol import Event
from workbench.core.run import Budget, RunSummary
from workbench.ui.live import ink
from workbench.ui.live.caption import caption
from workbench.ui.live.header import Header
from workbench.ui.live.ops import OpsTable
from workbench.ui.live.recording import Recording
from workbench.ui.live.view import ChartView
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.labels import surface, text_label

_EMPTY, _CHARTS, _OPS = range(3)
_PICTURE_MS: Final = 33
_ROOM_FOR_CAPTION: Final = 320
"""Less is a dock: there the plot needs the height."""
_REST: Final = 3
"""Where painting is slow there are fewer pictures: they take at most a third of the window's time."""
_LATEST_S: Final = 0.2
"""A picture is due when the newest value moved half a pixel, or after this long."""
_WAITING_S: Final = 0.1
"""While a phase of the host grows and no event comes, ten pictures a second are enough."""
_FIGURES_S: Final = 0.5
_DRIFT_S: Final = 1.0
_EXPORT_RATIO: Final = 2


class LiveCharts(QWidget):
    """The charts of one run. Fed by the window with what the run's job hands on; draws when it can.

    ``updated`` is emitted about twice a second while figures change, and once after ``finish``.
    ``failed`` carries the error of an export that the user asked for here.
    """

    updated = Signal()
    failed = Signal(WorkbenchError)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel")
        self.recording: Recording | None = None
        self.budget = Budget()
        self._dirty = False
        self._paused = False
        self._drawn = 0.0
        self._drawn_t = 0.0
        self._told = 0.0
        self._looked = 0.0
        self.header = Header()
        self.header.pause.toggled.connect(self.pause)
        self.header.export.clicked.connect(self._ask_export)
        self.header.ops.toggled.connect(self._show_ops)
        self.view = ChartView()
        self.ops = OpsTable()
        self.caption = text_label(role="hint", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        # In its layout first: it shows its first page at once, which without a parent is a window of its own.
        self._pages = QStackedLayout()
        column.addLayout(self._pages, 1)
        self._pages.addWidget(_empty_page())
        self._pages.addWidget(self._charts_page())
        self._pages.addWidget(self.ops)
        self._timer = QTimer(self)
        self._timer.setInterval(_PICTURE_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self.clear()

    def begin(self, title: str, *, simulated: bool = False) -> None:
        """A run starts: what was shown is dropped, and ``phase`` counts seconds from now.

        ``simulated``: the device is; its temperature and clock are not measured, and said to be so.
        """
        self.recording = Recording(simulated=simulated)
        self.header.begin(title, simulated=simulated)
        self.view.show_recording(self.recording)
        self.caption.setText(caption(self.recording))
        self._pages.setCurrentIndex(_CHARTS)
        self._timer.start()
        self._tell()

    def phase(self, name: str, t_s: float) -> None:
        """The host starts "push" or "load", ``t_s`` seconds after ``begin``.

        "load" is when the agent starts. It need not be told: the agent's first events are then
        taken for new, which is right to the time they spent in queues.
        """
        if self.recording is not None:
            self.recording.phase(name, t_s)
            self._dirty = True

    def add(self, events: tuple[Event, ...]) -> None:
        """A batch of the agent's events, in the order they came. Cheap: drawing comes later."""
        if self.recording is None:
            self.begin("")
        if self.recording is not None:
            self.recording.add(events)
            self._dirty = True

    def finish(self, summary: RunSummary | None) -> None:
        """The run ended: its last figures are shown. ``summary`` is None where it was stopped or failed."""
        if self.recording is None:
            return
        self.recording.finish(summary)
        self._timer.stop()
        ops = summary.ops if summary is not None else ()
        self.ops.show_ops(ops)
        self.header.finish(has_ops=bool(ops))
        self._draw()
        self._tell()

    def clear(self) -> None:
        """Back to the empty state."""
        self._timer.stop()
        self.recording = None
        self.header.clear()
        self._pages.setCurrentIndex(_EMPTY)
        self._tell()

    def set_budget(self, budget: Budget) -> None:
        """Limits to draw, and to judge by."""
        self.budget = self.view.budget = budget
        self._draw()
        self._tell()

    def pause(self, paused: bool) -> None:
        """Hold the picture; events are still kept and shown afterwards."""
        self._paused = paused
        self.header.pause.setChecked(paused)
        self.header.show_paused(paused)
        if not paused:
            self._draw()

    def export_image(self, path: Path) -> None:
        """Write title and charts, as they are, to a PNG file at twice the size. Raises BadInput."""
        image = QImage(self.size() * _EXPORT_RATIO, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(_EXPORT_RATIO)
        image.fill(qcolor(theme().tokens.panel))
        painter = QPainter(image)
        head = self.header.height()
        ink.write(painter, theme().px(16), head / 2, self.header.title, ink.HEADING, qcolor(theme().tokens.text))
        self.view.restyle(_EXPORT_RATIO)
        page = self._pages.currentWidget()
        assert page is not None  # the empty page is the first
        page.render(painter, QPoint(0, head))
        self.view.restyle()
        painter.end()
        if not QImageWriter(str(path), QByteArray(b"png")).write(image):
            raise BadInput(
                msg("The picture cannot be written"),
                where=str(path),
                hint=msg("Choose a folder that you may write to."),
            )

    def sizeHint(self) -> QSize:
        return QSize(theme().px(760), theme().px(680))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.caption.setVisible(self.height() >= theme().px(_ROOM_FOR_CAPTION))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "header"):
            self.header.restyle()

    def _charts_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(theme().px(62), theme().px(4), theme().px(16), theme().px(12))
        foot.addWidget(self.caption)
        column.addLayout(foot)
        return page

    def _tick(self) -> None:
        recording = self.recording
        if recording is None:
            return
        now = time.monotonic()
        if now - self._looked >= _DRIFT_S:
            self._looked = now
            recording.find_slowdown()
        if not self._paused and self.view.isVisible() and self._has_news(recording, now - self._drawn):
            self._draw()
        if now - self._told >= _FIGURES_S:
            self._tell()

    def _has_news(self, recording: Recording, since: float) -> bool:
        """Whether a picture ``since`` seconds after the last one would show something new."""
        if since < _REST * self.view.paint_s:
            return False
        if not self._dirty:  # only the clock moves while the host prepares
            return not recording.ended and len(recording.runs) == 0 and since >= _WAITING_S
        moved = recording.last_t - self._drawn_t
        return moved >= self.view.seconds_a_pixel / 2 or since >= _LATEST_S

    def _draw(self) -> None:
        if self.recording is None:
            return
        self._dirty = False
        self._drawn = time.monotonic()
        self._drawn_t = self.recording.last_t
        self.view.redraw()
        text = caption(self.recording)
        if text != self.caption.text():
            self.caption.setText(text)

    def _tell(self) -> None:
        self._told = time.monotonic()
        self.updated.emit()

    def _show_ops(self, shown: bool) -> None:
        if self.recording is not None:
            self._pages.setCurrentIndex(_OPS if shown else _CHARTS)

    def _ask_export(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Export the charts"), "charts.png", tr("PNG picture (*.png)"))
        if not name:
            return
        try:
            self.export_image(Path(name))
        except BadInput as error:
            self.caption.setText(f"{say(error.what)} {error.where}")
            self.failed.emit(error)


def _empty_page() -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(48, 24, 48, 24)
    column.setSpacing(8)
    title = text_label(tr("No run yet"), "title", wrap=True)
    text = text_label(
        tr(
            "Choose a device and run the converted model. Latency, memory and temperature are drawn here while it runs."
        ),
        "hint",
        wrap=True,
    )
    column.addStretch(1)
    for label in (title, text):
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(label)
    column.addStretch(1)
    return page
