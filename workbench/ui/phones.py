"""The devices of this session: watched, looked for, started, connected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.app.session import Session
from workbench.core.messages import Message, msg
from workbench.ui.actions import Actions, Phone, Watch
from workbench.ui.jobbook import JobKind
from workbench.ui.text import say, tr
from workbench.ui.work import Work

if TYPE_CHECKING:
    from workbench.devices.listing import Seen


class Phones(QObject):
    """``listed``: the list was read anew. ``note`` says why no phone can be seen, "" where they can."""

    listed = Signal()
    _seen = Signal(object)  # from the watch's thread to the window's

    def __init__(self, session: Session, work: Work, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.note = ""
        self._session, self._work, self._actions = session, work, actions
        self._started: list[Phone] = []
        self._seen.connect(self._take)
        self._watch: Watch | None = None

    def watch(self) -> None:
        """Follow devices that come, go or change, until ``close``."""
        self._watch = self._actions.watch(self._seen.emit)
        self._watch.start()

    def look(self) -> None:
        """Read the list now."""
        self._work.start(JobKind.DEVICES, msg("Look for devices"), self._actions.look, self._take)

    def start(self) -> None:
        """Start a simulated phone, and choose it."""

        def done(phone: Phone) -> Message:
            self._started.append(phone)
            self._session.choose_device(phone.serial)
            self.look()
            return Message("{serial}", (("serial", phone.serial),))

        self._work.start(JobKind.PHONE, msg("Start a simulated phone"), self._actions.start_phone, done)

    def connect_to(self, address: str) -> None:
        """Connect to a phone at host:port."""

        def done(_: None) -> None:
            self._session.choose_device(address)
            self.look()

        title = msg("Connect to {address}", address=address)
        self._work.start(JobKind.CONNECT, title, lambda ctx: self._actions.connect(address, ctx), done)

    def close(self) -> None:
        """Stop watching, and the phones that were started here."""
        if self._watch is not None:
            self._watch.stop()
        for phone in self._started:
            phone.stop()

    def _take(self, seen: Seen) -> None:
        simulated = {phone.serial for phone in self._started}
        self.note = _note(seen)
        devices = (replace(d, simulated=True) if d.serial in simulated else d for d in seen.devices)
        self._session.set_devices(tuple(devices))
        self.listed.emit()


def _note(seen: Seen) -> str:
    if seen.problem is None:
        return ""
    return say(seen.problem) if seen.hint is None else tr("{what}. {hint}", what=seen.problem, hint=seen.hint)
