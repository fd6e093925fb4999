"""Entry point: parse, run the command as a job, print its answer, leave with its exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, assert_never

from workbench.app.arguments import Command, Reply
from workbench.app.commands import COMMANDS
from workbench.app.language import system_language, translator
from workbench.app.services import Services
from workbench.cli import output
from workbench.cli.parser import arguments_of, make_parser
from workbench.core.errors import Cancelled, ExitCode, WorkbenchError
from workbench.core.messages import Translate

_STOP_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``workbench``. Returns the exit code; a usage error is one line and exit code 2."""
    translate = translator(system_language())
    words = list(sys.argv[1:] if argv is None else argv)
    wants_json = "--json" in words
    try:
        parsed = make_parser(COMMANDS, translate).parse_args(words)
        command = next(c for c in COMMANDS if c.name == parsed.command)
        services = Services(_open_window, plugins_enabled=not parsed.no_plugins, as_json=wants_json)
        try:
            reply = _run(command, arguments_of(command, parsed), services, translate, verbose=parsed.verbose)
        finally:
            services.close()
        output.print_reply(reply, translate, as_json=wants_json)
    except WorkbenchError as error:
        output.print_error(error, translate, as_json=wants_json)
        return int(error.exit_code)
    except BrokenPipeError:  # the reader of stdout left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitCode.YES)
    return int(reply.exit_code)


def _run(
    command: Command, arguments: dict[str, Any], services: Services, translate: Translate, *, verbose: bool
) -> Reply:
    if command.on_main_thread:
        from workbench.core.steps import Quiet

        return command.run(**arguments, services=services, ctx=Quiet())
    from workbench.app import logs
    from workbench.app.jobs import Done, Failed, Jobs, Line, Progress, Samples, Started, Stopped

    logs.start(verbose=verbose)
    jobs = Jobs(threads=1)
    job = jobs.start(command.title, lambda ctx: command.run(**arguments, services=services, ctx=ctx))
    restore = _on_stop_signals(lambda: jobs.cancel(job))
    try:
        with output.ProgressLine(translate) as progress:
            while True:
                match event := jobs.events.get():
                    case Done():
                        reply: Reply = event.value
                        return reply
                    case Failed():
                        raise event.error
                    case Stopped():
                        raise Cancelled
                    case Progress():
                        progress.show(event.fraction, event.text)
                    case Line():
                        logs.line(event.text)
                    case Started() | Samples():
                        continue
                    case _:
                        assert_never(event)
    finally:
        restore()
        jobs.close()


def _on_stop_signals(stop: Callable[[], None]) -> Callable[[], None]:
    """Make the signals that end a program cancel the job; returns what takes that back."""
    before = {number: signal.signal(number, lambda *_: stop()) for number in _STOP_SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    return restore


def _open_window(services: Services, path: Path | None, *, simulated: bool) -> ExitCode:
    from workbench.ui.app import start_gui

    return ExitCode(start_gui(services, path, simulated=simulated))
