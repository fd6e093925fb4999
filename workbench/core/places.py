"""Where things lie: what is shipped, and what is the user's."""

from __future__ import annotations

import os
from pathlib import Path

import workbench

_APP = "workbench"


def resources() -> Path:
    """The shipped resources: inside the package where it is installed, beside it in a checkout."""
    package = Path(workbench.__file__).parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"


def config_folder() -> Path:
    """Settings, recent projects. ``WORKBENCH_HOME`` takes the place of the system's folder."""
    return _under_home("config") or _of_system("user_config_dir")


def cache_folder() -> Path:
    return _under_home("cache") or _of_system("user_cache_dir")


def log_file() -> Path:
    folder = _under_home("log") or _of_system("user_log_dir")
    return folder / "workbench.log"


def _under_home(name: str) -> Path | None:
    home = os.environ.get("WORKBENCH_HOME")
    return Path(home) / name if home else None


def _of_system(kind: str) -> Path:
    import platformdirs  # noqa: PLC0415 - 40 ms that `workbench --help` does not need

    return Path(getattr(platformdirs, kind)(_APP, appauthor=False))
