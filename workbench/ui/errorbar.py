"""The error bar: what went wrong and where, why and what was kept, and the way out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.messages import Message, plain
from workbench.ui.boxes import column, row
from workbench.ui.buttons import button, icon_button
from workbench.ui.icon_label import IconLabel
from workbench.ui.remedies import Remedy
from workbench.ui.text import say, sentences, tr
from workbench.ui.widgets.labels import surface, text_label
from workbench.ui.work import Trouble


class ErrorBar(QWidget):
    """Stays until solved or closed. ``wanted`` carries a window command's id."""

    wanted = Signal(str)
    show_node = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "wrong", line="bottom")
        self.trouble: Trouble | None = None
        self._node = ""
        self._remedy = ""
        self.title = text_label("", "strong", wrap=True)
        self.detail = text_label("", "table", wrap=True)
        self.node_button = button(tr("Show in graph"), "crosshair")
        self.node_button.clicked.connect(lambda: self.show_node.emit(self._node))
        self.log_button = button(tr("Show the log"), "square-terminal")
        self.log_button.clicked.connect(lambda: self.wanted.emit("log"))
        self.remedy_button = button("", "", "main")
        self.remedy_button.clicked.connect(lambda: self.wanted.emit(self._remedy))
        self.close_button = icon_button("x", tr("Close this message"))
        self.close_button.clicked.connect(self.dismiss)
        layout = row(self, gap=12, inset=(16, 12, 12, 12))
        layout.addWidget(IconLabel("octagon-x", ink="wrong"), alignment=Qt.AlignmentFlag.AlignTop)
        words = column(gap=4)
        words.addWidget(self.title)
        words.addWidget(self.detail)
        layout.addLayout(words, 1)
        acts = row(gap=8)
        for widget in (self.node_button, self.log_button, self.remedy_button, self.close_button):
            acts.addWidget(widget, alignment=Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(acts)
        self.setAccessibleName(tr("Error"))
        self.hide()

    def show_trouble(self, trouble: Trouble, remedy: Remedy | None, kept: Message | None, node: str = "") -> None:
        """``node``: id of the operator that the error is about, "" where it is about none."""
        error = trouble.error
        self.trouble = trouble
        self._node = node
        what = say(error.what)
        self.title.setText(tr("{what}: {where}", what=what, where=error.where) if error.where else what)
        parts = [say(part) for part in (error.hint, kept) if part is not None]
        self.detail.setText(sentences(parts))
        self.detail.setVisible(bool(parts))
        self.node_button.setVisible(bool(node))
        self._remedy = remedy.command if remedy is not None else ""
        self.remedy_button.setVisible(remedy is not None)
        if remedy is not None:
            self.remedy_button.setText(say(remedy.title))
        self.setAccessibleDescription(plain(f"{self.title.text()} {self.detail.text()}"))
        self.show()

    @property
    def remedy(self) -> str:
        """The command that the bar offers, "" while there is none."""
        return self._remedy if self.trouble is not None else ""

    def dismiss(self) -> None:
        """Closed by the person, or solved."""
        if self.trouble is not None:
            self.trouble = None
            self.hide()
            self.closed.emit()
