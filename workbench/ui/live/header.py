"""The line over the charts: the run's title, and what can be done with its picture."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.ui.text import tr
from workbench.ui.theme.icons import icon
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.badge import TintBadge
from workbench.ui.widgets.labels import ElidedLabel, surface


class Header(QWidget):
    """``ops`` shows the table of per-op times; it is there for a run that has them."""

    def __init__(self) -> None:
        super().__init__()
        surface(self, "panel", line="bottom")
        self._title = ElidedLabel(role="strong")
        self.simulated = TintBadge(tr("Simulated: this computer's processor"), "condition")
        self.ops = QPushButton()
        self.pause = QPushButton()
        self.export = QPushButton(icon("download"), tr("Export"))
        for button in (self.ops, self.pause):
            button.setCheckable(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self._title, 1)
        row.addWidget(self.simulated)
        row.addSpacing(8)
        self._buttons = (self.ops, self.pause, self.export)
        for button in self._buttons:
            button.setProperty("kind", "flat")
            row.addWidget(button)
        self.show_paused(False)
        self.show_ops(False)
        self.ops.toggled.connect(self.show_ops)
        self.clear()
        self.restyle()

    def begin(self, title: str, *, simulated: bool = False) -> None:
        """A run starts."""
        self._title.set_text(title or tr("Run"))
        self.simulated.setVisible(simulated)
        self.pause.setChecked(False)
        self.ops.setChecked(False)
        self.ops.hide()
        for button in self._buttons:
            button.setEnabled(True)

    def finish(self, *, has_ops: bool) -> None:
        """The run ended: there is nothing to pause any more."""
        self.pause.setChecked(False)
        self.pause.setEnabled(False)
        self.ops.setVisible(has_ops)

    def clear(self) -> None:
        """There is no run."""
        self.begin("")
        for button in self._buttons:
            button.setEnabled(False)

    def show_ops(self, shown: bool) -> None:
        self.ops.setText(tr("Charts") if shown else tr("Per-op times"))
        self.ops.setIcon(icon("activity" if shown else "table-2"))
        self.pause.setVisible(not shown)

    @property
    def title(self) -> str:
        return self._title.text()

    def show_paused(self, paused: bool) -> None:
        self.pause.setText(tr("Continue chart") if paused else tr("Pause chart"))
        self.pause.setIcon(icon("play" if paused else "pause"))

    def restyle(self) -> None:
        self.setFixedHeight(theme().px(40))
