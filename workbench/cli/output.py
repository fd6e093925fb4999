"""What the command line prints: answers on stdout, progress and errors on stderr."""

from __future__ import annotations

import sys

from workbench.app.arguments import Reply, Table
from workbench.core import codec
from workbench.core.errors import WorkbenchError
from workbench.core.messages import Message, Translate, plain

ERROR_SCHEMA = "workbench.error/1"


def print_reply(reply: Reply, translate: Translate, *, as_json: bool) -> None:
    """One JSON document, or lines and a table. A reply without a document has said everything already."""
    if reply.document is None:
        return
    if as_json:
        print(codec.dumps(reply.document), flush=True)
        return
    for line in reply.lines:
        print(line.render(translate))
    if reply.table is not None:
        _print_table(reply.table, translate)
    sys.stdout.flush()


def print_error(error: WorkbenchError, translate: Translate, *, as_json: bool) -> None:
    """One line on stderr: where, what, and what to do; with ``as_json`` the document on stdout too."""
    if as_json:
        print(codec.dumps(error_document(error)), flush=True)
    where = f"{plain(error.where)}: " if error.where else ""
    hint = f" {error.hint.render(translate)}" if error.hint else ""
    what = error.what.render(translate)
    print(f"workbench: {where}{what}{'' if what.endswith('.') or not hint else '.'}{hint}", file=sys.stderr, flush=True)


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


def _print_table(table: Table, translate: Translate) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=None, pad_edge=False, header_style="bold")
    numbers = [all(isinstance(row[i], (int, float)) for row in table.rows) for i in range(len(table.heads))]
    for head, right in zip(table.heads, numbers, strict=True):
        drawn.add_column(head.render(translate), justify="right" if right else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(_cell(value, translate)) for value in row))  # Text: names are not markup
    Console(soft_wrap=not sys.stdout.isatty(), highlight=False).print(drawn)


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
            print(f"\r\x1b[K{share}{text.render(self._translate)[:100]}", end="", file=sys.stderr, flush=True)
            self._shown = True

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
