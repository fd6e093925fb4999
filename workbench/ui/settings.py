"""What the window remembers between two starts, as one JSON file in the user's configuration folder."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.places import config_folder

_SCHEMA: Final = "workbench.window/1"
_RECENT: Final = 8
_log = logging.getLogger(__name__)

THEME_SYSTEM: Final = "system"


@dataclass(frozen=True, slots=True)
class Recent:
    """A model or project that was open. ``when`` is ISO 8601, local; None figures were not measured."""

    path: str
    when: str
    verdict: str | None = None
    p50_ms: float | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """``theme``: "system", "light" or "dark". ``language`` None follows the system. ``scale`` of text and controls.

    ``geometry`` is Qt's saveGeometry in hex. ``splitters``: sizes in pixels by "step/splitter".
    """

    theme: str = THEME_SYSTEM
    language: str | None = None
    scale: float = 1.0
    geometry: str = ""
    splitters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    recent: tuple[Recent, ...] = ()
    closed_panels: tuple[str, ...] = ()

    def with_recent(self, entry: Recent) -> Settings:
        """``entry`` first; another entry of the same path is replaced."""
        others = tuple(old for old in self.recent if old.path != entry.path)
        return replace(self, recent=(entry, *others)[:_RECENT])

    def without_recent(self, path: str) -> Settings:
        return replace(self, recent=tuple(old for old in self.recent if old.path != path))


def settings_file() -> Path:
    return config_folder() / "window.json"


def load(path: Path) -> Settings:
    """The settings in ``path``; the defaults where there is no such file or it cannot be read."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        _log.warning("%s: settings are not read: %s", path, error.strerror)
        return Settings()
    from workbench.core import codec  # msgspec, which a first start does without

    try:
        return codec.value(Settings, codec.loads(text, where=str(path)), schema=_SCHEMA, where=str(path))
    except BadInput as error:
        _log.warning("%s; the defaults are used", error)
        return Settings()


def save(settings: Settings, path: Path) -> None:
    """Write atomically. A folder that cannot be written is told in the log: nothing else depends on it."""
    import tempfile

    from workbench.core import codec

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix="window-", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(codec.dumps(codec.document(_SCHEMA, settings), indent=1))
        os.replace(name, path)
    except OSError as error:
        _log.warning("%s: settings are not kept: %s", path, error.strerror)
