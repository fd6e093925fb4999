"""Artifacts that were tampered with, inputs that do not fit them, outputs that are wrong, runs that cannot be kept."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.end_to_end import models
from tests.end_to_end.command import Workbench
from tests.end_to_end.phones import Handset
from tests.end_to_end.refusals import GOOD, assert_refused, write_single


@pytest.mark.parametrize(
    "options",
    [
        ("--threads", "0"),
        ("--iterations", "0"),
        ("--duration", "nan"),
    ],
)
def test_numbers_that_no_agent_takes_are_refused(
    options: tuple[str, str], workbench: Workbench, artifact: Path
) -> None:
    ended = workbench("run", artifact, "--device", "host", *options, "--json")
    assert_refused(ended, "not possible", "number from", where=options[0], kind="usage")


@pytest.fixture
def own_artifact(artifact: Path, tmp_path: Path) -> Path:
    """A copy of the artifact with all that belongs to it."""
    for file in artifact.parent.glob("digits.mnn*"):
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / "digits.mnn"


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:300])


def _rewritten(path: Path, change: Callable[[dict[str, object]], None]) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


TAMPERED: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "the model is another": (lambda path: _write(path, b"other"), "", "not the one"),
    "the record is cut off": (lambda path: _cut(path.with_name("digits.mnn.json")), ".json", "not JSON"),
    "the record is of another schema": (
        lambda path: _rewritten(path.with_name("digits.mnn.json"), lambda doc: doc.update(schema="other/1")),
        ".json",
        "other/1",
    ),
    "the record is missing": (lambda path: path.with_name("digits.mnn.json").unlink(), "", "record or witness"),
    "the witness is missing": (
        lambda path: path.with_name("digits.mnn.witness.npz").unlink(),
        "",
        "record or witness",
    ),
    "the witness is cut off": (lambda path: _cut(path.with_name("digits.mnn.witness.npz")), ".witness.npz", "damaged"),
    "the witness is another file": (
        lambda path: np.savez(path.with_name("digits.mnn.witness.npz"), x=GOOD),
        ".witness.npz",
        "damaged",
    ),
    "the weights are missing": (
        lambda path: _rewritten(
            path.with_name("digits.mnn.json"), lambda doc: doc.update(files={"digits.mnn.weight": "0" * 64})
        ),
        ".weight",
        "No such file",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_an_artifact_that_was_tampered_with_is_refused(name: str, workbench: Workbench, own_artifact: Path) -> None:
    tamper, where, told = TAMPERED[name]
    tamper(own_artifact)
    ended = workbench("run", own_artifact, "--device", "host", "--save", "run.jsonl", "--json")
    assert_refused(ended, told, where=f"{own_artifact}{where}")
    assert not own_artifact.with_name("run.jsonl").exists()


def test_weights_of_another_model_are_refused(workbench: Workbench, own_artifact: Path) -> None:
    weights = own_artifact.with_name("digits.mnn.weight")
    weights.write_bytes(b"mine")
    digest = hashlib.sha256(b"another's").hexdigest()
    _rewritten(own_artifact.with_name("digits.mnn.json"), lambda doc: doc.update(files={weights.name: digest}))
    assert_refused(workbench("run", own_artifact, "--device", "host", "--json"), "not the one", where=str(weights))


def test_a_model_is_no_artifact(workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    assert_refused(workbench("run", model, "--device", "host", "--json"), "workbench convert", where=str(model))
    assert_refused(workbench("run", "none.mnn", "--device", "host", "--json"), "no such artifact", where="none.mnn")


def test_inputs_that_do_not_fit_the_artifact_are_refused(workbench: Workbench, artifact: Path, tmp_path: Path) -> None:
    refused: dict[str, Callable[[Path], None]] = {
        "names": lambda path: np.savez(path, other=GOOD),
        "rank": lambda path: np.savez(path, image=np.zeros(3, np.float32)),
        "single": write_single,
    }
    for name, make in refused.items():
        make(tmp_path / f"{name}.npz")
        ended = workbench("run", artifact, "--device", "host", "--inputs", f"{name}.npz", "--json")
        assert_refused(ended, "do not fit", where=f"{name}.npz")
    ended = workbench("run", artifact, "--device", "host", "--inputs", "none.npz", "--json")
    assert_refused(ended, "no such file", where="none.npz")


def test_inputs_of_ones_own_are_run_and_not_called_right(workbench: Workbench, artifact: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", in0=np.ones((1, 1, 8, 8), np.float32))
    ended = workbench("run", artifact, "--device", "host", "--inputs", "in.npz", "--json")
    assert ended.code == 0
    assert ended.document["outputs"] is None
    assert any("not compared" in warning for warning in ended.document["warnings"])


def test_outputs_that_are_wrong_are_a_no_without_a_speed(
    workbench: Workbench, own_artifact: Path, phone: Handset
) -> None:
    file = own_artifact.with_name("digits.mnn.witness.npz")
    with np.load(file) as loaded:
        arrays = dict(loaded)
    np.savez(file, **{**arrays, "out0": arrays["out0"] + 10})
    ended = workbench("run", own_artifact, "--device", phone.serial, "--json")
    assert (ended.code, ended.err) == (1, "")
    assert ended.document["outputs"]["right"] is False
    assert ended.document["latency_ms"] is None
    assert ended.document["first_ms"] is None
    said = workbench("run", own_artifact, "--device", phone.serial)
    assert said.code == 1
    assert "wrong" in said.out
    assert "Latency" not in said.out


def test_events_that_cannot_be_written_are_refused_before_the_run(
    workbench: Workbench, artifact: Path, phone: Handset
) -> None:
    for path in ("/proc/run.jsonl", "nowhere/run.jsonl"):
        ended = workbench("run", artifact, "--device", phone.serial, "--save", path, "--json")
        assert_refused(ended, "cannot be written", where=path)


def test_a_run_that_fails_keeps_the_events_of_an_older_one(
    workbench: Workbench, artifact: Path, tmp_path: Path
) -> None:
    (tmp_path / "run.jsonl").write_text("older\n")
    assert workbench("run", artifact, "--device", "nope", "--save", "run.jsonl").code == 3
    assert (tmp_path / "run.jsonl").read_text() == "older\n"
    assert workbench("run", artifact, "--device", "host", "--save", "run.jsonl").code == 0
    assert (tmp_path / "run.jsonl").read_text().startswith('{"ev":"hello"')
