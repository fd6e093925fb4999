"""The few dialogs: files to open and to write, and an address. Tests put answers in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from workbench.ui.text import tr


@dataclass(frozen=True, slots=True)
class Dialogs:
    """Each gives None where the person cancelled."""

    open_file: Callable[[QWidget, str, str], Path | None]
    open_folder: Callable[[QWidget, str], Path | None]
    save_file: Callable[[QWidget, str, Path, str], Path | None]
    ask_text: Callable[[QWidget, str, str], str | None]


def _open_file(parent: QWidget, title: str, pattern: str) -> Path | None:
    from PySide6.QtWidgets import QFileDialog

    name, _ = QFileDialog.getOpenFileName(parent, title, "", pattern)
    return Path(name) if name else None


def _open_folder(parent: QWidget, title: str) -> Path | None:
    from PySide6.QtWidgets import QFileDialog

    name = QFileDialog.getExistingDirectory(parent, title)
    return Path(name) if name else None


def _save_file(parent: QWidget, title: str, start: Path, pattern: str) -> Path | None:
    from PySide6.QtWidgets import QFileDialog

    name, _ = QFileDialog.getSaveFileName(parent, title, str(start), pattern)
    return Path(name) if name else None


def _ask_text(parent: QWidget, title: str, label: str) -> str | None:
    from PySide6.QtWidgets import QInputDialog

    text, accepted = QInputDialog.getText(parent, title, label)
    return text.strip() or None if accepted else None


def real_dialogs() -> Dialogs:
    return Dialogs(_open_file, _open_folder, _save_file, _ask_text)


def model_pattern() -> str:
    """The filter of the dialog that opens models."""
    return tr("ONNX models (*.onnx);;All files (*)")
