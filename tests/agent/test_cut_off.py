"""A last line that an agent could not finish is the agent's end; any other line that is no event is a fault."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workbench.core.errors import DeviceError
from workbench.core.protocol import AgentOptions, Event, Hello, Memory, format_event
from workbench.core.steps import Quiet
from workbench.devices.host import HostLink
from workbench.devices.runner import Job, run_on
from workbench.devices.runtime import Runtime

HELLO = format_event(Hello(1, "id", "3.6.1", "x86_64", 1, 1, 4096, ("cpu",), (), Memory()))
HALF = HELLO[: len(HELLO) // 2]
_KILL = "os.kill(os.getpid(), 9)"

NO_EVENTS: dict[str, tuple[str, str]] = {
    "a half line of an agent that ended by itself": (HALF, "sys.exit(0)"),
    "a half line before another": (f"{HALF}\n{HELLO}\n", _KILL),
    "words": ("Segmentation fault\n", "sys.exit(1)"),
}
"""What an agent writes after its first event, and how it ends."""


class Listener(Quiet):
    """Keeps the events that a run hands on."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def samples(self, rows: tuple[Event, ...]) -> None:
        self.events += rows


def run_agent(folder: Path, text: str, end: str) -> tuple[str, list[bytes], list[Event]]:
    """An agent that says hello, writes ``text`` and does ``end``: the error, and what was heard before."""
    script = f"import os, sys; sys.stdin.readline(); os.write(1, {(HELLO + chr(10) + text).encode()!r}); {end}"
    runtime = Runtime((), "", "3.6.1", "x86_64", argv=(sys.executable, "-c", script))
    job = Job((), (), AgentOptions(model="model.mnn", manifest=""))
    scratch = folder / "scratch"
    scratch.mkdir()
    lines: list[bytes] = []
    listener = Listener()
    with pytest.raises(DeviceError) as caught:
        run_on(HostLink(folder / "device"), runtime, job, scratch, listener, lines.append)
    return str(caught.value), lines, listener.events


def test_a_killed_agents_half_line_is_its_end(tmp_path: Path) -> None:
    error, lines, events = run_agent(tmp_path, HALF, _KILL)
    assert "ended without a result (SIGKILL)" in error
    assert lines == [HELLO.encode()]
    assert [type(event) for event in events] == [Hello]


@pytest.mark.parametrize("name", NO_EVENTS)
def test_any_other_line_that_is_no_event_is_a_fault(name: str, tmp_path: Path) -> None:
    text, end = NO_EVENTS[name]
    error, lines, _ = run_agent(tmp_path, text, end)
    assert "not an event" in error
    assert text[:20].strip() in error
    assert lines == [HELLO.encode()]
