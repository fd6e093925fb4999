"""Notices phones that come, go or change their state, while the window is open."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from workbench.core.errors import DeviceError
from workbench.devices.listing import Entry, Seen, entries, look
from workbench.devices.server import AdbServer, Connection

_POLL_S: Final = 2.0
"""adb 29 does not report "unauthorized" to trackers: its list is read this often besides."""
_SERVER_ABSENCE_S: Final = 5.0
"""How long a server that ended may take to come back by itself (Android Studio replaces its own)
before another is started."""


class DeviceWatch:
    """Calls ``changed`` from its own thread: once at the start, then whenever a device is other than before.

    Between changes no phone is spoken to: only the adb server's list is read.
    """

    def __init__(self, changed: Callable[[Seen], None], server: AdbServer | None = None) -> None:
        self._changed = changed
        self._server = server or AdbServer()
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._tracker: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="devices", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread and wait for it; no call comes after this returns. Not from within ``changed``."""
        self._stopped.set()
        with self._lock:
            if self._tracker is not None:
                self._tracker.shutdown()
        self._thread.join()

    def _run(self) -> None:
        last = None
        while not self._stopped.is_set():
            # Read before the phones are asked: what changes meanwhile is seen at the next turn.
            before = self._entries()
            seen = look(self._server)
            if seen != last and not self._stopped.is_set():
                self._changed(seen)
            last = seen
            if before is None:
                self._wait_for_server()
            else:
                self._wait_for_other_than(before)

    def _entries(self) -> tuple[Entry, ...] | None:
        try:
            self._server.ensure()
            return entries(self._server)
        except DeviceError:
            return None  # ``look`` tells why

    def _wait_for_other_than(self, before: tuple[Entry, ...]) -> None:
        """Return when the server's list is not ``before`` any more, or the server ends."""
        try:
            with self._server.connection(timeout_s=_POLL_S) as tracker:
                self._hold(tracker)
                tracker.request("host:track-devices")
                while not self._stopped.is_set() and entries(self._server) == before:
                    if not _something_came(tracker):
                        self._wait_for_server()
                        return
        except DeviceError:
            self._wait_for_server()
        finally:
            self._hold(None)

    def _hold(self, tracker: Connection | None) -> None:
        with self._lock:
            self._tracker = tracker
            if tracker is not None and self._stopped.is_set():
                tracker.shutdown()

    def _wait_for_server(self) -> None:
        deadline = time.monotonic() + _SERVER_ABSENCE_S
        while not self._server.listens() and time.monotonic() < deadline:
            if self._stopped.wait(0.2):
                return


def _something_came(tracker: Connection) -> bool:
    """Wait for word from the tracker, or for the time of a poll; False where the server ended."""
    try:
        return bool(tracker.socket.recv(1 << 16))
    except TimeoutError:
        return True
    except OSError:
        return False
