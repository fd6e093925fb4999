"""A command from its words to its exit code: parse, run as a job, print the answer."""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Sequence
from typing import Any, Final, assert_never

from workbench.app.arguments import Command, Reply
from workbench.app.commands import COMMANDS
from workbench.app.language import system_language, translator
from workbench.app.services import Services
from workbench.cli import output
from workbench.cli.parser import arguments_of, make_parser
from workbench.cli.stopping import Stopping
from workbench.cli.window import open_window
from workbench.core.errors import Cancelled, ExitCode, WorkbenchError
from workbench.core.messages import Message, Translate

_POLL_SECONDS: Final = 0.1


def run(argv: Sequence[str] | None) -> int:
    """Run ``workbench``; the exit code."""
    output.prepare_streams()
    translate = translator(system_language())
    words = list(sys.argv[1:] if argv is None else argv)
    wants_json = "--json" in words
    stopping = Stopping()
    try:
        code = _answered(words, stopping, translate, as_json=wants_json)
    except WorkbenchError as error:
        output.print_error(error, translate, as_json=wants_json)
        code = error.exit_code
    except Exception as error:  # noqa: BLE001 - the edge of the program: told in words
        from workbench.app import logs
        from workbench.app.trouble import as_told

        logs.start(verbose=False)
        told = as_told(error)
        output.print_error(told, translate, as_json=wants_json)
        code = told.exit_code
    if stopping.given_up:
        # What the job waits for, such as a phone that hangs, may take minutes. Nothing outlives this
        # process: its workers and the agent end with it, and the next run takes over its lock.
        os._exit(code)
    return int(code)


def _answered(words: Sequence[str], stopping: Stopping, translate: Translate, *, as_json: bool) -> ExitCode:
    words_of_argparse: Translate = str if as_json else translate  # documents are English
    parsed = make_parser(COMMANDS, words_of_argparse).parse_args(words)
    command = next(c for c in COMMANDS if c.name == parsed.command)
    told: Message | None = None
    services = Services(open_window, plugins_enabled=not parsed.no_plugins, as_json=as_json)
    try:
        arguments = arguments_of(command, parsed)
        if command.on_main_thread:
            reply = _run_here(command, arguments, services)
        else:
            with stopping, output.stdout_is_for_the_answer():
                reply = _run_as_job(command, arguments, services, stopping, translate, verbose=parsed.verbose)
    except WorkbenchError as error:
        told = error.what
        raise
    finally:
        services.close()
        for what in services.plugin_faults():
            if what != told:
                output.print_switched_off(what, translate)
    output.print_reply(reply, translate, as_json=as_json)
    return reply.exit_code


def _run_here(command: Command, arguments: dict[str, Any], services: Services) -> Reply:
    from workbench.core.steps import Quiet

    return command.run(**arguments, services=services, ctx=Quiet())


def _run_as_job(
    command: Command,
    arguments: dict[str, Any],
    services: Services,
    stopping: Stopping,
    translate: Translate,
    *,
    verbose: bool,
) -> Reply:
    from workbench.app import logs
    from workbench.app.jobs import Done, Failed, Jobs, Line, Progress, Samples, Started, Stopped

    logs.start(verbose=verbose)
    jobs = Jobs(threads=1)
    job = jobs.start(command.title, lambda ctx: command.run(**arguments, services=services, ctx=ctx))
    is_cancelled = False
    with output.ProgressLine(translate) as progress:
        while not stopping.given_up:
            if stopping.asked and not is_cancelled:
                is_cancelled = True
                jobs.cancel(job)
            try:
                event = jobs.events.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                continue
            match event:
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
    raise Cancelled
