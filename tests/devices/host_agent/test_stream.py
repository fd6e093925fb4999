from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.agent import golden, models, running
from tests.devices.host_agent.steps import AGENT, Converted, close
from workbench.core.protocol import (
    AgentOptions,
    Finished,
    Hello,
    Loaded,
    Op,
    Sample,
    Stat,
    Warn,
    parse_event,
)


def warnings(ran: running.Ran) -> dict[str, str]:
    return {warning.code: warning.text for warning in ran.of(Warn)}


@pytest.mark.parametrize("name", golden.RUNS)
def test_the_stream_is_that_of_the_phones_agent(name: str, converted: Converted, tmp_path: Path) -> None:
    assert golden.stream(AGENT, converted, tmp_path, name) == golden.kept(name)


@pytest.mark.parametrize("changes", [{"path": "session"}, {"path": "module"}, {"winograd": False, "memory": "low"}])
def test_the_outputs_are_those_of_the_phones_agent(
    changes: dict[str, object], phones_agent: Path, options: AgentOptions, tmp_path: Path
) -> None:
    theirs = running.outputs(running.run(phones_agent, tmp_path, options, **changes), tmp_path)["logits"]
    ours = running.outputs(running.run(AGENT, tmp_path, options, **changes), tmp_path)["logits"]
    assert ours.shape == (3, 10)
    np.testing.assert_array_equal(ours, theirs)


def test_integers_and_bytes_are_fed_as_they_are(converted: Converted, phones_agent: Path, tmp_path: Path) -> None:
    options = running.prepare(tmp_path, converted("embedding"), models.embedding_inputs())
    wanted = running.outputs(running.run(phones_agent, tmp_path, options), tmp_path)["y"]
    np.testing.assert_array_equal(running.outputs(running.run(AGENT, tmp_path, options), tmp_path)["y"], wanted)


def test_every_key_is_one_that_the_host_reads(options: AgentOptions, tmp_path: Path) -> None:
    process = running.start(AGENT, tmp_path, replace(options, seconds=0.3, ops=True))
    assert process.stdout is not None
    lines = process.stdout.readlines()
    close(process)
    assert process.wait() == 0
    kinds = set()
    for line in lines:
        event = parse_event(line, where="agent")
        kinds.add(type(event))
        assert set(json.loads(line)) <= golden.fields(event)
        assert golden.fields(event) - set(json.loads(line)) <= {"rss_kb"}
    assert {Hello, Loaded, Sample, Stat, Op, Finished} <= kinds


def test_memory_grows_from_the_baseline_by_what_the_model_takes(tmp_path: Path) -> None:
    model = models.convert(models.conv_net(layers=4, channels=256, size=8), tmp_path / "model")
    options = running.prepare(tmp_path / "run", model, {"x": models.noise(1, 256, 8, 8)})
    ran = running.run(AGENT, tmp_path / "run", options, iterations=3)
    weights_kb = 4 * 256 * 256 * 9 * 4 // 1024
    baseline = ran.of(Hello)[0].baseline
    assert isinstance(ran.last, Finished)
    assert ran.last.memory.peak_kb - baseline.rss_kb > weights_kb
    for memory in (baseline, ran.of(Loaded)[0].memory, ran.last.memory):
        assert 0 < memory.anon_kb < memory.rss_kb <= memory.peak_kb
        assert 0 < memory.pss_kb <= memory.rss_kb


def test_two_threads_are_two_by_either_path(options: AgentOptions, tmp_path: Path) -> None:
    for path in ("session", "module"):
        loaded = running.run(AGENT, tmp_path, options, path=path, threads=2, iterations=1).of(Loaded)[0]
        assert (loaded.path, loaded.threads) == (path, 2)


def test_operators_that_cannot_be_timed_are_told_and_not_made_up(options: AgentOptions, tmp_path: Path) -> None:
    ran = running.run(AGENT, tmp_path, options, path="module", ops=True, iterations=2)
    assert ran.of(Op) == []
    assert "not timed" in warnings(ran)["no_ops"]
    assert isinstance(ran.last, Finished)
    assert ran.last.reason == "complete"


def test_the_operators_times_are_parts_of_the_inference(options: AgentOptions, tmp_path: Path) -> None:
    ops = running.run(AGENT, tmp_path, options, ops=True).of(Op)
    assert {op.n for op in ops} == {30}
    assert len({(op.name, op.type) for op in ops}) == len(ops)
    assert sum(op.type == "Convolution" for op in ops) == 7
    assert all(op.ms > 0 for op in ops)


def test_a_run_by_the_clock_lasts_as_long_as_was_asked(options: AgentOptions, tmp_path: Path) -> None:
    ran = running.run(AGENT, tmp_path, options, seconds=0.3, iterations=1)
    steady = [sample for sample in ran.of(Sample) if sample.phase == "steady"]
    assert isinstance(ran.last, Finished)
    assert ran.last.n == len(steady) > 1
    assert [sample.i for sample in steady] == list(range(len(steady)))
    assert steady[-1].ns - steady[0].ns < 0.3e9 <= ran.last.wall_ms * 1e6
