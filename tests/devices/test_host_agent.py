"""This computer's agent in Python: the same language as the agent of phones, and the same numbers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import psutil
import pytest

from tests.agent import golden, models, running
from workbench.app import running as app_running
from workbench.children.workers import Workers
from workbench.core.places import resources
from workbench.core.protocol import (
    AgentOptions,
    Event,
    Fault,
    Finished,
    Hello,
    Loaded,
    Op,
    Sample,
    Stat,
    Warn,
    format_options,
    parse_event,
)
from workbench.core.run import RunConfig
from workbench.core.steps import Quiet
from workbench.devices import runtime
from workbench.devices.host import HostLink
from workbench.devices.link import Program
from workbench.devices.listing import host_device
from workbench.devices.runtime import python_runtime, runtime_for

AGENT = (sys.executable, "-m", "workbench", "--agent")
REFUSED = 2
HOST_GONE = 1
DIGITS = resources() / "samples" / "digits"
Converted = Callable[[str], Path]


def long_inference() -> onnx.ModelProto:
    """150 GMAC: several seconds on a core, without a loop."""
    return models.conv_net(layers=64, channels=64, size=256)


MODELS: dict[str, Callable[[], onnx.ModelProto]] = {
    "digits": lambda: onnx.load(DIGITS / "digits.onnx"),
    "conv": models.conv_net,
    "branch": models.branch,
    "embedding": models.embedding,
    "endless": models.endless,
    "long": long_inference,
}


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    """The path of a model of MODELS, converted when first asked for."""
    made: dict[str, Path] = {}

    def of(name: str) -> Path:
        if name not in made:
            made[name] = models.convert(MODELS[name](), tmp_path_factory.mktemp(name))
        return made[name]

    return of


@pytest.fixture(scope="module")
def phones_agent(tmp_path_factory) -> Path:
    return running.install(tmp_path_factory.mktemp("runtime"))


def images() -> np.ndarray:
    with np.load(DIGITS / "heldout.npz") as held_out:
        return held_out["image"][:3]


@pytest.fixture
def options(converted: Converted, tmp_path: Path) -> AgentOptions:
    return running.prepare(tmp_path, converted("digits"), {"image": images()})


def warnings(ran: running.Ran) -> dict[str, str]:
    return {warning.code: warning.text for warning in ran.of(Warn)}


def close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        stream.close()


def started(folder: Path, options: AgentOptions, until: type[Event]) -> tuple[subprocess.Popen[bytes], list[Event]]:
    """An agent at work, and what it said up to its first ``until``."""
    process = running.start(AGENT, folder, options)
    heard = []
    for event in running.listen(process):
        heard.append(event)
        if isinstance(event, until):
            return process, heard
    raise AssertionError(heard)


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


GOOD = json.loads(format_options(AgentOptions("model.mnn", "manifest.json")))
LINES: dict[str, tuple[str, str]] = {
    "nothing": ("", "Expecting value"),
    "not JSON": ("hello", "Expecting value"),
    "a list": ("[1]", "an object expected"),
    "cut": (json.dumps(GOOD)[:-1], "Expecting"),
    "deep": ('{"model":' + "[" * 100_000, "nested too deep"),
    "a key twice": ('{"model":"a","model":"b"}', "twice"),
    "an unknown key": (json.dumps(GOOD | {"colour": 1}), "colour: no such option"),
    "no model": (json.dumps({"manifest": "m"}), "model: a file name"),
    "NUL in a name": (json.dumps(GOOD | {"manifest": "a\0b"}), "manifest: "),
    "lone surrogate": ('{"model":"\\ud800"}', "model: "),
    "text for a number": (json.dumps(GOOD | {"threads": "2"}), "threads: a whole number"),
    "true for a number": (json.dumps(GOOD | {"threads": True}), "threads: a whole number"),
    "no thread": (json.dumps(GOOD | {"threads": 0}), "threads: a number from 1 to 64"),
    "half a thread": (json.dumps(GOOD | {"threads": 1.5}), "threads: a whole number"),
    "too long a number": (json.dumps(GOOD | {"iterations": 10**30}), "iterations: "),
    "negative seconds": (json.dumps(GOOD | {"seconds": -1}), "seconds: "),
    "NaN": (json.dumps(GOOD).replace("0.0", "NaN"), "NaN: a value expected"),
    "a back end that no one has": (json.dumps(GOOD | {"backend": "npu"}), "backend: one of cpu, opencl, vulkan"),
    "another protocol": (json.dumps(GOOD | {"protocol": 2}), "protocol: "),
}


@pytest.mark.parametrize("name", LINES)
def test_a_bad_options_line_is_refused(name: str) -> None:
    from workbench.engines.mnn.host_agent.failure import Failure
    from workbench.engines.mnn.host_agent.options import parse_options

    line, reason = LINES[name]
    with pytest.raises(Failure) as caught:
        parse_options(line.encode())
    assert caught.value.stage == "options"
    assert reason in caught.value.text


def refusal(folder: Path, options: AgentOptions | str, **changes: object) -> Fault:
    ran = running.run(AGENT, folder, options, **changes)
    assert isinstance(ran.last, Fault), ran.last
    assert ran.code == REFUSED
    return ran.last


def test_a_refused_line_is_the_last_event(tmp_path: Path) -> None:
    assert refusal(tmp_path, "hello").stage == "options"


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("path", ["auto", "module"])
def test_a_truncated_model_is_refused(share: float, path: str, converted: Converted, tmp_path: Path) -> None:
    whole = converted("digits").read_bytes()
    cut = tmp_path / "cut.mnn"
    cut.write_bytes(whole[: int(len(whole) * share)])
    options = running.prepare(tmp_path / "run", cut, {"image": images()})
    assert refusal(tmp_path / "run", options, path=path).stage == "load"


def test_what_is_missing_is_named(options: AgentOptions, tmp_path: Path) -> None:
    for file, stage in (("model.mnn", "load"), ("in0.raw", "input"), ("manifest.json", "input")):
        (tmp_path / file).unlink()
        fault = refusal(tmp_path, options)
        assert (fault.stage, fault.text) == (stage, f"{file}: No such file or directory")
        if file == "model.mnn":
            (tmp_path / file).write_bytes(b"never read: inputs come first")


def test_inputs_that_do_not_fit_are_named(converted: Converted, options: AgentOptions, tmp_path: Path) -> None:
    (tmp_path / "in0.raw").write_bytes(bytes(12))
    assert refusal(tmp_path, options).text == "image: in0.raw holds 12 bytes, float32 [3, 1, 8, 8] takes 768"
    other = running.prepare(tmp_path / "other", converted("digits"), {"image": np.zeros((1, 1, 8, 8), np.int32)})
    assert refusal(tmp_path / "other", other).text == "image: the model takes float32, the manifest says int32"


def test_control_flow_is_refused_on_the_session_path(converted: Converted, tmp_path: Path) -> None:
    options = running.prepare(tmp_path, converted("branch"), {"x": models.noise(1, 4)})
    fault = refusal(tmp_path, options, path="session")
    assert fault.stage == "load"
    assert "run it as a Module" in fault.text


def test_outputs_that_cannot_be_written_are_an_error(options: AgentOptions, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where the folder should be")
    fault = refusal(tmp_path, options)
    assert (fault.stage, fault.text) == ("output", "out/out0.raw: Not a directory")


def test_a_missing_engine_is_told(tmp_path: Path) -> None:
    script = "import sys; sys.modules['MNN'] = None; sys.argv[1:] = ['--agent']; import workbench.__main__"
    ran = running.run((sys.executable, "-c", script), tmp_path, "{}")
    assert isinstance(ran.last, Fault)
    assert (ran.last.stage, ran.code) == ("load", REFUSED)
    assert "cannot be imported" in ran.last.text


def test_the_agent_needs_its_engine_numpy_and_psutil_only(options: AgentOptions, tmp_path: Path) -> None:
    blocked = ("msgspec", "platformdirs", "pluggy", "rich", "jinja2", "adbutils", "PySide6", "onnx", "onnxruntime")
    script = (
        "import sys\n"
        f"for name in {blocked!r}: sys.modules[name] = None\n"
        "sys.argv[1:] = ['--agent']\n"
        "import workbench.__main__\n"
    )
    assert running.run((sys.executable, "-c", script), tmp_path, options).code == 0


def test_a_frozen_application_is_its_own_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert python_runtime().argv == (sys.executable, "--agent")


@pytest.fixture
def artifact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The digits with their record and witness; this test's own cache and lock of the device."""
    for name in ("HOME", "XDG_CACHE_HOME", "WORKBENCH_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    out = tmp_path / "digits.mnn"
    argv = [sys.executable, "-m", "workbench", "convert", str(DIGITS / "digits.onnx"), "-o", str(out)]
    subprocess.run(argv, check=True, capture_output=True, env=dict(os.environ))
    return out


def test_this_computer_runs_an_artifact_with_an_agent_of_phones_and_without(
    artifact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Workers() as workers:

        def run() -> tuple[str, float | None, bool]:
            summary = app_running.run(artifact, "host", RunConfig(iterations=20), None, None, workers, Quiet())
            assert summary.latency_ms is not None
            assert summary.outputs is not None
            return str(summary.actual["agent"]), summary.outputs.max_rel_error, summary.outputs.right

        assert runtime_for(host_device()).parcels != ()
        agent, error, right = run()
        assert not agent.startswith("python-")
        assert right
        monkeypatch.setattr(runtime, "resources", lambda: tmp_path)  # a system for which no agent is shipped
        assert runtime_for(host_device()).parcels == ()
        assert run() == (running_name(), error, True)


def running_name() -> str:
    import workbench

    return f"python-{workbench.__version__}"
