"""What can go wrong, as values: kind, where, what, and what to do about it.

Steps raise these; the command line and the window catch them at their edge and render them.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

from workbench.core.messages import Message


class ExitCode(IntEnum):
    """Exit codes of every command."""

    YES = 0
    NO = 1  # the honest answer: unsupported, wrong, unverified, over budget
    BAD_INPUT = 2
    DEVICE = 3
    CANCELLED = 130


class ErrorKind(StrEnum):
    """The ``kind`` in an error document."""

    BAD_INPUT = "bad_input"
    USAGE = "usage"
    ENGINE = "engine"
    ANSWER = "answer"
    DEVICE = "device"
    INTERNAL = "internal"
    CANCELLED = "cancelled"


_EXIT_CODES = {
    ErrorKind.BAD_INPUT: ExitCode.BAD_INPUT,
    ErrorKind.USAGE: ExitCode.BAD_INPUT,
    ErrorKind.ENGINE: ExitCode.NO,
    ErrorKind.ANSWER: ExitCode.NO,
    ErrorKind.DEVICE: ExitCode.DEVICE,
    ErrorKind.INTERNAL: ExitCode.NO,
    ErrorKind.CANCELLED: ExitCode.CANCELLED,
}


class WorkbenchError(Exception):
    """Base of every error a user may see.

    ``where`` is data (a path, a node id, a serial), never a sentence; ``what`` and ``hint`` are.
    """

    kind = ErrorKind.INTERNAL

    def __init__(self, what: Message, *, where: str = "", hint: Message | None = None) -> None:
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    @property
    def exit_code(self) -> ExitCode:
        return _EXIT_CODES[self.kind]

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else str(self.what)
        if self.hint is None:
            return text
        return f"{text}{'' if text.endswith('.') else '.'} {self.hint}"


class BadInput(WorkbenchError):
    """A file, shape or array that cannot be used as it is."""

    kind = ErrorKind.BAD_INPUT


class UsageError(WorkbenchError):
    """Options that contradict each other or name nothing."""

    kind = ErrorKind.USAGE


class EngineError(WorkbenchError):
    """The engine refused, crashed or hung on this model."""

    kind = ErrorKind.ENGINE


class AnswerIsNo(WorkbenchError):
    """The work was done and its honest answer is no."""

    kind = ErrorKind.ANSWER


class DeviceError(WorkbenchError):
    """The device is missing, refuses, or went away."""

    kind = ErrorKind.DEVICE


class InternalError(WorkbenchError):
    """A fault of Workbench itself; the log holds the details."""

    kind = ErrorKind.INTERNAL


class Cancelled(WorkbenchError):
    """The user stopped the step."""

    kind = ErrorKind.CANCELLED

    def __init__(self) -> None:
        super().__init__(Message("Cancelled"))
