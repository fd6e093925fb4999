"""What a dropped or chosen path is for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Dropped:
    """``kind``: "model", "project" or "inputs"."""

    kind: str
    path: Path


def dropped_path(path: str, has_model: bool) -> Dropped:
    """A folder is a project; arrays go to the open model; all else is read as a model, which may say no."""
    found = Path(path)
    if found.is_dir():
        return Dropped("project", found)
    if found.name == "project.json":
        return Dropped("project", found.parent)
    if found.suffix.lower() == ".npz" and has_model:
        return Dropped("inputs", found)
    return Dropped("model", found)
