"""The agent's stream with what differs from run to run made equal, to compare with a kept file.

Masked lines are still lines of the protocol: a time is 1 ms, a size 1 kB.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from tests.agent import models, running
from tests.agent.running import Array
from workbench.core.protocol import (
    Event,
    Fault,
    Finished,
    Hello,
    Loaded,
    Memory,
    Op,
    Sample,
    Stat,
    Warn,
    format_event,
    parse_event,
)

Converted = Callable[[str], Path]
"""The path of a model by its name in conftest.py."""

FOLDER = Path(__file__).parents[1] / "data" / "agent"
_UNSTEADY = {"disturbed"}

RUNS: dict[str, tuple[str, dict[str, Array], dict[str, object]]] = {
    "session": ("conv", {"x": models.noise(1, 16, 32, 32)}, {"warmup": 2, "iterations": 3}),
    "module": ("conv", {"x": models.noise(1, 16, 32, 32)}, {"warmup": 1, "iterations": 2, "path": "module"}),
    "control_flow": ("branch", {"x": models.noise(1, 4)}, {"warmup": 0, "iterations": 1}),
    "operators": ("conv", {"x": models.noise(1, 16, 32, 32)}, {"warmup": 0, "iterations": 1, "ops": True}),
    "fallback": ("conv", {"x": models.noise(1, 16, 32, 32)}, {"iterations": 1, "backend": "opencl", "threads": 2}),
    "no_outputs": ("conv", {"x": models.noise(1, 16, 32, 32)}, {"iterations": 1, "warmup": 0, "outputs": ""}),
    "missing_input": ("conv", {}, {}),
    "bad_option": ("conv", {"x": models.noise(1, 16, 32, 32)}, {"precision": "best"}),
}
"""The kept streams: model, inputs, options that differ from the defaults."""


def stream(program: Path, converted: Converted, folder: Path, name: str) -> str:
    """What the agent says in the run ``name`` of RUNS, normalised."""
    model, inputs, changes = RUNS[name]
    options = running.prepare(folder, converted(model), inputs)
    return normalised(running.run(program, folder, options, **changes).events)


def normalised(events: list[Event]) -> str:
    """One line an event; those that come by the clock, or by what else the computer does, are left out."""
    kept = [e for e in events if not isinstance(e, Stat) and not (isinstance(e, Warn) and e.code in _UNSTEADY)]
    return "".join(format_event(_masked(event)) + "\n" for event in kept)


def kept(name: str) -> str:
    return (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")


def kept_events(name: str) -> list[Event]:
    return [parse_event(line, where=name) for line in kept(name).splitlines()]


def fields(event: Event) -> set[str]:
    return set(json.loads(format_event(event)))


def _size(kb: int) -> int:
    return min(kb, 1)


def _memory(memory: Memory) -> Memory:
    return Memory(*(_size(kb) for kb in (memory.rss_kb, memory.peak_kb, memory.pss_kb, memory.anon_kb)))


def _masked(event: Event) -> Event:
    match event:
        case Hello():
            machine = {"agent": "id", "pid": 1, "cores": 1, "page_size": 4096, "cpu_flags": ()}
            masks = {**machine, "baseline": _memory(event.baseline)}
        case Loaded():
            masks = {"load_ms": 1.0, "memory": _memory(event.memory)}
        case Sample():
            masks = {"ns": 1, "ms": 1.0, "rss_kb": -1}
        case Op():
            masks = {"ms": 1.0}
        case Stat():
            masks = {"ns": 1, "cpu_ms": 1.0, "memory": _memory(event.memory), "available_kb": 1}
        case Finished():
            masks = {"wall_ms": 1.0, "cpu_ms": 1.0, "memory": _memory(event.memory)}
        case Warn() | Fault():
            masks = {}
        case _:
            assert_never(event)
    return replace(event, **masks)
