"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from workbench.core import codec
from workbench.core.errors import BadInput
from workbench.core.messages import msg


def write_text(path: Path, text: str) -> None:
    """Write ``path`` atomically. Raises BadInput where its folder is missing or cannot be written."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            temporary.chmod(0o644)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(
            msg("This file cannot be written: {reason}", reason=error.strerror or str(error)),
            where=str(path),
            hint=msg("Choose a folder that exists and that you may write to."),
        ) from error


def write_document(path: Path, document: object) -> None:
    """Write a JSON document atomically. Raises BadInput."""
    write_text(path, codec.dumps(document, indent=1) + "\n")


def read_text(path: Path) -> str:
    """The text of a file of the user's. Raises BadInput where it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(
            msg("This file cannot be read: {reason}", reason=error.strerror or str(error)), where=str(path)
        ) from error
    except UnicodeDecodeError as error:
        raise BadInput(msg("This file is not UTF-8 text"), where=str(path)) from error


def make_folder(folder: Path) -> None:
    """Make ``folder`` and those above it; it may exist. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            msg("This folder cannot be made: {reason}", reason=error.strerror or str(error)),
            where=str(folder),
            hint=msg("Choose a place that you may write to."),
        ) from error
