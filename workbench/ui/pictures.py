"""Pictures of the window on a project, for the demo: ``python -m workbench.ui.pictures PROJECT FOLDER``.

Prints the files it wrote, one a line. Nothing of the user's settings is read or changed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QEventLoop
from PySide6.QtWidgets import QApplication

from workbench.app.services import Services
from workbench.core.errors import InternalError, UsageError, WorkbenchError
from workbench.core.messages import msg
from workbench.ui import settings as stored
from workbench.ui.actions import bound
from workbench.ui.app import Shell, start_gui
from workbench.ui.dialogs import real_dialogs
from workbench.ui.jobbook import JobKind
from workbench.ui.settings import Settings
from workbench.ui.step import Step
from workbench.ui.theme.apply import make_application

_SIZE: Final = (1440, 900)
_PATIENCE_S: Final = 120.0
_SETTLE_S: Final = 0.4
"""Layouts come from a thread, and groups glide into place."""
_AT_WORK: Final = (JobKind.OPEN, JobKind.CHECK, JobKind.FORECAST, JobKind.REPLAY)


def main(arguments: list[str]) -> int:
    """Take the pictures; 1 with one line on stderr where something failed."""
    try:
        if len(arguments) != 2:
            raise UsageError(
                msg("A project folder and a folder for the pictures are expected"), hint=msg("See workbench demo.")
            )
        for file in take(Path(arguments[0]), Path(arguments[1])):
            print(file)
    except WorkbenchError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def take(project: Path, folder: Path) -> list[Path]:
    """Open ``project`` offscreen and picture each step in light, Check and Run in dark as well."""
    app = QApplication.instance() or make_application(sys.argv[0])
    assert isinstance(app, QApplication)
    files: list[Path] = []
    services = Services(start_gui)
    with tempfile.TemporaryDirectory(prefix="workbench-pictures-") as private:
        settings = Path(private) / "window.json"
        stored.save(Settings(theme="light"), settings)
        shell = Shell(app, bound(services), real_dialogs(), settings)
        try:
            shell.window.resize(*_SIZE)
            shell.show()
            files.append(_picture(shell, folder / "window-start.png"))
            shell.window.open_path(str(project))
            _wait(shell, lambda: shell.session.state.report is not None and shell.window.is_furnished)
            for theme, steps in (("light", tuple(Step)), ("dark", (Step.CHECK, Step.RUN))):
                shell.window.run_command(f"theme-{theme}")
                for step in steps:
                    shell.window.show_step(step)
                    files.append(_picture(shell, folder / f"window-{step}-{theme}.png"))
        finally:
            shell.close()
            services.close()
    return files


def _picture(shell: Shell, file: Path) -> Path:
    _wait(shell, lambda: all(shell.work.live(kind) is None for kind in _AT_WORK) and shell.window.updatesEnabled())
    until = time.monotonic() + _SETTLE_S
    _wait(shell, lambda: time.monotonic() > until)
    if not shell.window.grab().save(str(file)):
        raise InternalError(msg("The picture cannot be written"), where=str(file))
    return file


def _wait(shell: Shell, condition: Callable[[], bool]) -> None:
    """Let the window work until ``condition`` holds. Raises what the window would show in its error bar."""
    until = time.monotonic() + _PATIENCE_S
    while not condition():
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
        if (trouble := shell.window.error_bar.trouble) is not None:
            raise trouble.error
        if time.monotonic() > until:
            raise InternalError(msg("The window did not come to rest"), where="pictures")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
