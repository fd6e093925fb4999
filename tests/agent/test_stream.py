"""The agent's stream: what it says, in which order, in words that the host knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.agent import golden, models, running
from workbench.core.protocol import AgentOptions, Finished, Loaded, Sample, parse_event

Converted = Callable[[str], Path]


def conv_run(converted: Converted, folder: Path) -> AgentOptions:
    return running.prepare(folder, converted("conv"), {"x": models.noise(1, 16, 32, 32)})


@pytest.mark.parametrize("name", golden.RUNS)
def test_the_stream_is_that_of_the_kept_file(name: str, program: Path, converted: Converted, tmp_path: Path) -> None:
    assert golden.stream(program, converted, tmp_path, name) == golden.kept(name)


@pytest.mark.parametrize("name", golden.RUNS)
def test_the_host_writes_each_kept_line_as_the_agent_did(name: str) -> None:
    lines = golden.kept(name)
    assert golden.normalised(golden.kept_events(name)) == lines


def test_every_key_that_the_agent_writes_is_one_that_the_host_reads(
    program: Path, converted: Converted, tmp_path: Path
) -> None:
    process = running.start(program, tmp_path, conv_run(converted, tmp_path))
    assert process.stdout is not None
    lines = process.stdout.readlines()
    running.finish(process, [])
    assert len(lines) > 50
    for line in lines:
        event = parse_event(line, where="agent")
        missing = golden.fields(event) - set(json.loads(line))
        assert set(json.loads(line)) <= golden.fields(event)
        assert missing <= {"rss_kb"}


def test_events_come_in_the_order_of_the_run(program: Path, converted: Converted, tmp_path: Path) -> None:
    ran = running.run(program, tmp_path, conv_run(converted, tmp_path), warmup=2, iterations=4)
    assert type(ran.events[0]).__name__ == "Hello"
    assert isinstance(ran.last, Finished)
    samples = ran.of(Sample)
    assert [(s.phase, s.i) for s in samples] == [("first", 0), ("warmup", 0), ("warmup", 1)] + [
        ("steady", i) for i in range(4)
    ]
    assert [s.ns for s in samples] == sorted(s.ns for s in samples)
    assert ran.events.index(ran.of(Loaded)[0]) < ran.events.index(samples[0])
    assert ran.code == 0


def test_the_engine_does_not_print_into_the_stream(program: Path, converted: Converted, tmp_path: Path) -> None:
    ran = running.run(program, tmp_path, conv_run(converted, tmp_path))
    assert "The device supports" in ran.errors


def test_names_that_are_hard_to_write_come_back_whole(program: Path, tmp_path: Path) -> None:
    model = models.branch()
    name = 'a"b\\c é 中 \U0001f600/\x7f'
    model.graph.input[0].name = name
    for node in model.graph.node:
        node.input[:] = [name if x == "x" else x for x in node.input]
        for attribute in node.attribute:
            for inner in attribute.g.node:
                inner.input[:] = [name if x == "x" else x for x in inner.input]
    converted = models.convert(model, tmp_path / "model")
    options = running.prepare(tmp_path / "run", converted, {name: models.noise(1, 4)})
    loaded = running.run(program, tmp_path / "run", options).of(Loaded)[0]
    assert [file.name for file in loaded.inputs] == [name]


def test_a_run_by_the_clock_lasts_as_long_as_was_asked(program: Path, converted: Converted, tmp_path: Path) -> None:
    options = conv_run(converted, tmp_path)
    ran = running.run(program, tmp_path, options, seconds=0.4, iterations=1)
    steady = [s for s in ran.of(Sample) if s.phase == "steady"]
    assert len(steady) > 1
    assert isinstance(ran.last, Finished)
    assert ran.last.n == len(steady)
    assert steady[-1].ns - steady[0].ns < 0.4e9 <= ran.last.wall_ms * 1e6
    assert np.all(np.diff([s.i for s in steady]) == 1)
