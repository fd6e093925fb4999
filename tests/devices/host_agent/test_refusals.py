from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.agent import models, running
from tests.devices.host_agent.steps import AGENT, REFUSED, Converted, images
from workbench.core.protocol import (
    AgentOptions,
    Fault,
    format_options,
)

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
