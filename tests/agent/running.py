"""Starts the agent as a host does, and hears it out."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.waiting import wait_until
from workbench.core.protocol import (
    AgentOptions,
    Event,
    Finished,
    TensorFile,
    format_manifest,
    format_options,
    parse_event,
)
from workbench.devices.runtime import host_runtime

_WRITE = "1"  # write(2) on x86-64
Array = NDArray[np.float32] | NDArray[np.int32] | NDArray[np.uint8]


@dataclass(frozen=True)
class Ran:
    events: list[Event]
    code: int
    errors: str

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def last(self) -> Event:
        return self.events[-1]


def install(folder: Path) -> Path:
    """The runtime in ``folder``, as on a phone; returns the program's path."""
    runtime = host_runtime()
    folder.mkdir(parents=True, exist_ok=True)
    for parcel in runtime.parcels:
        shutil.copyfile(parcel.local, folder / parcel.name)
        (folder / parcel.name).chmod(parcel.mode)
    return folder / runtime.program


def prepare(folder: Path, model: Path, inputs: Mapping[str, Array]) -> AgentOptions:
    """Write inputs and manifest beside a link to the model; the options name them."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, (name, array) in enumerate(inputs.items()):
        file = f"in{number}.raw"
        array.tofile(folder / file)
        files.append(TensorFile(name, str(array.dtype), array.shape, file))
    (folder / "manifest.json").write_text(format_manifest(tuple(files)))
    (folder / "model.mnn").symlink_to(model)
    return AgentOptions(model="model.mnn", manifest="manifest.json", outputs="out")


Command = Path | tuple[str | Path, ...]


def start(program: Command, folder: Path, options: AgentOptions | str) -> subprocess.Popen[bytes]:
    """The agent at work in ``folder``; its stdin stays open."""
    argv = program if isinstance(program, tuple) else (program,)
    process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    line = options if isinstance(options, str) else format_options(options)
    process.stdin.write(line.encode() + b"\n")
    process.stdin.flush()
    return process


def listen(process: subprocess.Popen[bytes]) -> Iterator[Event]:
    assert process.stdout is not None
    for line in process.stdout:
        yield parse_event(line, where="agent")


def finish(process: subprocess.Popen[bytes], heard: list[Event]) -> Ran:
    """Everything until the agent ends by itself, after what was ``heard`` already."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    events = [*heard, *listen(process)]
    errors = process.stderr.read().decode("utf-8", "replace")
    code = process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    return Ran(events, code, errors)


def run(program: Command, folder: Path, options: AgentOptions | str, **changes: object) -> Ran:
    if isinstance(options, AgentOptions):
        options = replace(options, **changes)  # type: ignore[arg-type]
    return finish(start(program, folder, options), [])


def outputs(ran: Ran, folder: Path) -> dict[str, Array]:
    assert isinstance(ran.last, Finished), ran.last
    return {file.name: np.fromfile(folder / file.file, file.dtype).reshape(file.shape) for file in ran.last.outputs}


def wait_until_blocked(process: subprocess.Popen[bytes]) -> None:
    """Return when the agent waits in write(2): nobody takes its events, and no further one fits the pipe."""
    tasks = Path(f"/proc/{process.pid}/task")

    def blocked() -> bool:
        assert process.poll() is None
        return any((task / "syscall").read_text().split()[0] == _WRITE for task in tasks.iterdir())

    wait_until(blocked, "a write that waits")
