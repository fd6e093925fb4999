"""What the command line prints: answers on stdout, progress and errors on stderr."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Final, TextIO

from workbench.app.arguments import Reply, Table
from workbench.core.errors import BadInput, WorkbenchError
from workbench.core.messages import Message, Translate, msg, plain

ERROR_SCHEMA: Final = "workbench.error/1"
_PROGRESS_WIDTH: Final = 100
_UNWRAPPED: Final = 100_000


def prepare_streams() -> None:
    """Make every text printable, also where a stream is closed or its encoding has not all letters.

    A lone surrogate (a file name that is not UTF-8) becomes an escape, which in JSON means the same.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # `workbench ... >&-`
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the program
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def stdout_is_for_the_answer() -> Iterator[None]:
    """What plugins and native code print meanwhile goes to stderr: a document on stdout stays one."""
    try:
        ours, theirs = sys.stdout.fileno(), sys.stderr.fileno()
    except OSError:  # not streams of the system's: a caller took them over
        with redirect_stdout(sys.stderr):
            yield
        return
    sys.stdout.flush()
    kept = os.dup(ours)
    os.dup2(theirs, ours)
    try:
        yield
    finally:
        with suppress(OSError):  # a full disk takes no more of what they print
            sys.stdout.flush()
        os.dup2(kept, ours)
        os.close(kept)


def print_switched_off(what: Message, translate: Translate) -> None:
    """One line on stderr for a plugin that was switched off."""
    hint = msg("The log has the details; --no-plugins loads none.")
    with suppress(OSError):
        _print(f"workbench: {msg('{what}. {hint}', what=what, hint=hint).render(translate)}\n", sys.stderr)


def print_reply(reply: Reply, translate: Translate, *, as_json: bool) -> None:
    """One JSON document, or lines and a table. A reply without a document has said everything already.

    Warnings go to stderr. Raises BadInput where stdout takes no more (a full disk).
    """
    if reply.document is None:
        return
    for warning in reply.warnings:
        with suppress(OSError):
            _print(f"workbench: {warning.render(translate)}\n", sys.stderr)
    try:
        if as_json:
            _print_json(reply.document)
        else:
            _print(_text(reply, translate), sys.stdout)
    except OSError as error:
        raise BadInput(
            msg("The answer cannot be written: {reason}", reason=error.strerror or str(error)),
            where="stdout",
            hint=msg("Send it to a place that has room."),
        ) from error


def print_error(error: WorkbenchError, translate: Translate, *, as_json: bool) -> None:
    """One line on stderr: where, what, and what to do; with ``as_json`` the document on stdout too."""
    if as_json:
        with suppress(OSError):  # a full disk: the other stream and the exit code still tell
            _print_json(error_document(error))
    with suppress(OSError):
        _print(_error_line(error, translate), sys.stderr)


def _print_json(document: object) -> None:
    from workbench.core.codec import dumps

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # RFC 8259, whatever the locale
    _print(dumps(document) + "\n", sys.stdout)


def _print(text: str, stream: TextIO) -> None:
    """Write and flush. Raises OSError, but not where the reader left, as `| head` does."""
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # What is still buffered would be tried again at exit, with a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise


def _error_line(error: WorkbenchError, translate: Translate) -> str:
    said = msg("{where}: {what}", where=error.where, what=error.what) if error.where else error.what
    if error.hint is not None:
        ends = str(error.what).endswith(".")
        said = msg("{what} {hint}" if ends else "{what}. {hint}", what=said, hint=error.hint)
    return f"workbench: {said.render(translate)}\n"


def error_document(error: WorkbenchError) -> dict[str, object]:
    """The error as the contract of the commands says it."""
    return {
        "schema": ERROR_SCHEMA,
        "error": {
            "kind": error.kind.value,
            "where": plain(error.where),
            "what": str(error.what),
            "hint": str(error.hint) if error.hint else None,
        },
    }


def _text(reply: Reply, translate: Translate) -> str:
    lines = "".join(f"{line.render(translate)}\n" for line in reply.lines)
    return lines if reply.table is None else lines + _drawn(reply.table, translate)


def _drawn(table: Table, translate: Translate) -> str:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=None, pad_edge=False, header_style="bold")
    numbers = [all(isinstance(row[i], (int, float)) for row in table.rows) for i in range(len(table.heads))]
    for head, right in zip(table.heads, numbers, strict=True):
        drawn.add_column(head.render(translate), justify="right" if right else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(_cell(value, translate)) for value in row))  # Text: names are not markup
    console = Console(width=None if sys.stdout.isatty() else _UNWRAPPED, highlight=False)
    with console.capture() as captured:
        console.print(drawn)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _cell(value: str | Message | float, translate: Translate) -> str:
    if isinstance(value, Message):
        return value.render(translate)
    return plain(value) if isinstance(value, str) else f"{value:g}"


class ProgressLine:
    """The current progress on one line of a terminal; nothing where stderr is not one."""

    def __init__(self, translate: Translate) -> None:
        self._translate = translate
        self._shown = False
        self._terminal = sys.stderr.isatty()

    def show(self, fraction: float | None, text: Message) -> None:
        if self._terminal:
            share = "" if fraction is None else f"{fraction:4.0%} "
            self._write(f"\r\x1b[K{share}{text.render(self._translate)[:_PROGRESS_WIDTH]}")
            self._shown = True

    def _write(self, text: str) -> None:
        try:
            _print(text, sys.stderr)
        except OSError:  # the terminal is gone: the work goes on
            self._terminal = False

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._shown:
            self._write("\r\x1b[K")
