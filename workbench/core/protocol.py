"""The language of the agent: one JSON object a line, both ways.

The host writes one ``AgentOptions`` line on the agent's stdin and then keeps it open: its end
stops the agent. The agent writes events on stdout. ``workbench/agent`` is the other end; the
golden files in ``tests/data/agent`` hold both to the same stream.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.core.op import Op

PROTOCOL = 1


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What to run. Paths are relative to the agent's working directory.

    ``manifest``: the file that ``format_manifest`` makes. ``path``: "module", "session" or "auto"
    (Session unless the model has control flow). ``winograd`` False makes MNN use the least of its
    Winograd convolutions (hint 3, WINOGRAD_MEMORY_LEVEL, set to 0). ``seconds`` > 0 runs for that
    long instead of ``iterations``. ``outputs``: folder to write the last outputs to, "" for none.
    ``stat_ms``: period of ``stat`` events.
    """

    model: str
    manifest: str
    backend: str = "cpu"
    threads: int = 1
    precision: str = "normal"
    memory: str = "normal"
    power: str = "normal"
    path: str = "auto"
    winograd: bool = True
    warmup: int = 3
    iterations: int = 50
    seconds: float = 0.0
    ops: bool = False
    outputs: str = ""
    stat_ms: int = 200
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True)
class TensorFile:
    """An input or output as a raw little-endian file of ``dtype`` float32, int32 or uint8, C order."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    file: str


@dataclass(frozen=True, slots=True)
class Memory:
    """Kilobytes as /proc tells; -1 where the system does not say.

    ``pss_kb`` takes a walk over all pages, so ``stat`` events leave it at -1.
    """

    rss_kb: int = -1
    peak_kb: int = -1
    pss_kb: int = -1
    anon_kb: int = -1


@dataclass(frozen=True, slots=True)
class Hello:
    """First event: who speaks. ``baseline`` is the memory before the model was loaded."""

    protocol: int
    agent: str
    engine: str
    abi: str
    pid: int
    cores: int
    page_size: int
    backends: tuple[str, ...]
    cpu_flags: tuple[str, ...]
    baseline: Memory


@dataclass(frozen=True, slots=True)
class Loaded:
    """The model is in memory. ``backend``, ``threads`` (-1 where nobody tells) and ``path`` are what is really used."""

    load_ms: float
    path: str
    backend: str
    threads: int
    inputs: tuple[TensorFile, ...]
    outputs: tuple[str, ...]
    memory: Memory


@dataclass(frozen=True, slots=True)
class Sample:
    """One inference: inputs set, run, outputs on the host.

    ``phase``: "first", "warmup" or "steady"; ``ns`` since the agent's start, at its begin.
    ``rss_kb`` is read when a batch is written (within 20 ms), so only its last sample has it.
    """

    phase: str
    i: int
    ns: int
    ms: float
    rss_kb: int = -1


@dataclass(frozen=True, slots=True)
class Stat:
    """The device's state. ``temperature_c`` by zone type, ``clock_khz`` by core; empty where not readable.

    ``cpu_ms``: processor time of the agent since its start.
    """

    ns: int
    memory: Memory
    cpu_ms: float
    available_kb: int = -1
    temperature_c: Mapping[str, float] = field(default_factory=dict)
    clock_khz: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Warn:
    """Something that changes what a number means, or why there is none.

    "fallback", "threads_capped", "disturbed", "throttled", "no_ops".
    """

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """Last event of a run. ``reason``: "complete" or "stopped". ``dropped``: samples lost to a full buffer.

    ``n``, ``wall_ms`` and ``cpu_ms`` are of the steady runs. ``outputs`` are those of the last
    steady run; a stopped run leaves none.
    """

    reason: str
    n: int
    dropped: int
    wall_ms: float
    cpu_ms: float
    memory: Memory
    outputs: tuple[TensorFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Last event of a run that failed at ``stage``: "options", "load", "input", "run", "output"."""

    stage: str
    text: str


Event = Hello | Loaded | Sample | Op | Stat | Warn | Finished | Fault

_KINDS: dict[str, type[Any]] = {
    "hello": Hello,
    "loaded": Loaded,
    "sample": Sample,
    "op": Op,
    "stat": Stat,
    "warning": Warn,
    "done": Finished,
    "error": Fault,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def format_options(options: AgentOptions) -> str:
    """The line that the agent reads from its stdin, without the newline."""
    return json.dumps(msgspec.to_builtins(options), separators=(",", ":"))


def format_manifest(inputs: tuple[TensorFile, ...]) -> str:
    """The text of the manifest file: every input of the model, ``file`` relative to the agent's cwd."""
    return json.dumps({"inputs": msgspec.to_builtins(inputs)}, separators=(",", ":"))


def parse_event(line: str | bytes, *, where: str) -> Event:
    """One line of the agent. Raises DeviceError where it is not an event."""
    try:
        doc = json.loads(line)
        kind = _KINDS[doc.pop("ev")]
        event: Event = msgspec.convert(doc, kind)
    except (ValueError, KeyError, TypeError, AttributeError, msgspec.ValidationError) as error:
        text = line if isinstance(line, str) else line.decode("utf-8", "replace")
        raise DeviceError(
            msg("The agent said something that is not an event: {line}", line=text[:200]),
            where=where,
            hint=msg("Clean the device's folder and run again: workbench clean."),
        ) from error
    return event


def format_event(event: Event) -> str:
    """The event as the agent writes it, without the newline."""
    return json.dumps({"ev": _NAMES[type(event)], **msgspec.to_builtins(event)}, separators=(",", ":"))
