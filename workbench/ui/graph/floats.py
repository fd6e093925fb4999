"""What floats over the canvas: the legend of the overlay, and the zoom."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from workbench.core.plan import FLOAT_BITS
from workbench.core.verdict import Status
from workbench.ui.graph.overlay import Overlay
from workbench.ui.text import tr
from workbench.ui.theme.fonts import MEDIUM, SEMIBOLD, TABLE, ui_font
from workbench.ui.theme.icons import CONTROL, ROW, icon, icon_size
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.theme.tokens import Tokens
from workbench.ui.widgets.badge import Badge, BadgeLabel, bits_badge, verdict_badge
from workbench.ui.widgets.labels import surface

SHADOW: Final = 8
"""Room around a float for its shadow, part of the widget."""
_FLOAT_HEIGHT: Final = 32
_RADIUS: Final = 8
_DOWN: Final = 2


class Float(QFrame):
    """A rounded panel with a shadow, over a painted widget."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.row = QHBoxLayout(self)
        self.refit()

    def refit(self) -> None:
        """Margins in the user's scale."""
        unit = theme().px
        self.row.setContentsMargins(SHADOW + unit(12), SHADOW, SHADOW + unit(4), SHADOW)
        self.row.setSpacing(unit(8))
        self.setFixedHeight(unit(_FLOAT_HEIGHT) + 2 * SHADOW)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        painter.drawPixmap(0, 0, _panel(self.width(), self.height(), ratio, theme().tokens, theme().px(_RADIUS)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()


@lru_cache(maxsize=32)
def _panel(width: int, height: int, ratio: float, tokens: Tokens, radius: int) -> QPixmap:
    """The panel with its shadow: rings that fade outward, a little lower than the panel."""
    pixmap = QPixmap(round(width * ratio), round(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(SHADOW, SHADOW, width - 2 * SHADOW, height - 2 * SHADOW)
    strength = 0.035 if tokens.name == "dark" else 0.016
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qcolor(tokens.shadow, strength))
    for step in range(SHADOW - _DOWN, 0, -1):
        grown = box.adjusted(-step, -step + _DOWN, step, step + _DOWN)
        painter.drawRoundedRect(grown, radius + step, radius + step)
    painter.setPen(QPen(qcolor(tokens.border), 1))
    painter.setBrush(qcolor(tokens.raised))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.end()
    return pixmap


class _VerdictKey(BadgeLabel):
    """A verdict of the legend."""

    def __init__(self, parent: QWidget, status: Status) -> None:
        super().__init__(parent)
        self.status = status
        self.refresh()

    def badge(self) -> Badge:
        return verdict_badge(theme().tokens, self.status)


class _BitsKey(BadgeLabel):
    """A bit width of the legend, all of one width."""

    _WIDTH: Final = 28

    def __init__(self, parent: QWidget, bits: int) -> None:
        super().__init__(parent)
        self._bits = bits
        self.refresh()

    def badge(self) -> Badge:
        is_float = self._bits == FLOAT_BITS
        badge = bits_badge(theme().tokens, self._bits, "" if is_float else str(self._bits))
        return badge if self._bits != _STEPS[1] else replace(badge, outline=theme().tokens.border)

    def least_width(self) -> float:
        return 0.0 if self._bits == FLOAT_BITS else self._WIDTH


_USUAL: Final = (Status.RIGHT, Status.CONDITION, Status.WRONG, Status.CRASH, Status.UNSUPPORTED)
_RARE: Final = (Status.HANG, Status.FIXED, Status.NOT_CHECKED)
_STEPS: Final = (FLOAT_BITS, 8, 6, 4, 3, 2)


class Legend(Float):
    """What the marks of the overlay mean. Verdicts that are rare are behind the arrow, unless there are some."""

    changed = Signal()
    """Its width changed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._keys: list[QWidget] = []
        self._rare: list[QWidget] = []
        self._more = QToolButton(self)
        self._more.setCheckable(True)
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.toggled.connect(self._unfold)
        self.setAccessibleName(tr("Legend"))

    def show_overlay(self, overlay: Overlay) -> None:
        """Rebuild for ``overlay``, in the language and scale of the moment."""
        for widget in self._keys:  # not orphaned: a layout's queued show would make a window of it
            self.row.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._keys, self._rare = [], []
        self.refit()
        match overlay:
            case Overlay.SUPPORT:
                self._keys = [_VerdictKey(self, status) for status in (*_USUAL, *_RARE)]
                self._rare = self._keys[len(_USUAL) :]
            case Overlay.BITS:
                title = QLabel(tr("Bits"), self)
                title.setFont(ui_font(TABLE, SEMIBOLD))
                self._keys = [title, *(_BitsKey(self, bits) for bits in _STEPS)]
            case Overlay.NONE:
                pass
        for widget in self._keys:
            self.row.addWidget(widget)
            widget.show()
        self.row.addWidget(self._more)
        self._more.setVisible(bool(self._rare))
        self._more.setIconSize(icon_size(ROW))
        self._more.setFixedWidth(theme().px(24))
        self._unfold(self._more.isChecked())

    def fit_into(self, room: int, present: frozenset[Status]) -> None:
        """Take at most ``room`` pixels of width: what has no place is behind the arrow, ``present`` last of all."""
        rare = [key for key in self._rare if not (isinstance(key, _VerdictKey) and key.status in present)]
        shown = [key for key in self._keys if self._more.isChecked() or key not in rare]
        for key in self._keys:
            key.setVisible(key in shown)
        self._more.setVisible(bool(self._rare))
        self.adjustSize()
        shown.sort(key=lambda key: isinstance(key, _VerdictKey) and key.status not in present)
        while self.width() > room and len(shown) > 1:
            shown.pop().hide()
            self._more.show()
            self.adjustSize()

    @property
    def is_unfolded(self) -> bool:
        """Whether everything is wanted, whatever room that takes."""
        return self._more.isChecked()

    def _unfold(self, everything: bool) -> None:
        for widget in self._rare:
            widget.setVisible(everything)
        self._more.setIcon(icon("chevron-left" if everything else "chevron-right", ROW))
        word = tr("Fewer verdicts") if everything else tr("More verdicts")
        self._more.setToolTip(word)
        self._more.setAccessibleName(word)
        self.changed.emit()


class ZoomControl(Float):
    """Out, the zoom in per cent, in, and fit."""

    zoom_out = Signal()
    zoom_in = Signal()
    zoom_reset = Signal()
    fit = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._out = self._button("minus", self.zoom_out)
        self._percent = self._button("", self.zoom_reset)
        self._in = self._button("plus", self.zoom_in)
        self._line = QWidget(self)
        surface(self._line, "", line="left")
        self._fit = self._button("maximize", self.fit)
        for widget in (self._out, self._percent, self._in, self._line, self._fit):
            self.row.addWidget(widget)
        self.set_zoom(1.0)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts and sizes in the language and scale of the moment."""
        self.refit()
        self.row.setSpacing(theme().px(2))
        self.row.setContentsMargins(SHADOW + theme().px(2), SHADOW, SHADOW + theme().px(2), SHADOW)
        self._line.setFixedSize(1, theme().px(16))
        self._percent.setMinimumWidth(theme().px(52))
        self._percent.setFont(ui_font(TABLE, MEDIUM))
        named = (
            (self._out, tr("Zoom out"), "-"),
            (self._percent, tr("Actual size"), "0"),
            (self._in, tr("Zoom in"), "+"),
            (self._fit, tr("Fit the graph"), tr("Space")),
        )
        for button, name, key in named:
            button.setToolTip(f"{name} ({key})")
            button.setAccessibleName(name)
            button.setIconSize(icon_size(CONTROL))

    def set_zoom(self, zoom: float) -> None:
        """Show ``zoom``, 1.0 as 100 %."""
        self._percent.setText(f"{zoom * 100:.0f} %")
        self._percent.setAccessibleDescription(self._percent.text())

    def _button(self, name: str, clicked: object) -> QToolButton:
        button = QToolButton(self)
        if name:
            button.setIcon(icon(name, CONTROL))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(clicked)
        return button
