"""What the agent does not take: one error event that says what, and exit code 2."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.agent import models, running
from workbench.core.protocol import AgentOptions, Fault, Hello, format_options

Converted = Callable[[str], Path]
REFUSED = 2
GOOD = json.loads(format_options(AgentOptions("model.mnn", "manifest.json")))

LINES: dict[str, tuple[str, str]] = {
    "nothing": ("", "at byte 0"),
    "not JSON": ("hello", "at byte 0"),
    "a list": ("[1]", "an object expected"),
    "cut": (json.dumps(GOOD)[:-1], "expected at byte"),
    "two values": (json.dumps(GOOD) + "{}", "after the end"),
    "deep": ('{"model":' + "[" * 100_000, "nested too deep"),
    "a key twice": ('{"model":"a","model":"b"}', "twice"),
    "an unknown key": (json.dumps(GOOD | {"colour": 1}), "colour: no such option"),
    "no model": (json.dumps({"manifest": "m"}), "model: "),
    "an empty model": (json.dumps(GOOD | {"model": ""}), "model: "),
    "NUL in a name": (json.dumps(GOOD | {"manifest": "a\0b"}), "manifest: "),
    "text for a number": (json.dumps(GOOD | {"threads": "2"}), "threads: a whole number"),
    "no thread": (json.dumps(GOOD | {"threads": 0}), "threads: a number from 1 to 64"),
    "half a thread": (json.dumps(GOOD | {"threads": 1.5}), "threads: a whole number"),
    "no run": (json.dumps(GOOD | {"iterations": 0}), "iterations: "),
    "too long a number": (json.dumps(GOOD | {"iterations": 10**30}), "iterations: "),
    "negative seconds": (json.dumps(GOOD | {"seconds": -1}), "seconds: "),
    "NaN": (json.dumps(GOOD).replace("0.0", "NaN"), "a value expected"),
    "a leading zero": (json.dumps(GOOD).replace('"threads": 1', '"threads": 01'), "expected at byte"),
    "lone surrogate": ('{"model":"\\ud800"}', "lone surrogate"),
    "bad escape": ('{"model":"\\x"}', "unknown escape"),
    "control character": ('{"model":"a\tb"}', "control character"),
    "a back end that no one has": (json.dumps(GOOD | {"backend": "npu"}), "backend: one of cpu, opencl, vulkan"),
    "another protocol": (json.dumps(GOOD | {"protocol": 2}), "protocol: "),
}


@pytest.mark.parametrize("name", LINES)
def test_a_bad_options_line_is_refused(name: str, program: Path, tmp_path: Path) -> None:
    line, reason = LINES[name]
    ran = running.run(program, tmp_path, line)
    assert isinstance(ran.events[0], Hello)
    assert isinstance(ran.last, Fault)
    assert ran.last.stage == "options"
    assert reason in ran.last.text
    assert (len(ran.events), ran.code) == (2, REFUSED)


def refusal(program: Path, folder: Path, options: AgentOptions) -> Fault:
    ran = running.run(program, folder, options)
    assert isinstance(ran.last, Fault), ran.last
    assert ran.code == REFUSED
    return ran.last


@pytest.fixture
def options(converted: Converted, tmp_path: Path) -> AgentOptions:
    return running.prepare(tmp_path, converted("conv"), {"x": models.noise(1, 16, 32, 32)})


def test_a_missing_model_is_named(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    (tmp_path / "model.mnn").unlink()
    fault = refusal(program, tmp_path, options)
    assert (fault.stage, fault.text) == ("load", "model.mnn: No such file or directory")


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
@pytest.mark.parametrize("path", ["auto", "session", "module"])
def test_a_truncated_model_is_refused(
    share: float, path: str, program: Path, converted: Converted, tmp_path: Path
) -> None:
    whole = converted("conv").read_bytes()
    cut = tmp_path / "cut.mnn"
    cut.write_bytes(whole[: int(len(whole) * share)])
    options = running.prepare(tmp_path / "run", cut, {"x": models.noise(1, 16, 32, 32)})
    ran = running.run(program, tmp_path / "run", options, path=path)
    assert isinstance(ran.last, Fault)
    assert (ran.last.stage, ran.code) == ("load", REFUSED)


def test_a_missing_manifest_is_named(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").unlink()
    fault = refusal(program, tmp_path, options)
    assert (fault.stage, fault.text) == ("input", "manifest.json: No such file or directory")


def test_a_missing_input_file_is_named(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    (tmp_path / "in0.raw").unlink()
    assert refusal(program, tmp_path, options).text == "in0.raw: No such file or directory"


def test_an_input_of_another_size_is_refused(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    (tmp_path / "in0.raw").write_bytes(bytes(12))
    fault = refusal(program, tmp_path, options)
    assert fault.stage == "input"
    assert fault.text == "x: in0.raw holds 12 bytes, float32 [1, 16, 32, 32] takes 65536"


def test_an_input_of_another_type_is_refused(program: Path, converted: Converted, tmp_path: Path) -> None:
    options = running.prepare(tmp_path, converted("conv"), {"x": np.zeros((1, 16, 32, 32), np.int32)})
    assert refusal(program, tmp_path, options).text == "x: the model takes float32, the manifest says int32"


BAD_INPUTS = {
    "no shape": ({"name": "x", "dtype": "float32", "file": "in0.raw"}, '"shape" is missing'),
    "another type": ({"name": "x", "dtype": "int64", "shape": [1], "file": "in0.raw"}, "none of float32, int32, uint8"),
    "a size of nothing": ({"name": "x", "dtype": "uint8", "shape": [0], "file": "in0.raw"}, "out of range"),
    "an endless shape": ({"name": "x", "dtype": "uint8", "shape": [2**31 - 1] * 9, "file": "in0.raw"}, "2^31"),
}


@pytest.mark.parametrize("name", BAD_INPUTS)
def test_a_bad_manifest_is_refused(name: str, program: Path, options: AgentOptions, tmp_path: Path) -> None:
    entry, reason = BAD_INPUTS[name]
    (tmp_path / "manifest.json").write_text(json.dumps({"inputs": [entry]}))
    fault = refusal(program, tmp_path, options)
    assert fault.stage == "input"
    assert reason in fault.text


def test_control_flow_is_refused_on_the_session_path(program: Path, converted: Converted, tmp_path: Path) -> None:
    options = running.prepare(tmp_path, converted("branch"), {"x": models.noise(1, 4)})
    ran = running.run(program, tmp_path, options, path="session")
    assert isinstance(ran.last, Fault)
    assert (ran.last.stage, ran.code) == ("load", REFUSED)
    assert "run it as a Module" in ran.last.text


def test_outputs_that_cannot_be_written_are_an_error(program: Path, options: AgentOptions, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where the folder should be")
    fault = refusal(program, tmp_path, options)
    assert (fault.stage, fault.text) == ("output", "out/out0.raw: Not a directory")


def test_a_shape_that_the_model_does_not_take_is_an_error(program: Path, converted: Converted, tmp_path: Path) -> None:
    options = running.prepare(tmp_path, converted("conv"), {"x": models.noise(1, 5, 32, 32)})
    assert refusal(program, tmp_path, options).stage in ("load", "run")
