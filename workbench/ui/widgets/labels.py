"""Labels that show data as it is: plain text on one line, elided where there is no room."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QEnterEvent, QFontMetrics, QPainter, QPaintEvent, QPalette, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from workbench.core.messages import plain


def text_label(text: str = "", role: str = "", *, wrap: bool = False, parent: QWidget | None = None) -> QLabel:
    """A label that never reads its text as HTML. ``role``: see the table in ``theme.qss``."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setWordWrap(wrap)
    if role:
        label.setProperty("role", role)
    return label


class ElidedLabel(QLabel):
    """One line of data. Cut at ``mode`` where it does not fit; the tooltip then has it all."""

    def __init__(
        self,
        text: str = "",
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self._tip = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if role:
            self.setProperty("role", role)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show ``text``, control characters made visible."""
        self.setText(plain(text))

    def minimumSizeHint(self) -> QSize:
        least = QFontMetrics(self.font()).horizontalAdvance("\N{HORIZONTAL ELLIPSIS}")
        return QSize(least, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        flags = int(self.alignment() | Qt.TextFlag.TextSingleLine)
        painter.drawText(self.contentsRect(), flags, self._shown())

    def enterEvent(self, event: QEnterEvent) -> None:
        """The whole text as tooltip while it is cut, unless the label has another tooltip.

        A filter of its events would ask at the moment itself, but each label's thousands at a change of the
        theme would go through Python: 0.1 s of a window.
        """
        super().enterEvent(event)
        if self.toolTip() == self._tip:
            whole = self.text()
            self._tip = as_tooltip(whole) if self._shown() != whole else ""
            self.setToolTip(self._tip)

    def _shown(self) -> str:
        return self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())


class TwoLines(ElidedLabel):
    """A sentence on one line, on two where one has no room; cut only after these."""

    def __init__(self, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__("", role, parent=parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.fontMetrics().lineSpacing() * len(self._lines(width))

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 1, self.fontMetrics().lineSpacing())

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.fontMetrics().lineSpacing())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        box = self.contentsRect()
        for line in self._lines(box.width()):
            painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), line)
            box.setTop(box.top() + self.fontMetrics().lineSpacing())

    def _shown(self) -> str:
        return "".join(self._lines(self.contentsRect().width()))

    def _lines(self, width: int) -> tuple[str, ...]:
        """What is on the first line and on the second; together the text, where it is not cut."""
        text = self.text()
        if self.fontMetrics().horizontalAdvance(text) <= width:
            return (text,)
        layout = QTextLayout(text, self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        first = layout.createLine()
        first.setLineWidth(width)
        layout.endLayout()
        at = first.textLength()
        return text[:at], self.fontMetrics().elidedText(text[at:], self._mode, width)


def as_tooltip(*lines: str) -> str:
    """Lines of data as a tooltip that Qt cannot take for HTML."""
    return "<br>".join(f"<span style='white-space:pre'>{escape(plain(line))}</span>" for line in lines)


def surface(widget: QWidget, name: str, *, line: str = "") -> None:
    """Give a widget the background ``name`` and, at one side, a border: see the table in ``theme.qss``."""
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    widget.setProperty("surface", name)
    if line:
        widget.setProperty("line", line)
