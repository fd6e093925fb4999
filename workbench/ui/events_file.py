"""The events of a run that a project keeps: one JSON object a line."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.core.protocol import Event, parse_event
from workbench.core.steps import Context


def read_events(path: Path, ctx: Context) -> tuple[Event, ...]:
    """Every event in its order. Raises BadInput where the file is gone, DeviceError for a broken line."""
    events: list[Event] = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                ctx.check()
                events.append(parse_event(line, where=f"{path}:{number}"))
    except OSError as error:
        raise BadInput(
            msg("The events of the run cannot be read: {reason}", reason=error.strerror or str(error)),
            where=str(path),
        ) from error
    return tuple(events)
