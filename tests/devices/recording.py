"""A step's surroundings that remember what was reported, and can cancel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.core.errors import Cancelled
from workbench.core.messages import Message


class Recording:
    """A Context. ``cancel_at``: the fraction at which somebody cancels, from whichever thread reports it."""

    def __init__(self, cancel_at: float | None = None) -> None:
        self.fractions: list[float] = []
        self.stoppers: list[Callable[[], None]] = []
        self.is_cancelled = False
        self._cancel_at = cancel_at

    def progress(self, fraction: float | None, text: Message) -> None:
        if fraction is not None:
            self.fractions.append(fraction)
            if self._cancel_at is not None and fraction >= self._cancel_at:
                self.cancel()
        self.check()

    def cancel(self) -> None:
        self.is_cancelled = True
        for stop in self.stoppers:
            stop()

    def check(self) -> None:
        if self.is_cancelled:
            raise Cancelled

    def on_cancel(self, stop: Callable[[], None]) -> Callable[[], None]:
        self.stoppers.append(stop)
        return lambda: self.stoppers.remove(stop)

    def line(self, text: str) -> None:
        return

    def samples(self, rows: tuple[Any, ...]) -> None:
        return
