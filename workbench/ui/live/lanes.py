"""The curves of the three plots, in pyqtgraph view boxes that share one time span."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPen

from workbench.core.run import Budget
from workbench.ui.live.columns import Track, Values, peaks, strided, visible
from workbench.ui.live.frame import LaneFrame
from workbench.ui.live.recording import Recording, megabytes
from workbench.ui.live.scale import Scale, TimeSpan, grown, roomy
from workbench.ui.theme.theme import qcolor, theme

_RUN_ALPHA: Final = 0.38
_AREA_ALPHA: Final = 0.14
P50, P90, P99 = range(3)
LINES: Final = ((2.25, None), (1.75, (5.0, 3.0)), (1.5, (1.5, 2.0)))
"""Width, and dashes in widths of the line, of p50, p90 and p99: one hue, three kinds of line."""
LEAST_FOR_LINES: Final = 5
"""Percentiles of fewer runs are those runs themselves: dots show them."""
_DENSE: Final = 4
"""Runs a pixel from which on each column is a bar."""
_LINE_STRIDE: Final = 3
"""Pixels a point of the percentile lines: a window of two seconds changes slower than that."""
_FULL_WINDOW: Final = 19
"""From the 20th run on a rolling p90 ignores single outliers; before it the largest run is shown whole."""
_TAIL: Final = 1.5
"""The scale follows p99 up to this much over p90, or to three times p90's own distance from the floor."""
_LEAST_SPREAD: Final = 1.1
"""A tenth of the fastest run is always on the scale: less would make an even run look wild."""
_NEAR: Final = 1.6
"""A budget within this factor of the data is on the scale; a farther one would flatten the data."""
_FEW_DEGREES: Final = 8.0


def line_pen(color: str, width: float, dashes: tuple[float, ...] | None = None, alpha: float = 1.0) -> QPen:
    """A pen of the charts: ``width`` in logical pixels, ``dashes`` in widths."""
    pen = QPen(qcolor(color, alpha), width)
    pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dashes is not None:
        pen.setDashPattern(list(dashes))
    return pen


def _curve_pen(pen: QPen, ratio: float) -> QPen:
    """``pen`` for a curve, which is painted in the units of its axes: Qt takes its width for device pixels."""
    pen.setWidthF(pen.widthF() * ratio)
    pen.setCosmetic(True)
    return pen


class Lane:
    """One view box. ``update`` chooses the scale and hands the curves what is visible."""

    def __init__(self, curves: int, *, plain: int = 0) -> None:
        """``plain`` of the curves, the first ones, are drawn without smoothing."""
        self.box = _view_box()
        self.scale: Scale | None = None
        self.curves = tuple(_curve(self.box, antialias=index >= plain) for index in range(curves))

    def reset(self) -> None:
        self.scale = None
        for curve in self.curves:
            curve.clear()

    def frame(self) -> LaneFrame:
        return LaneFrame(self._pixels(), self.scale)

    def restyle(self, ratio: float) -> None:
        """Take the colours of the theme in use. ``ratio``: device pixels a logical pixel."""
        raise NotImplementedError

    def rescale(self, recording: Recording, budget: Budget) -> None:
        """Choose the value scale."""
        raise NotImplementedError

    def draw(self, recording: Recording, span: TimeSpan) -> None:
        """Hand the curves what is visible."""
        raise NotImplementedError

    def _show(self, span: TimeSpan) -> None:
        if self.scale is not None:
            _set_range(self.box, span, self.scale)

    def _pixels(self) -> QRectF:
        return QRectF(self.box.sceneBoundingRect().toAlignedRect())

    def _intervals(self) -> int:
        return int(min(max(self._pixels().height() / theme().px(26), 2), 4))


class LatencyLane(Lane):
    """Each run thin, and the rolling percentiles of the steady runs over it."""

    def __init__(self) -> None:
        super().__init__(4, plain=1)
        # Measured on a full minute: stroking p50 as one path takes 3.8 ms, as segments 0.7. Dashes need the path.
        self.curves[1 + P50].setSegmentedLineMode("on")

    def restyle(self, ratio: float) -> None:
        color = theme().tokens.series[0]
        self.curves[0].setPen(_curve_pen(line_pen(color, 1.0, alpha=_RUN_ALPHA), ratio))
        for curve, (width, dashes) in zip(self.curves[1:], LINES, strict=True):
            curve.setPen(_curve_pen(line_pen(color, width, dashes), ratio))

    def rescale(self, recording: Recording, budget: Budget) -> None:
        bounds = _latency_bounds(recording)
        if bounds is not None:
            low, high = bounds[0], max(roomy(*bounds), bounds[0] * _LEAST_SPREAD)
            for limit in (budget.p50_ms, budget.p90_ms, budget.p99_ms):
                low, high = _with_budget(low, high, limit)
            self.scale = grown(self.scale, low, high, self._intervals())

    def draw(self, recording: Recording, span: TimeSpan) -> None:
        self._show(span)
        t = recording.runs.t.values
        pixels = max(int(self._pixels().width()), 2)
        part = visible(t, span.left, span.right)
        dense = part.stop - part.start > _DENSE * pixels
        x, y = peaks(t, recording.runs.v.values, part, pixels if dense else 2 * pixels)
        # Bars from least to most: a line to and fro would fill the plot and hide the percentiles.
        self.curves[0].setData(x, y, connect="pairs" if dense else "all")
        if recording.steady_from is None or recording.steady.n < LEAST_FOR_LINES:
            return
        first = LEAST_FOR_LINES - 1
        steady_t = t[recording.steady_from + first :]
        part = visible(steady_t, span.left, span.right)
        for curve, column in zip(self.curves[1:], recording.percentiles, strict=True):
            curve.setData(*strided(steady_t, column.values[first:], part, pixels // _LINE_STRIDE))


class MemoryLane(Lane):
    """Memory above the baseline, as an area."""

    def __init__(self) -> None:
        super().__init__(1)
        self.curves[0].setSegmentedLineMode("on")
        self.curves[0].setFillLevel(0.0)

    def restyle(self, ratio: float) -> None:
        color = theme().tokens.series[2]
        self.curves[0].setPen(_curve_pen(line_pen(color, 1.75), ratio))
        self.curves[0].setBrush(qcolor(color, _AREA_ALPHA))

    def rescale(self, recording: Recording, budget: Budget) -> None:
        if len(recording.memory) == 0:
            return
        high = roomy(0.0, max(recording.peak_mb, 1.0))
        limit = peak_budget_mb(budget)
        low = min(0.0, float(recording.memory.v.values.min()))
        high = max(high, limit) if limit is not None and limit <= 2 * _NEAR * high else high
        self.scale = grown(self.scale, low, high, self._intervals())

    def draw(self, recording: Recording, span: TimeSpan) -> None:
        self._show(span)
        _draw_track(self.curves[0], recording.memory, span, self._pixels().width())


class ClimateLane(Lane):
    """Temperature, and the fastest core's clock on a second scale where it is measured."""

    def __init__(self) -> None:
        super().__init__(1)
        self.curves[0].setSegmentedLineMode("on")
        self.right_box = _view_box()
        self.right_scale: Scale | None = None
        self._frequency = _curve(self.right_box, antialias=True)
        self.right_box.setParentItem(self.box)
        self.box.sigResized.connect(self._follow_size)

    def reset(self) -> None:
        super().reset()
        self.right_scale = None
        self._frequency.clear()

    def frame(self) -> LaneFrame:
        return LaneFrame(self._pixels(), self.scale, self.right_scale)

    def restyle(self, ratio: float) -> None:
        series = theme().tokens.series
        self.curves[0].setPen(_curve_pen(line_pen(series[1], 1.75), ratio))
        self._frequency.setPen(_curve_pen(line_pen(series[3], 1.75, (4.5, 2.5)), ratio))

    def rescale(self, recording: Recording, budget: Budget) -> None:
        if len(recording.temperature):
            values = recording.temperature.v.values
            low, high = float(values.min()), float(values.max())
            heated = None if budget.heating_c is None else float(values[0]) + budget.heating_c
            for limit in (heated, budget.temperature_c):
                if limit is not None and limit - high < _FEW_DEGREES:
                    high = max(high, limit)
            missing = max(0.0, _FEW_DEGREES - (high - low)) / 2
            self.scale = grown(self.scale, low - missing, high + missing, self._intervals())
        if len(recording.frequency):
            self.right_scale = grown(self.right_scale, 0.0, float(recording.frequency.v.values.max()), 3)

    def draw(self, recording: Recording, span: TimeSpan) -> None:
        self._show(span)
        width = self._pixels().width()
        _draw_track(self.curves[0], recording.temperature, span, width)
        if self.right_scale is not None:
            _set_range(self.right_box, span, self.right_scale)
            _draw_track(self._frequency, recording.frequency, span, width)

    def _follow_size(self) -> None:
        self.right_box.setGeometry(self.box.rect())


def _latency_bounds(recording: Recording) -> tuple[float, float] | None:
    """The milliseconds that the latency scale must hold; None where there was no run.

    Single outliers are left out, and so are first and warm-up runs once the steady phase began:
    they are marked at the upper edge.
    """
    if recording.steady_from is None:
        runs = recording.runs.v.values
        return (float(runs.min()), float(runs.max())) if len(runs) else None
    skip = min(_FULL_WINDOW, recording.steady.n - 1)
    p90, p99 = (float(recording.percentiles[which].values[skip:].max()) for which in (P90, P99))
    low = recording.steady.low
    return low, min(p99, max(_TAIL * p90, p90 + 3 * (p90 - low)))


def peak_budget_mb(budget: Budget) -> float | None:
    """The limit of the peak above the baseline in MB."""
    return None if budget.peak_kb is None else megabytes(budget.peak_kb)


def _with_budget(low: float, high: float, limit: float | None) -> tuple[float, float]:
    if limit is None or not low / _NEAR <= limit <= high * _NEAR:
        return low, high
    return min(low, limit), max(high, limit)


def _view_box() -> pg.ViewBox:
    box = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0.0)
    box.disableAutoRange()
    return box


def _curve(box: pg.ViewBox, *, antialias: bool) -> pg.PlotCurveItem:
    curve = pg.PlotCurveItem(antialias=antialias, skipFiniteCheck=True)
    box.addItem(curve, ignoreBounds=True)
    return curve


def _set_range(box: pg.ViewBox, span: TimeSpan, scale: Scale) -> None:
    box.setRange(xRange=(span.left, span.right), yRange=(scale.low, scale.high), padding=0.0, disableAutoRange=True)


def _draw_track(curve: pg.PlotCurveItem, track: Track, span: TimeSpan, width: float) -> None:
    if len(track) == 0:
        return
    t: Values = track.t.values
    x, y = peaks(t, track.v.values, visible(t, span.left, span.right), max(int(width) // 2, 2))
    curve.setData(x, np.asarray(y))
