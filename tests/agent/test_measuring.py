"""What the agent measures, and how it says that a number is not what was asked for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.agent import models, running
from workbench.core.op import Op
from workbench.core.protocol import AgentOptions, Event, Finished, Hello, Loaded, Sample, Stat, Warn

Converted = Callable[[str], Path]


@pytest.fixture
def options(converted: Converted, tmp_path: Path) -> AgentOptions:
    return running.prepare(tmp_path, converted("conv"), {"x": models.noise(1, 16, 32, 32)})


def steady(ran: running.Ran) -> list[Any]:
    return [sample for sample in ran.of(Sample) if sample.phase == "steady"]


def warnings(ran: running.Ran) -> dict[str, str]:
    return {warning.code: warning.text for warning in ran.of(Warn)}


@pytest.mark.parametrize(("model", "path"), [("conv", "session"), ("conv", "module"), ("branch", "module")])
def test_each_operator_is_timed_once(
    model: str, path: str, program: Path, converted: Converted, tmp_path: Path
) -> None:
    x = models.noise(1, 4) if model == "branch" else models.noise(1, 16, 32, 32)
    options = running.prepare(tmp_path, converted(model), {"x": x})
    began = time.monotonic()
    ran = running.run(program, tmp_path, options, path=path, ops=True, iterations=60)
    elapsed_ms = (time.monotonic() - began) * 1e3
    ops = ran.of(Op)
    assert len({(op.name, op.type) for op in ops}) == len(ops) > 3
    assert {op.n for op in ops} == {30}
    assert 0 < sum(op.ms * op.n for op in ops) < elapsed_ms
    assert len(steady(ran)) == 60


def test_the_operators_that_compute_most_take_most_time(program: Path, tmp_path: Path) -> None:
    model = models.convert(models.conv_net(layers=2, channels=64, size=56), tmp_path / "model")
    options = running.prepare(tmp_path / "run", model, {"x": models.noise(1, 64, 56, 56)})
    ops = running.run(program, tmp_path / "run", options, ops=True).of(Op)
    convolutions = [op for op in ops if op.type == "Convolution"]
    assert len(convolutions) == 2
    for op in convolutions:
        assert op.mflops == pytest.approx(64 * 64 * 9 * 56 * 56 / 1e6)
    assert sum(op.ms for op in convolutions) > 0.5 * sum(op.ms for op in ops)


def test_without_the_wish_there_are_no_operators(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    assert running.run(program, tmp_path, options).of(Op) == []


def test_every_sample_of_a_long_run_arrives(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    """About three thousand a second on a computer at rest."""
    ran = running.run(program, tmp_path, options, iterations=10_000, stat_ms=100)
    assert isinstance(ran.last, Finished)
    assert ran.last.dropped == 0
    assert [s.i for s in steady(ran)] == list(range(10_000))


def test_samples_that_come_too_fast_are_counted(program: Path, converted: Converted, tmp_path: Path) -> None:
    """A model of a microsecond: a million samples a second."""
    options = running.prepare(tmp_path, converted("embedding"), dict(models.embedding_inputs()))
    ran = running.run(program, tmp_path, options, iterations=200_000)
    assert isinstance(ran.last, Finished)
    indices = [s.i for s in steady(ran)]
    assert ran.last.n == 200_000
    assert ran.last.dropped > 0
    assert ran.last.dropped + len(indices) == ran.last.n
    assert np.all(np.diff(indices) > 0)


def test_the_last_sample_of_a_batch_tells_the_memory(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    ran = running.run(program, tmp_path, options, seconds=0.5)
    told = [s.rss_kb for s in ran.of(Sample) if s.rss_kb >= 0]
    baseline = ran.of(Hello)[0].baseline.rss_kb
    assert len(told) > 5
    assert min(told) > baseline


def test_memory_grows_from_the_baseline_by_what_the_model_takes(program: Path, tmp_path: Path) -> None:
    model = models.convert(models.conv_net(layers=4, channels=256, size=8), tmp_path / "model")
    options = running.prepare(tmp_path / "run", model, {"x": models.noise(1, 256, 8, 8)})
    ran = running.run(program, tmp_path / "run", options, iterations=3)
    weights_kb = 4 * 256 * 256 * 9 * 4 // 1024
    baseline = ran.of(Hello)[0].baseline
    assert isinstance(ran.last, Finished)
    assert ran.last.memory.peak_kb - baseline.rss_kb > weights_kb
    assert ran.last.memory.anon_kb - baseline.anon_kb > weights_kb
    for memory in (baseline, ran.of(Loaded)[0].memory, ran.last.memory):
        assert 0 < memory.anon_kb < memory.rss_kb <= memory.peak_kb
        assert 0 < memory.pss_kb <= memory.rss_kb


def test_an_absent_back_end_is_told_and_the_cpu_used(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    ran = running.run(program, tmp_path, options, backend="vulkan", iterations=2)
    assert "vulkan" not in ran.of(Hello)[0].backends
    assert "vulkan is not there" in warnings(ran)["fallback"]
    assert ran.of(Loaded)[0].backend == "cpu"


@pytest.mark.parametrize("path", ["session", "module"])
def test_threads_beyond_the_engines_pool_are_told(
    path: str, program: Path, options: AgentOptions, tmp_path: Path
) -> None:
    """MNN 3.6.1's pool has 32 threads at most."""
    ran = running.run(program, tmp_path, options, threads=33, iterations=2, path=path)
    assert warnings(ran)["threads_capped"] == "33 threads were asked for, 32 run"
    assert ran.of(Loaded)[0].threads == 32


def test_more_threads_than_cores_disturb_the_measurement(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})  # of this thread, and of the agent that it starts
    try:
        ran = running.run(program, tmp_path, options, threads=2, iterations=2)
    finally:
        os.sched_setaffinity(0, allowed)
    assert "2 spinning threads got" in warnings(ran)["disturbed"]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_temperatures_and_clocks_are_read_from_sysfs(
    program: Path, options: AgentOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thermal, cpus = tmp_path / "root/sys/class/thermal", tmp_path / "root/sys/devices/system/cpu"
    zones = {"cpu-0-0": "41500\n", "gpu": "39\n", "off": "-274000\n", "battery": "30100\n"}
    for number, (kind, raw) in enumerate(zones.items()):
        write(thermal / f"thermal_zone{number}/type", f"{kind}\n")
        write(thermal / f"thermal_zone{number}/temp", raw)
    write(thermal / "thermal_zone4/type", "battery\n")
    write(thermal / "thermal_zone4/temp", "31000\n")
    write(thermal / "thermal_zone5/type", "mute\n")
    write(cpus / "cpu0/cpufreq/scaling_cur_freq", "1804800\n")
    (cpus / "cpu1").mkdir()
    write(cpus / "cpu10/cpufreq/scaling_cur_freq", "2841600\n")
    (cpus / "cpufreq").mkdir()
    monkeypatch.setenv("WORKBENCH_SYSROOT", str(tmp_path / "root"))
    stat = running.run(program, tmp_path, options).of(Stat)[0]
    assert stat.temperature_c == {"cpu-0-0": 41.5, "gpu": 39.0, "battery": 30.1, "battery-4": 31.0}
    assert stat.clock_khz == (1804800, None, 2841600)
    assert stat.available_kb > 0


def test_a_clock_that_the_kernel_lowers_is_told_once(
    program: Path, options: AgentOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = tmp_path / "root/sys/devices/system/cpu/cpu3/cpufreq/scaling_max_freq"
    write(limit, "2841600\n")
    monkeypatch.setenv("WORKBENCH_SYSROOT", str(tmp_path / "root"))
    process = running.start(program, tmp_path, replace(options, seconds=600.0, stat_ms=10))
    heard: list[Event] = []
    after = 0
    for event in running.listen(process):
        heard.append(event)
        if isinstance(event, Stat):
            write(limit, "1804800\n")
            after += any(isinstance(e, Warn) and e.code == "throttled" for e in heard)
            if after == 3:
                break
    assert process.stdin is not None
    process.stdin.close()
    ran = running.finish(process, heard)
    told = [warning.text for warning in ran.of(Warn) if warning.code == "throttled"]
    assert told == ["core 3 may run at 1.80 GHz, at first it was 2.84"]


@pytest.mark.soak
def test_a_minute_of_samples_arrives_whole_and_takes_no_more_memory(
    program: Path, options: AgentOptions, tmp_path: Path
) -> None:
    ran = running.run(program, tmp_path, options, seconds=60.0)
    assert isinstance(ran.last, Finished)
    assert ran.last.dropped == 0
    assert [s.i for s in steady(ran)] == list(range(ran.last.n))
    resident = [stat.memory.rss_kb for stat in ran.of(Stat)]
    assert resident[-1] - resident[len(resident) // 10] < 1024


def test_what_is_not_there_to_read_is_empty(
    program: Path, options: AgentOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_SYSROOT", str(tmp_path / "nothing"))
    stat = running.run(program, tmp_path, options).of(Stat)[0]
    assert (stat.temperature_c, stat.clock_khz) == ({}, ())


def test_the_devices_state_comes_no_oftener_than_asked_for(
    program: Path, options: AgentOptions, tmp_path: Path
) -> None:
    stats = running.run(program, tmp_path, options, seconds=1.0, stat_ms=50).of(Stat)
    assert len(stats) > 3
    since = np.array([stat.ns - stats[0].ns for stat in stats]) / 1e6
    assert np.all(since >= 50 * (np.arange(len(stats)) - 1))
    assert np.all(np.diff([stat.cpu_ms for stat in stats]) >= 0)
