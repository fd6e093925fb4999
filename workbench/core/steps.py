"""What a long step may ask of its surroundings.

A step is a plain function ``step(values..., ctx)``. It reports through ``ctx``, asks it whether
to go on, and names whatever must be stopped when the user cancels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from workbench.core.messages import Message

if TYPE_CHECKING:
    from workbench.core.protocol import Event


class Context(Protocol):
    """The three verbs of a step, and a way to hand on rows as they come."""

    def progress(self, fraction: float | None, text: Message) -> None:
        """Report ``fraction`` done (0 to 1, None where unknown). Raises Cancelled after a cancel."""

    def check(self) -> None:
        """Raise Cancelled if the user cancelled."""

    def on_cancel(self, stop: Callable[[], None]) -> Callable[[], None]:
        """Call ``stop`` from the cancelling thread, at once if already cancelled; returns its removal."""

    def line(self, text: str) -> None:
        """One line for the log."""

    def samples(self, rows: tuple[Event, ...]) -> None:
        """Measured events, in the order they came."""


class Quiet:
    """A Context that nobody listens to: for tests and for steps inside steps."""

    def progress(self, fraction: float | None, text: Message) -> None:
        return None

    def check(self) -> None:
        return None

    def on_cancel(self, stop: Callable[[], None]) -> Callable[[], None]:
        return lambda: None

    def line(self, text: str) -> None:
        return None

    def samples(self, rows: tuple[Event, ...]) -> None:
        return None
