"""The canvas of the charts: three plots on one time axis, crosshair, zoom in time."""

from __future__ import annotations

import time
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from workbench.core.run import Budget
from workbench.ui.live.backdrop import Backdrop
from workbench.ui.live.frame import Frame, Layout
from workbench.ui.live.marks import Marks
from workbench.ui.live.plots import TOP, Plots
from workbench.ui.live.recording import Reading, Recording
from workbench.ui.live.scale import TimeSpan, time_span, time_step
from workbench.ui.live.tooltip import nearest_run
from workbench.ui.text import tr
from workbench.ui.theme.theme import qcolor, theme

_TICK_PX: Final = 72
_LABELS_PX: Final = 48
"""Room for the labels at the live end."""
_ZOOM: Final = 1.2
_STEP: Final = 0.01
_LEAST_WIDTH_S: Final = 1e-3


class ChartView(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph has no types
    """Draws a Recording when told to. Keys: Left and Right move the crosshair, with Shift run by
    run, Home and End to the ends, + and - zoom, 0 fits, Esc takes the crosshair away."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, background=None)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)  # or Tab stops twice
        self.setMinimumSize(theme().px(320), theme().px(140))
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setAccessibleName(tr("Charts of the run"))
        self.setMouseTracking(True)
        self.recording = Recording()
        self.budget = Budget()
        self._plots = Plots()
        self._backdrop = Backdrop()
        self._marks = Marks()
        self._zoom: TimeSpan | None = None
        self._cursor: float | None = None
        self._drag: tuple[float, TimeSpan] | None = None
        self.frame: Frame | None = None
        self.paint_s = 0.0
        self.setCentralItem(self._plots.grid)
        self.scene().addItem(self._backdrop)
        self.scene().addItem(self._marks)
        self.installEventFilter(self)
        self.restyle()

    def show_recording(self, recording: Recording) -> None:
        """Another run takes the place of the one shown."""
        self.recording = recording
        self._zoom = None
        self._cursor = None
        self._plots.reset()
        self.redraw()

    def restyle(self, ratio: float | None = None) -> None:
        """Take colours, fonts and sizes of the theme in use. ``ratio``: for a picture of it instead of the screen."""
        self._backdrop.set_kept(ratio is None)
        self.setBackground(qcolor(theme().tokens.panel))
        self._plots.restyle(self.devicePixelRatioF() if ratio is None else ratio)
        self._backdrop.update()
        self.redraw()

    def redraw(self) -> None:
        """Show what the recording holds now."""
        recording = self.recording
        self._plots.arrange(self.height(), recording)
        width = self._plots.width
        span = self._zoom or time_span(
            recording.origin,
            recording.elapsed,
            steady=recording.steady_from is not None,
            ended=recording.ended,
            room=min(theme().px(_LABELS_PX) / width, 0.3),
        )
        lanes = self._plots.draw(recording, self.budget, span)
        layout = Layout(
            size=(float(self.width()), float(self.height())),
            top=float(theme().px(TOP)),
            span=span,
            step_s=time_step(span.width, width, theme().px(_TICK_PX)),
            lanes=lanes,
            phases=tuple(recording.phases),
            slowdown=recording.slowdown,
            states=self._states(),
            simulated=recording.simulated,
        )
        self.frame = Frame(layout, recording, self.budget)
        self._backdrop.set_layout(layout)
        self._marks.set_frame(self.frame, self._cursor)
        self._tell_tip()

    @property
    def seconds_a_pixel(self) -> float:
        """0 where nothing is drawn yet."""
        return self.frame.layout.seconds_a_pixel if self.frame is not None else 0.0

    @property
    def tip_text(self) -> str:
        """What the tooltip says; "" where there is no crosshair."""
        return self._marks.tip.text if self._marks.tip else ""

    def set_cursor_time(self, t: float | None) -> None:
        """Put the crosshair at ``t`` seconds after the run's beginning, or take it away."""
        self._cursor = t
        if self.frame is not None:
            self._marks.set_frame(self.frame, t)
            self._tell_tip()

    def _states(self) -> tuple[str, str, str]:
        recording = self.recording
        waiting = "" if recording.ended else tr("waiting for the first run")
        if recording.ended and len(recording.runs) == 0:
            waiting = tr("not measured")
        return (
            "" if len(recording.runs) else waiting,
            _state(recording.memory_reading, ended=recording.ended),
            _state(recording.temperature_reading, ended=recording.ended),
        )

    def _tell_tip(self) -> None:
        if self.accessibleDescription() != self.tip_text:
            self.setAccessibleDescription(self.tip_text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_marks"):  # pyqtgraph resizes itself while it is being made
            self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and hasattr(self, "_marks"):
            self.restyle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another screen may have other pixels.

        A filter, not ``event``: an exception under a handler that an overridden ``event`` calls
        has crashed the interpreter (PySide6 6.11.3, PepException_GetArgs).
        """
        if watched is self and event.type() == QEvent.Type.DevicePixelRatioChange:
            self.restyle()
        return bool(super().eventFilter(watched, event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.frame is None:
            return
        x = event.position().x()
        if self._drag is not None:
            start, span = self._drag
            shift = (start - x) / self._plots.width * span.width
            self._zoom = TimeSpan(span.left + shift, span.right + shift, span.origin)
            self.redraw()
            return
        layout = self.frame.layout
        self.set_cursor_time(layout.t(x) if layout.left <= x <= layout.right else None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.frame is not None:
            self._drag = (event.position().x(), self.frame.layout.span)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._drag = None
        self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.hasFocus():
            self.set_cursor_time(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.frame is not None and event.angleDelta().y():
            layout = self.frame.layout
            self._zoom_at(layout.t(event.position().x()), _ZOOM ** (-event.angleDelta().y() / 120))
        event.accept()

    def fit(self) -> None:
        """Show the whole run again, and follow it."""
        self._zoom = None
        self.redraw()

    def _zoom_at(self, t: float, factor: float) -> None:
        if self.frame is None:
            return
        span = self.frame.layout.span
        width = max(span.width * factor, _LEAST_WIDTH_S)
        left = t - (t - span.left) / span.width * width
        whole = self.recording.elapsed * 1.5 + 1
        if width < whole:
            self._zoom = TimeSpan(max(left, -0.05 * width), max(left, -0.05 * width) + width, span.origin)
            self.redraw()
        else:
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = _KEYS.get(Qt.Key(event.key()))
        if act is None or self.frame is None:
            super().keyPressEvent(event)
            return
        act(self, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def _move_cursor(self, direction: int, *, by_run: bool) -> None:
        if self.frame is None:
            return
        span = self.frame.layout.span
        times = self.recording.runs.t.values
        here = self._cursor if self._cursor is not None else self.recording.elapsed
        index = nearest_run(self.recording, here)
        if by_run and index is not None:
            t = float(times[min(max(index + direction, 0), len(times) - 1)])
        else:
            t = here + direction * _STEP * span.width
        self.set_cursor_time(min(max(t, span.left), span.right))

    def _cursor_to_end(self, *, last: bool) -> None:
        times = self.recording.runs.t.values
        if len(times):
            self.set_cursor_time(float(times[-1 if last else 0]))

    def _zoom_key(self, factor: float) -> None:
        if self.frame is not None:
            span = self.frame.layout.span
            self._zoom_at(self._cursor if self._cursor is not None else (span.left + span.right) / 2, factor)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.set_cursor_time(None)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        began = time.perf_counter()
        super().paintEvent(event)
        self.paint_s = time.perf_counter() - began
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(qcolor(theme().tokens.ring), 2))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))


def _state(reading: Reading, *, ended: bool) -> str:
    if reading is Reading.MEASURED:
        return ""
    if reading is Reading.ABSENT:
        return tr("not available on this device")
    return tr("not measured") if ended else tr("not measured yet")


_KEYS: Final = {
    Qt.Key.Key_Left: lambda view, shift: view._move_cursor(-1, by_run=shift),
    Qt.Key.Key_Right: lambda view, shift: view._move_cursor(1, by_run=shift),
    Qt.Key.Key_Home: lambda view, shift: view._cursor_to_end(last=False),
    Qt.Key.Key_End: lambda view, shift: view._cursor_to_end(last=True),
    Qt.Key.Key_Plus: lambda view, shift: view._zoom_key(1 / _ZOOM),
    Qt.Key.Key_Equal: lambda view, shift: view._zoom_key(1 / _ZOOM),
    Qt.Key.Key_Minus: lambda view, shift: view._zoom_key(_ZOOM),
    Qt.Key.Key_0: lambda view, shift: view.fit(),
    Qt.Key.Key_Escape: lambda view, shift: view.set_cursor_time(None),
}
