"""Where one is in the graph: the model, the groups around, and what is selected."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QSizePolicy, QWidget

from workbench.core.messages import plain
from workbench.ui.boxes import row
from workbench.ui.buttons import button
from workbench.ui.graph.view import Crumb
from workbench.ui.icon_label import IconLabel
from workbench.ui.theme.icons import ROW
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import ElidedLabel, as_tooltip, text_label

_GAP: Final = 4
_LEAST: Final = 80
_LONGEST: Final = 24


class Crumbs(QWidget):
    """The model and the place one is at stay; groups between give way, the outermost first, to an ellipsis."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = row(self, gap=_GAP)
        self._layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._pieces: list[tuple[QWidget, ...]] = []
        self._ellipsis: tuple[QWidget, ...] = ()
        self._titles: list[str] = []
        self._ends: tuple[QWidget, ...] = ()

    def show_path(self, model: str, crumbs: tuple[Crumb, ...]) -> None:
        """``crumbs``: outermost first; the last one is where one is."""
        while (item := self._layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        first = ElidedLabel(model, "" if crumbs else "strong")
        self._layout.addWidget(first)
        self._ellipsis = (IconLabel("chevron-right", ROW), text_label("\N{HORIZONTAL ELLIPSIS}"))
        self._titles = [crumb.title for crumb in crumbs[:-1]]
        self._pieces = [(IconLabel("chevron-right", ROW), self._group(crumb)) for crumb in crumbs[:-1]]
        last = tuple((IconLabel("chevron-right", ROW), ElidedLabel(crumb.title, "strong")) for crumb in crumbs[-1:])
        for piece in (self._ellipsis, *self._pieces, *last):
            for widget in piece:
                self._layout.addWidget(widget)
        self._layout.addStretch(1)
        self._ends = (first, *(widget for piece in last for widget in piece))
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self._whole(0), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(_LEAST), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As few groups give way as have to."""
        if not self._ellipsis:
            return
        count = len(self._pieces)
        gone = next((n for n in range(count) if self._whole(n) <= self.width()), count)
        for at, piece in enumerate(self._pieces):
            for widget in piece:
                widget.setVisible(at >= gone)
        for widget in self._ellipsis:
            widget.setVisible(gone > 0)
        self._ellipsis[1].setToolTip(as_tooltip(*self._titles[:gone]))

    def _whole(self, gone: int) -> int:
        """The width with the ``gone`` outermost groups left out."""
        return _width(self._ends) + (_width(self._ellipsis) if gone else 0) + sum(map(_width, self._pieces[gone:]))

    def _group(self, crumb: Crumb) -> QWidget:
        """A group around: it leads there."""
        result = button(plain(crumb.title)[:_LONGEST].replace("&", "&&"), "", "flat")
        result.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        result.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        result.clicked.connect(partial(self.chosen.emit, crumb.key))
        return result


def _width(piece: tuple[QWidget, ...]) -> int:
    total = 0
    for widget in piece:
        widget.ensurePolished()  # without its style a button takes itself for smaller than it is
        total += max(widget.sizeHint().width(), widget.minimumWidth()) + theme().px(_GAP)
    return total
