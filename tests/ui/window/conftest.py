"""A window over fake steps, driven through Qt's own events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QEvent, QLibraryInfo, QMimeData, QPoint, QPointF, Qt, QUrl, QVersionNumber
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.window.fakes import FakeWork
from workbench.app.session import State
from workbench.ui import settings as stored
from workbench.ui.app import Shell
from workbench.ui.dialogs import Dialogs, Keep
from workbench.ui.settings import Settings
from workbench.ui.window import Window

Answer = TypeVar("Answer")


@dataclass
class Answers:
    """What the person would say in the dialogs."""

    file: Path | None = None
    folder: Path | None = None
    text: str | None = None
    keep: Keep = Keep.DISCARD
    asked: list[str] = field(default_factory=list)

    def dialogs(self) -> Dialogs:
        return Dialogs(
            lambda _parent, title, _pattern: self._told(title, self.file),
            lambda _parent, title: self._told(title, self.folder),
            lambda _parent, title, _start, _pattern: self._told(title, self.file),
            lambda _parent, title, _label: self._told(title, self.text),
            lambda _parent, question, _why: self._told(question, self.keep),
        )

    def _told(self, title: str, answer: Answer) -> Answer:
        self.asked.append(title)
        return answer


@dataclass
class Driver:
    """The program as a person has it before them."""

    qtbot: QtBot
    shell: Shell
    fake: FakeWork
    answers: Answers

    @property
    def window(self) -> Window:
        return self.shell.window

    @property
    def state(self) -> State:
        return self.shell.session.state

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=10_000)

    def click(self, widget: QWidget) -> None:
        assert widget.isVisible()
        assert widget.isEnabled()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key wherever the focus is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifier)

    def drag(self, path: Path, at: QPoint | None = None, *, let_go: bool = False) -> None:
        """Drag a file over the window, and let go of it there or not: through the window system's events."""
        handle = self.window.windowHandle()
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        point = at or self.window.rect().center()
        actions, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
        plain = Qt.KeyboardModifier.NoModifier
        place: Any = point if QLibraryInfo.version() < QVersionNumber(6, 12) else QPointF(point)
        enter = QDragEnterEvent(place, actions, mime, left, plain)
        QApplication.sendEvent(handle, enter)
        assert enter.isAccepted()
        if let_go:
            QApplication.sendEvent(handle, QDropEvent(QPointF(point), actions, mime, left, plain))

    def drop(self, path: Path, at: QPoint | None = None) -> None:
        self.drag(path, at, let_go=True)

    def open(self) -> None:
        """A model that is open and checked."""
        self.drop(Path("/models/digits.onnx"))
        self.wait(lambda: self.state.report is not None)


Start = Callable[..., Driver]
"""The fixture ``start``."""


def ready(start: Start, fake: FakeWork) -> Driver:
    """A program with its model open."""
    driver = start(fake)
    driver.open()
    return driver


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.setenv("WORKBENCH_LANGUAGE", "en")
    return tmp_path


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication, home: Path) -> Iterator[Start]:
    """``start(fake, settings)``: a running program; everything is ended after the test."""
    shells: list[Shell] = []

    def begin(fake: FakeWork | None = None, settings: Settings | None = None) -> Driver:
        file = home / "window.json"
        stored.save(settings or Settings(theme="light"), file)
        fake, answers = fake or FakeWork(), Answers()
        shell = Shell(qapp, fake.actions(), answers.dialogs(), file)
        shells.append(shell)
        shell.show()
        qtbot.waitExposed(shell.window)
        shell.window.activateWindow()
        driver = Driver(qtbot, shell, fake, answers)
        driver.wait(lambda: shell.session.state.devices and shell.window.is_furnished)
        return driver

    yield begin
    for shell in shells:
        shell.close()
        shell.window.close()
        shell.window.deleteLater()
        shell.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # or every style sheet is set on it too


@pytest.fixture
def driver(start: Start) -> Driver:
    return start()
