"""The Log tab."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from workbench.ui.log_lines import KEPT, LogLines
from workbench.ui.text import tr
from workbench.ui.theme.fonts import SMALL, mono_font


class LogView(QPlainTextEdit):
    """Read only; follows the end unless the reader has scrolled up."""

    def __init__(self, lines: LogLines, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setProperty("role", "mono")
        self.setFont(mono_font(SMALL))
        self.setAccessibleName(tr("Log"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setMaximumBlockCount(KEPT)
        self.setPlaceholderText(tr("What the engines and Workbench say is listed here."))
        self.document().setDocumentMargin(QFontMetrics(self.font()).averageCharWidth() * 2)
        lines.added.connect(self._add)
        if lines.lines:
            self._add(lines.lines)

    def _add(self, batch: list[str]) -> None:
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        self.appendPlainText("\n".join(batch))
        if at_end:
            bar.setValue(bar.maximum())
