"""How a command's parameters are described: once, for the command line, the palette and the docs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.errors import ExitCode
from workbench.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Argument:
    """Metadata of one parameter, in its ``Annotated``. ``flags`` replaces the flag made from its name."""

    help: Message
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows for a person: text left, numbers right."""

    heads: tuple[Message, ...]
    rows: tuple[tuple[str | Message | int | float, ...], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command answers: a JSON document for programs, lines and a table for people.

    ``warnings`` are for people whatever the document is for; it holds them too.
    """

    document: object
    exit_code: ExitCode = ExitCode.YES
    lines: tuple[Message, ...] = ()
    table: Table | None = None
    warnings: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """One user action. ``summary`` is its help, also where Python runs without docstrings."""

    name: str
    title: Message
    summary: Message
    run: Callable[..., Reply]
    on_main_thread: bool = False
