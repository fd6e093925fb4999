"""What adb and phones said in faults that people reported (``tests/data/devices``)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "data" / "devices"


@dataclass(frozen=True)
class Said:
    """One command's answer."""

    match: str
    stdout: str
    stderr: str
    rc: int


def transcript(name: str) -> list[Said]:
    doc = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return [Said(**entry) for entry in doc["transcript"]]


def names() -> list[str]:
    return sorted(file.stem for file in _FOLDER.glob("*.json"))
