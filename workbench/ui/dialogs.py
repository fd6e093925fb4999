"""The few dialogs: files to open and to write, and an address. Tests put answers in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.ui.text import tr
from workbench.ui.theme.apply import dressed_in


class Keep(Enum):
    """What becomes of work that is in no project."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()


@dataclass(frozen=True, slots=True)
class Dialogs:
    """Each gives None where the person cancelled. ``ask_keep`` gets a question and why it is asked."""

    open_file: Callable[[QWidget, str, str], Path | None]
    open_folder: Callable[[QWidget, str], Path | None]
    save_file: Callable[[QWidget, str, Path, str], Path | None]
    ask_text: Callable[[QWidget, str, str], str | None]
    ask_keep: Callable[[QWidget, str, str], Keep]


def _open_file(parent: QWidget, title: str, pattern: str) -> Path | None:
    from PySide6.QtWidgets import QFileDialog

    name, _ = QFileDialog.getOpenFileName(dressed_in(parent), title, "", pattern)
    return Path(name) if name else None


def _open_folder(parent: QWidget, title: str) -> Path | None:
    from PySide6.QtWidgets import QFileDialog

    name = QFileDialog.getExistingDirectory(dressed_in(parent), title)
    return Path(name) if name else None


def _save_file(parent: QWidget, title: str, start: Path, pattern: str) -> Path | None:
    from PySide6.QtWidgets import QFileDialog

    name, _ = QFileDialog.getSaveFileName(dressed_in(parent), title, str(start), pattern)
    return Path(name) if name else None


def _ask_text(parent: QWidget, title: str, label: str) -> str | None:
    from PySide6.QtWidgets import QInputDialog

    text, accepted = QInputDialog.getText(dressed_in(parent), title, label)
    return text.strip() or None if accepted else None


def _ask_keep(parent: QWidget, question: str, why: str) -> Keep:
    from PySide6.QtWidgets import QMessageBox

    box = QMessageBox(QMessageBox.Icon.Question, "Workbench", question, parent=dressed_in(parent))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(why)
    roles = QMessageBox.ButtonRole
    save = box.addButton(tr("Save project"), roles.AcceptRole)
    discard = box.addButton(tr("Discard"), roles.DestructiveRole)
    cancel = box.addButton(tr("Cancel"), roles.RejectRole)
    box.setDefaultButton(save)
    box.setEscapeButton(cancel)
    box.exec()
    box.deleteLater()
    clicked = box.clickedButton()
    if clicked == save:
        return Keep.SAVE
    return Keep.DISCARD if clicked == discard else Keep.CANCEL


def real_dialogs() -> Dialogs:
    return Dialogs(_open_file, _open_folder, _save_file, _ask_text, _ask_keep)


def model_pattern() -> str:
    """The filter of the dialog that opens models."""
    return tr("ONNX models (*.onnx);;All files (*)")
