"""One run on a device: deliver, start the agent, hand on its events, bring the outputs back."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from workbench.core.errors import BadInput, DeviceError, WorkbenchError
from workbench.core.messages import Message, msg
from workbench.core.numbers import three_digits
from workbench.core.protocol import (
    AgentOptions,
    Event,
    Fault,
    Finished,
    Sample,
    TensorFile,
    format_manifest,
    format_options,
    parse_event,
)
from workbench.core.steps import Context
from workbench.devices.deploy import Parcel, deliver
from workbench.devices.faults import explain
from workbench.devices.link import Link, Program, Running
from workbench.devices.phone_lock import phone_lock
from workbench.devices.runtime import Runtime

_BATCH_SECONDS: Final = 0.03
_MANIFEST: Final = "manifest.json"
_OUTPUTS: Final = "out"
_SIGNAL_BASE: Final = 128
_FAULTS: Final[dict[str, tuple[type[WorkbenchError], Message]]] = {
    "load": (DeviceError, msg("Convert the model again, then run; or free memory on the device.")),
    "input": (BadInput, msg("Give inputs of the names and sizes that the model takes.")),
    "output": (DeviceError, msg("Free space on the device, then run again.")),
}
"""By the stage at which the agent stopped: whose fault it is, and what to do."""
_ANY_FAULT: Final = (DeviceError, msg("Run it again; the artifact and earlier runs are as they were."))


@dataclass(frozen=True, slots=True)
class Job:
    """What to run: files under the names the agent sees, and inputs as raw local files.

    ``inputs``: ``file`` of each is a path on this computer.
    """

    model: tuple[Parcel, ...]
    inputs: tuple[TensorFile, ...]
    options: AgentOptions


@dataclass(frozen=True, slots=True)
class Ran:
    """All events of the run, and its outputs as raw files on this computer."""

    events: tuple[Event, ...]
    outputs: tuple[TensorFile, ...]
    pushed_bytes: int
    push_seconds: float


def run_on(
    link: Link,
    runtime: Runtime,
    job: Job,
    scratch: Path,
    ctx: Context,
    raw_line: Callable[[bytes], None],
) -> Ran:
    """Run ``job`` to its end. ``scratch`` is a local folder; the model's outputs land there.

    ``raw_line`` gets each event's line as it came. Raises DeviceError where the device refuses,
    goes away or the agent fails; Cancelled after the agent was ended.
    """
    try:
        with phone_lock(link):
            return _run_alone(link, runtime, job, scratch, ctx, raw_line)
    except DeviceError:
        ctx.check()  # a cancel ends the streams: that is no fault of the device
        raise


def _run_alone(
    link: Link, runtime: Runtime, job: Job, scratch: Path, ctx: Context, raw_line: Callable[[bytes], None]
) -> Ran:
    began = time.monotonic()
    argv, engine_bytes = _agent(link, runtime, ctx)
    model = deliver(link, job.model, ctx)
    with _run_folder(link) as folder:
        options = replace(
            job.options,
            model=f"../{_name(model.folder)}/{job.options.model}",
            manifest=_MANIFEST,
            outputs=_OUTPUTS,
        )
        _push_inputs(link, job.inputs, folder, scratch, ctx)
        push_seconds = time.monotonic() - began
        program = Program(argv=argv, cwd=folder)
        events = _follow(link, program, options, ctx, raw_line)
        outputs = _bring_outputs(link, folder, events[-1], scratch, ctx)
    return Ran(events, outputs, engine_bytes + model.pushed_bytes, push_seconds)


def _agent(link: Link, runtime: Runtime, ctx: Context) -> tuple[tuple[str, ...], int]:
    """How the agent is started from the run's folder, and how many bytes were pushed for it."""
    if runtime.argv:
        return runtime.argv, 0
    engine = deliver(link, runtime.parcels, ctx)
    return (f"../{_name(engine.folder)}/{runtime.program}",), engine.pushed_bytes


def _name(folder: str) -> str:
    """The last part of a device path: the agent is told paths relative to its own folder."""
    return folder.rpartition("/")[2]


@contextmanager
def _run_folder(link: Link) -> Iterator[str]:
    """The folder of the one run that the lock permits, without what a run that was cut off left there."""
    folder = f"{link.folder}/run"
    link.remove(folder)
    link.make_folder(f"{folder}/{_OUTPUTS}")
    try:
        yield folder
    finally:
        with suppress(DeviceError):  # the device went away: nothing can be removed there now
            link.remove(folder)


def _push_inputs(link: Link, inputs: Sequence[TensorFile], folder: str, scratch: Path, ctx: Context) -> None:
    remote = []
    for number, tensor in enumerate(inputs):
        name = f"in{number}.bin"
        link.push(Path(tensor.file), f"{folder}/{name}", ctx=ctx)
        remote.append(replace(tensor, file=name))
    manifest = scratch / _MANIFEST
    manifest.write_text(format_manifest(tuple(remote)), encoding="utf-8")
    link.push(manifest, f"{folder}/{_MANIFEST}", ctx=ctx)


def _follow(
    link: Link, program: Program, options: AgentOptions, ctx: Context, raw_line: Callable[[bytes], None]
) -> tuple[Event, ...]:
    """Every event until the agent ends; they also go to ``ctx.samples`` in batches, as they come."""
    ctx.progress(None, msg("Running on {device}", device=link.serial))
    running = link.start(program)
    forget = ctx.on_cancel(running.kill)
    live = _Live(options, ctx)
    events: list[Event] = []
    try:
        running.write(format_options(options).encode() + b"\n")
        for line, event in _heard(running, link.serial):
            raw_line(line)
            events.append(event)
            live.add(event)
            if isinstance(event, Finished | Fault):
                break
        live.flush()
        ctx.check()
        return _complete(link, running, events)
    finally:
        running.kill()
        forget()
        running.wait()


def _heard(running: Running, where: str) -> Iterator[tuple[bytes, Event]]:
    """Each line and its event. Raises DeviceError for a line that is none.

    But for the last line of an agent that a signal ended: that was cut off while it was written.
    """
    lines = running.lines()
    for line in lines:
        try:
            event = parse_event(line, where=where)
        except DeviceError:
            if next(lines, None) is None and _by_signal(running.wait()):
                return
            raise
        yield line, event


def _by_signal(code: int | None) -> bool:
    return code is None or code > _SIGNAL_BASE


class _Live:
    """Events for the listeners, about thirty times a second, and how far the run is."""

    def __init__(self, options: AgentOptions, ctx: Context) -> None:
        self._options = options
        self._ctx = ctx
        self._rows: list[Event] = []
        self._sent = time.monotonic()
        self._first_ns: int | None = None

    def add(self, event: Event) -> None:
        self._rows.append(event)
        if time.monotonic() - self._sent >= _BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            self._ctx.samples(tuple(self._rows))
            self._tell()
            self._rows = []
        self._sent = time.monotonic()

    def _tell(self) -> None:
        steady = [row for row in self._rows if isinstance(row, Sample) and row.phase == "steady"]
        if not steady:
            return
        if self._first_ns is None:
            self._first_ns = steady[0].ns
        last = steady[-1]
        share = (last.i + 1) / self._options.iterations
        if self._options.seconds > 0:
            share = (last.ns - self._first_ns) / 1e9 / self._options.seconds
        self._ctx.progress(min(share, 1.0), msg("Run {number}: {ms} ms", number=last.i + 1, ms=three_digits(last.ms)))


def _complete(link: Link, running: Running, events: list[Event]) -> tuple[Event, ...]:
    """The events of a run that ended by itself. Raises DeviceError where the agent failed or died."""
    last = events[-1] if events else None
    if isinstance(last, Fault):
        kind, hint = _FAULTS.get(last.stage, _ANY_FAULT)
        raise kind(
            msg("The agent stopped at {stage}: {reason}", stage=last.stage, reason=last.text),
            where=link.serial,
            hint=hint,
        )
    if not isinstance(last, Finished):
        code = running.wait()
        if not events and running.errors.strip():  # it never spoke: the shell or the linker tells why
            raise explain(running.errors, where=link.serial)
        raise DeviceError(
            msg("The agent ended without a result ({ending})", ending=ending_in_words(code)),
            where=link.serial,
            hint=_ANY_FAULT[1],
        )
    return tuple(events)


def ending_in_words(code: int | None) -> str:
    """A program's end on the device: 137 is a SIGKILL, as a shell reports it."""
    if code is None:
        return "closed"
    if code > _SIGNAL_BASE:
        try:
            return signal.Signals(code - _SIGNAL_BASE).name
        except ValueError:
            return f"signal {code - _SIGNAL_BASE}"
    return f"exit code {code}"


def _bring_outputs(link: Link, folder: str, last: Event, scratch: Path, ctx: Context) -> tuple[TensorFile, ...]:
    if not isinstance(last, Finished):
        return ()
    brought = []
    for number, tensor in enumerate(last.outputs):
        local = scratch / f"out{number}.bin"
        link.pull(f"{folder}/{tensor.file}", local, ctx=ctx)
        brought.append(replace(tensor, file=str(local)))
    return tuple(brought)
