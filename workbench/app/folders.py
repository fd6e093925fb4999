"""Folders that are made when something is first put there."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import BadInput
from workbench.core.messages import msg


def make_folder(folder: Path) -> None:
    """Make ``folder`` and those around it. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            msg("This folder cannot be made: {reason}", reason=error.strerror or str(error)),
            where=str(folder),
            hint=msg("Choose a place that you may write to."),
        ) from error
