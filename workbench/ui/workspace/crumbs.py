"""Where one is in the graph: the model, the groups around, and what is selected."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from workbench.core.messages import plain
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
    """The model and the place one is at stay; groups between give way, the outermost first, to an ellipsis.

    Its parts are placed by hand and used again: nothing is deleted, and no layout runs, while the window
    makes room.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._model = ElidedLabel(parent=self)
        self._ellipsis = (self._chevron(), text_label("\N{HORIZONTAL ELLIPSIS}", parent=self))
        self._groups: list[tuple[IconLabel, QPushButton]] = []
        self._here_chevron = self._chevron()
        self._here = ElidedLabel(role="strong", parent=self)
        self._crumbs: tuple[Crumb, ...] = ()

    def show_path(self, model: str, crumbs: tuple[Crumb, ...]) -> None:
        """``crumbs``: outermost first; the last one is where one is."""
        self._crumbs = crumbs
        self._model.set_text(model)
        self._here.set_text(crumbs[-1].title if crumbs else model)
        for at, crumb in enumerate(crumbs[:-1]):
            if at == len(self._groups):
                self._groups.append((self._chevron(), self._group(at)))
            self._groups[at][1].setText(plain(crumb.title)[:_LONGEST].replace("&", "&&"))
        self.updateGeometry()
        self._place()

    def sizeHint(self) -> QSize:
        rest = sum(_width(label) for label in self._ends())
        return QSize(self._fixed(0) + rest, max(_size(part).height() for part in self._all()))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(_LEAST), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and hasattr(self, "_crumbs"):
            self._place()

    def _place(self) -> None:
        """As few groups give way as have to; then both ends are cut."""
        between = max(0, len(self._crumbs) - 1)
        needed = sum(_width(label) for label in self._ends())
        gone = next((n for n in range(between) if self._fixed(n) + needed <= self.width()), between)
        self._ellipsis[1].setToolTip(as_tooltip(*(crumb.title for crumb in self._crumbs[:gone])))
        widths = dict(zip(self._ends(), self._end_widths(self.width() - self._fixed(gone)), strict=True))
        shown = self._shown(gone)
        left = 0
        for part in shown:
            width, height = widths.get(part, _width(part)), _size(part).height()
            part.setGeometry(left, (self.height() - height) // 2, width, height)
            left += width + theme().px(_GAP)
        for part in self._all():
            part.setVisible(part in shown)

    def _ends(self) -> tuple[QWidget, ...]:
        return (self._model, self._here) if self._crumbs else (self._here,)

    def _end_widths(self, room: int) -> tuple[int, ...]:
        """The ends at their own widths where they fit; else the longer one is cut, or both to one half."""
        wishes = tuple(_width(label) for label in self._ends())
        if sum(wishes) <= room:
            return wishes
        least = min(*wishes, room // 2) if len(wishes) > 1 else 0
        return tuple(max(0, least if wish == min(wishes) else room - least) for wish in wishes)

    def _shown(self, gone: int) -> list[QWidget]:
        """The parts from left to right, with the ``gone`` outermost groups left out."""
        if not self._crumbs:
            return [self._here]
        parts: list[QWidget] = [self._model, *(self._ellipsis if gone else ())]
        for pair in self._groups[gone : len(self._crumbs) - 1]:
            parts += pair
        return [*parts, self._here_chevron, self._here]

    def _all(self) -> list[QWidget]:
        parts: list[QWidget] = [self._model, *self._ellipsis, self._here_chevron, self._here]
        for pair in self._groups:
            parts += pair
        return parts

    def _fixed(self, gone: int) -> int:
        """The width of everything that is not cut, and of the gaps."""
        shown = self._shown(gone)
        ends = self._ends()
        return sum(_width(part) for part in shown if part not in ends) + theme().px(_GAP) * (len(shown) - 1)

    def _chevron(self) -> IconLabel:
        return IconLabel("chevron-right", ROW, parent=self)

    def _group(self, at: int) -> QPushButton:
        """A group around: it leads there."""
        result = button("", "", "flat")
        result.setParent(self)
        result.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        result.clicked.connect(partial(self._choose, at))
        return result

    def _choose(self, at: int, _checked: bool = False) -> None:
        self.chosen.emit(self._crumbs[at].key)


def _width(part: QWidget) -> int:
    return _size(part).width()


def _size(part: QWidget) -> QSize:
    part.ensurePolished()  # without its style a button takes itself for smaller than it is
    return part.sizeHint().expandedTo(part.minimumSize())
