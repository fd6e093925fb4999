"""How a run ends: by itself, when the host wants it, when the host is gone."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.agent import models, running
from workbench.core.protocol import Event, Finished, Loaded, Sample, Stat

Converted = Callable[[str], Path]
HOST_GONE = 1


def long_run(program: Path, converted: Converted, folder: Path) -> tuple[subprocess.Popen[bytes], list[Event]]:
    """An agent in the middle of its steady runs, and what it said so far."""
    options = running.prepare(folder, converted("conv"), {"x": models.noise(1, 16, 32, 32)})
    process = running.start(program, folder, replace(options, seconds=600.0))
    heard = []
    for event in running.listen(process):
        heard.append(event)
        if isinstance(event, Sample) and event.phase == "steady":
            return process, heard
    raise AssertionError(heard)


def blocked_run(program: Path, converted: Converted, folder: Path) -> tuple[subprocess.Popen[bytes], list[Event]]:
    """An agent whose first inference does not come back."""
    options = running.prepare(folder, converted("endless"), {"x": models.noise(1, 4)})
    process = running.start(program, folder, options)
    heard: list[Event] = []
    for event in running.listen(process):
        heard.append(event)
        if isinstance(event, Stat) and any(isinstance(e, Loaded) for e in heard):
            return process, heard
    raise AssertionError(heard)


def close_stdin(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()


STOPS: dict[str, Callable[[subprocess.Popen[bytes]], None]] = {
    "end of stdin": close_stdin,
    "SIGHUP": lambda process: process.send_signal(signal.SIGHUP),
    "SIGTERM": lambda process: process.send_signal(signal.SIGTERM),
    "SIGINT": lambda process: process.send_signal(signal.SIGINT),
}


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_ends_the_run_cleanly(stop: str, program: Path, converted: Converted, tmp_path: Path) -> None:
    process, heard = long_run(program, converted, tmp_path)
    STOPS[stop](process)
    ran = running.finish(process, heard)
    assert isinstance(ran.last, Finished)
    assert ran.last.reason == "stopped"
    assert ran.last.n == len([s for s in ran.of(Sample) if s.phase == "steady"])
    assert ran.last.outputs == ()
    assert ran.last.wall_ms > 0
    assert ran.code == 0


@pytest.mark.parametrize("stop", ["end of stdin", "SIGHUP"])
def test_a_stop_ends_the_run_though_the_inference_blocks(
    stop: str, program: Path, converted: Converted, tmp_path: Path
) -> None:
    process, heard = blocked_run(program, converted, tmp_path)
    STOPS[stop](process)
    ran = running.finish(process, heard)
    assert isinstance(ran.last, Finished)
    assert (ran.last.reason, ran.last.n, ran.code) == ("stopped", 0, 0)


def test_a_killed_agent_leaves_whole_lines_and_no_last_event(
    program: Path, converted: Converted, tmp_path: Path
) -> None:
    process, heard = long_run(program, converted, tmp_path)
    process.kill()
    ran = running.finish(process, heard)
    assert ran.code == -signal.SIGKILL
    assert not isinstance(ran.last, Finished)


def test_the_agent_ends_where_nobody_reads_its_events(program: Path, converted: Converted, tmp_path: Path) -> None:
    process, _ = long_run(program, converted, tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == HOST_GONE
    for stream in (process.stdin, process.stderr):
        assert stream is not None
        stream.close()


def test_the_agent_ends_where_nobody_reads_though_the_inference_blocks(
    program: Path, converted: Converted, tmp_path: Path
) -> None:
    process, _ = blocked_run(program, converted, tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == HOST_GONE
    for stream in (process.stdin, process.stderr):
        assert stream is not None
        stream.close()


def test_a_stopped_agent_whose_events_are_not_taken_does_not_stay(
    program: Path, converted: Converted, tmp_path: Path
) -> None:
    """The pipe is full and stays open: the last event cannot be written."""
    options = running.prepare(tmp_path, converted("embedding"), models.embedding_inputs())
    process = running.start(program, tmp_path, replace(options, seconds=600.0))
    running.wait_until_blocked(process)
    close_stdin(process)
    assert process.wait() == -signal.SIGALRM
    for stream in (process.stdout, process.stderr):
        assert stream is not None
        stream.close()
