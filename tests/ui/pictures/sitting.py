"""A window over fake steps that holds still to be pictured, the same on every machine."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final
from unittest import mock

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QLocale, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.window.conftest import Answers
from tests.ui.window.fakes import FakeWork
from workbench.ui import settings as stored
from workbench.ui.app import Shell
from workbench.ui.jobbook import JobKind
from workbench.ui.settings import Settings
from workbench.ui.window import Window

SIZE: Final = (1280, 800)
_PATIENCE_S: Final = 60.0


class Sitting:
    """The program before it is pictured."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell

    @property
    def window(self) -> Window:
        return self.shell.window

    def wait(self, condition: Callable[[], object]) -> None:
        """Let the window work until ``condition`` holds."""
        until = time.monotonic() + _PATIENCE_S
        while not condition():
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            assert time.monotonic() < until, "the window did not come to rest"

    def picture(self) -> QImage:
        """The window once two pictures in a row are the same and nothing is at work."""
        self.wait(lambda: not any(self.shell.work.live(kind) for kind in JobKind))
        last, image = QImage(), self._grab()
        while image != last:
            quiet_until = time.monotonic() + 0.3  # layouts come from a thread, charts from a timer
            self.wait(lambda until=quiet_until: time.monotonic() > until)
            last, image = image, self._grab()
        return image

    def _grab(self) -> QImage:
        return self.window.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)

    def place(self, widget: QWidget) -> QRect:
        """Where a widget is in the picture."""
        return QRect(widget.mapTo(self.window, widget.rect().topLeft()), widget.size())


@contextmanager
def sitting(app: QApplication, theme: str, language: str, fake: FakeWork, settings: Settings) -> Iterator[Sitting]:
    """A window of ``SIZE`` with nothing of this machine in it: its own home, no blinking, no moving."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="workbench-sitting-")))
        surroundings = {"HOME": str(home), "WORKBENCH_HOME": str(home), "WORKBENCH_LANGUAGE": language}
        stack.enter_context(mock.patch.dict(os.environ, surroundings))
        before = QLocale()
        QLocale.setDefault(QLocale.c())
        stack.callback(QLocale.setDefault, before)
        app.setCursorFlashTime(0)
        recent = tuple(replace(entry, path=str(Path(entry.path).expanduser())) for entry in settings.recent)
        for entry in recent:
            Path(entry.path).parent.mkdir(parents=True, exist_ok=True)
            Path(entry.path).touch()
        stored.save(replace(settings, recent=recent, theme=theme), home / "window.json")
        shell = Shell(app, fake.actions(), Answers().dialogs(), home / "window.json", motion=False)
        stack.callback(_close, shell)
        shell.window.resize(*SIZE)
        shell.show()
        result = Sitting(shell)
        result.wait(lambda: shell.session.state.devices and shell.window.is_furnished)
        yield result


def _close(shell: Shell) -> None:
    shell.close()
    shell.window.close()
    shell.window.deleteLater()
    shell.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
