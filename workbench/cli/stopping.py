"""Ctrl-C and its like: the first cancels the job, a second one, or a job that does not end, gives it up."""

from __future__ import annotations

import signal
import time
from types import FrameType
from typing import Any, Final

_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_GRACE_SECONDS: Final = 1.5
"""A job that was cancelled tidies up on the phone in a few milliseconds; a phone that hangs never answers."""


class Stopping:
    """While it is entered, the signals that end a program are counted instead.

    The handler takes no lock: it runs between any two instructions of the main thread.
    """

    def __init__(self) -> None:
        self._first = 0.0
        self._count = 0

    @property
    def asked(self) -> bool:
        """True once the user wants the job to stop."""
        return self._count > 0

    @property
    def given_up(self) -> bool:
        """True where the user asked twice, or waited long enough for the job to end."""
        return self._count > 1 or (self._count > 0 and time.monotonic() - self._first > _GRACE_SECONDS)

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self._first = self._first or time.monotonic()
        self._count += 1

    def __enter__(self) -> Stopping:
        for number in _SIGNALS:
            signal.signal(number, self._handle)
        return self

    def __exit__(self, *raised: Any) -> None:
        """From here on a signal ends the program at once: nothing is left to tidy up."""
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_DFL)
