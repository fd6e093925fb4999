"""What an error bar offers: the way out, and what was kept, by the kind of job that failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.core.errors import ErrorKind
from workbench.core.messages import Message, msg
from workbench.ui.jobbook import JobKind
from workbench.ui.work import Trouble


@dataclass(frozen=True, slots=True)
class Remedy:
    """``command`` is a window command's id; ``title`` names the act."""

    command: str
    title: Message


_BY_JOB: Final = {
    JobKind.OPEN: Remedy("open-model", msg("Open another model")),
    JobKind.CHECK: Remedy("check", msg("Check again")),
    JobKind.CONVERT: Remedy("convert", msg("Convert again")),
    JobKind.RUN: Remedy("run", msg("Run again")),
    JobKind.PHONE: Remedy("start-phone", msg("Start it again")),
    JobKind.CONNECT: Remedy("connect", msg("Use another address")),
    JobKind.SAVE: Remedy("save-project", msg("Save elsewhere")),
}
_NO_PHONE: Final = Remedy("start-phone", msg("Start a simulated phone"))

_KEPT: Final = {
    JobKind.OPEN: msg("What was open stays open."),
    JobKind.CHECK: msg("Model and plan are as they were."),
    JobKind.CONVERT: msg("Nothing was written; model and plan are as they were."),
    JobKind.RUN: msg("The converted model is kept."),
    JobKind.SAVE: msg("Nothing was overwritten."),
}


def remedy_of(trouble: Trouble, *, has_device: bool) -> Remedy | None:
    """The way out; None for faults that no command mends."""
    if trouble.kind is JobKind.RUN and not has_device and trouble.error.kind is ErrorKind.DEVICE:
        return _NO_PHONE
    return _BY_JOB.get(trouble.kind) if trouble.kind is not None else None


def kept_of(trouble: Trouble) -> Message | None:
    """What the failure left as it was."""
    return _KEPT.get(trouble.kind) if trouble.kind is not None else None
