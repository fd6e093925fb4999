"""``python -m workbench.ui.pictures PROJECT FOLDER``: pictures of the window with a project, for the demo's report.

A program of its own, run offscreen: it opens the project as a person does, walks through the steps and
writes a PNG of each in both themes. It prints the files' names.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from workbench.app.services import Services
from workbench.core.errors import ExitCode
from workbench.ui.actions import bound
from workbench.ui.app import Shell
from workbench.ui.dialogs import real_dialogs
from workbench.ui.step import Step
from workbench.ui.theme.apply import apply_theme

_SIZE: Final = (1440, 900)
_SETTLE_MS: Final = 400
_OPEN_SECONDS: Final = 60.0
_THEMES: Final = ("light", "dark")


def take(project: Path, folder: Path) -> tuple[Path, ...]:
    """Pictures of every step of ``project`` in ``folder``. Raises TimeoutError where it does not open."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    services = Services(_no_window, plugins_enabled=False)
    with tempfile.TemporaryDirectory() as home:
        shell = Shell(app, bound(services), real_dialogs(), Path(home) / "settings.json")
        try:
            shell.show()
            shell.window.resize(*_SIZE)
            shell.window.open_path(str(project))
            _wait(lambda: shell.session.state.project is not None)
            return tuple(_picture(app, shell, theme, step, folder) for theme in _THEMES for step in Step)
        finally:
            shell.close()
            services.close()


def _picture(app: QApplication, shell: Shell, theme: str, step: Step, folder: Path) -> Path:
    apply_theme(app, theme)
    shell.window.show_step(step)
    _settle()
    path = folder / f"window-{list(Step).index(step) + 1}-{step.value}-{theme}.png"
    shell.window.grab().save(str(path))
    return path


def _settle() -> None:
    """Let layouts and animations come to rest."""
    loop = QEventLoop()
    QTimer.singleShot(_SETTLE_MS, loop.quit)
    loop.exec()


def _wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _OPEN_SECONDS
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError("the project did not open")
        _settle()


def _no_window(services: Services, path: Path | None, *, simulated: bool) -> ExitCode:
    raise AssertionError("a picture opens no second window")


if __name__ == "__main__":
    for made in take(Path(sys.argv[1]), Path(sys.argv[2])):
        print(made.name)
