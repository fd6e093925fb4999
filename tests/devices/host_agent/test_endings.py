from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.agent import models, running
from tests.devices.host_agent.steps import AGENT, HOST_GONE, Converted, close, started
from workbench.core.protocol import (
    AgentOptions,
    Finished,
    Hello,
    Loaded,
    Sample,
    format_options,
    parse_event,
)
from workbench.devices.host import HostLink
from workbench.devices.link import Program

STOPS: dict[str, Callable[[subprocess.Popen[bytes]], None]] = {
    "end of stdin": lambda process: process.stdin.close() if process.stdin else None,
    "SIGHUP": lambda process: process.send_signal(signal.SIGHUP),
    "SIGTERM": lambda process: process.send_signal(signal.SIGTERM),
    "SIGINT": lambda process: process.send_signal(signal.SIGINT),
}


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_ends_the_run_between_two_inferences(stop: str, options: AgentOptions, tmp_path: Path) -> None:
    process, heard = started(tmp_path, replace(options, seconds=600.0), Sample)
    STOPS[stop](process)
    ran = running.finish(process, heard)
    assert isinstance(ran.last, Finished)
    assert (ran.last.reason, ran.last.outputs, ran.code) == ("stopped", (), 0)
    assert ran.last.n == len([sample for sample in ran.of(Sample) if sample.phase == "steady"])


def test_a_stop_ends_a_session_in_the_middle_of_an_inference(converted: Converted, tmp_path: Path) -> None:
    options = running.prepare(tmp_path, converted("long"), {"x": models.noise(1, 64, 256, 256)})
    process, heard = started(tmp_path, options, Loaded)
    STOPS["SIGTERM"](process)
    ran = running.finish(process, heard)
    assert isinstance(ran.last, Finished)
    assert (ran.last.reason, ran.last.n, ran.code) == ("stopped", 0, 0)


def test_a_module_that_does_not_come_back_is_killed(converted: Converted, tmp_path: Path) -> None:
    options = running.prepare(tmp_path, converted("endless"), {"x": models.noise(1, 4)})
    running_agent = HostLink(tmp_path / "device").start(Program(AGENT, cwd=str(tmp_path)))
    running_agent.write(format_options(options).encode() + b"\n")
    lines = running_agent.lines()
    for line in lines:
        if isinstance(parse_event(line, where="agent"), Loaded):
            break
    running_agent.kill()
    assert not any(isinstance(parse_event(line, where="agent"), Finished) for line in lines)
    assert running_agent.wait() is None


def test_a_module_that_does_not_come_back_ends_with_its_host(converted: Converted, tmp_path: Path) -> None:
    options = running.prepare(tmp_path, converted("endless"), {"x": models.noise(1, 4)})
    (tmp_path / "options").write_text(format_options(options) + "\n")
    script = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen({list(AGENT)!r}, stdin=subprocess.PIPE, cwd={str(tmp_path)!r})\n"
        f"child.stdin.write(open({str(tmp_path / 'options')!r}, 'rb').read()); child.stdin.flush()\n"
        "child.wait()\n"
    )
    host = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert host.stdout is not None
    events = (parse_event(line, where="agent") for line in host.stdout)
    pid = next(event.pid for event in events if isinstance(event, Hello))
    next(event for event in events if isinstance(event, Loaded))
    agent = psutil.Process(pid)
    host.kill()
    host.wait()
    host.stdout.close()
    assert psutil.wait_procs([agent], timeout=30)[1] == []


def test_a_killed_agent_leaves_whole_lines_and_no_last_event(options: AgentOptions, tmp_path: Path) -> None:
    process, heard = started(tmp_path, replace(options, seconds=600.0), Sample)
    process.kill()
    ran = running.finish(process, heard)
    assert ran.code == -signal.SIGKILL
    assert not isinstance(ran.last, Finished)


def test_the_agent_ends_where_nobody_reads_its_events(options: AgentOptions, tmp_path: Path) -> None:
    process, _ = started(tmp_path, replace(options, seconds=600.0), Sample)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == HOST_GONE
    close(process)


def test_a_stopped_agent_whose_events_are_not_taken_does_not_stay(options: AgentOptions, tmp_path: Path) -> None:
    """The pipe is full and stays open: the last event cannot be written."""
    process = running.start(AGENT, tmp_path, replace(options, seconds=600.0))
    running.wait_until_blocked(process)
    STOPS["end of stdin"](process)
    assert process.wait() == HOST_GONE
    close(process)
