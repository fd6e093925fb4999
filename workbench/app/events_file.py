"""The events of a run that was kept: one JSON object a line, as the agent wrote them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from workbench.core.errors import BadInput, WorkbenchError
from workbench.core.messages import Message, msg
from workbench.core.protocol import Event, Finished, parse_event
from workbench.core.steps import Context

_LONGEST_LINE: Final = 1 << 20
"""A thousand times an event's length, of which a damaged file may still hold one line of a gigabyte."""
_WAY_OUT: Final = msg("Bring the file back, or run again; the run's figures are in the project.")


def read_events(path: Path, ctx: Context) -> tuple[Event, ...]:
    """Every event in its order. Raises BadInput that names the line where the file is damaged, or cut off."""
    events: list[Event] = []
    try:
        with path.open("rb") as file:
            while line := file.readline(_LONGEST_LINE):
                ctx.check()
                events.append(_event(line, f"{path}:{len(events) + 1}"))
    except OSError as error:
        raise BadInput(
            msg("The events of the run cannot be read: {reason}", reason=error.strerror or str(error)),
            where=str(path),
            hint=_WAY_OUT,
        ) from error
    if not events or not isinstance(events[-1], Finished):
        raise BadInput(msg("The events of the run break off before its end"), where=str(path), hint=_WAY_OUT)
    return tuple(events)


def _event(line: bytes, where: str) -> Event:
    try:
        return parse_event(line, where=where)
    except (WorkbenchError, RecursionError) as error:
        raise _damaged(where) from error


def _damaged(where: str) -> BadInput:
    what: Message = msg("The events of the run are damaged: this line is not an event")
    return BadInput(what, where=where, hint=_WAY_OUT)
