"""Bad files, inputs, shapes, plans, artifacts and places: one line with what, where and what to do; nothing left."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.end_to_end import models
from tests.end_to_end.command import Ended, Workbench
from tests.end_to_end.phones import Handset

GOOD = np.zeros((1, 3, 8, 8), np.float32)


def assert_refused(ended: Ended, *told: str, where: str, kind: str = "bad_input") -> None:
    """Exit code 2, one line that holds every one of ``told``, and a way out."""
    assert ended.code == 2, (ended.out, ended.err)
    error = ended.error
    assert error["kind"] == kind
    assert where in error["where"]
    assert error["hint"]
    for text in told:
        assert text in f"{error['what']} {error['hint']}"


def files_in(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if "home" not in file.parts}


@pytest.mark.parametrize("name", models.BAD)
def test_a_file_that_is_no_model_is_refused(name: str, workbench: Workbench, tmp_path: Path) -> None:
    path = models.bad(tmp_path / "m.onnx", name)
    before = files_in(tmp_path)
    ended = workbench("convert", path, "-o", "out.mnn", "--json")
    assert_refused(ended, models.BAD[name][1], where=str(path))
    assert files_in(tmp_path) == before


def test_no_file_and_a_folder_are_refused(workbench: Workbench, tmp_path: Path) -> None:
    assert_refused(workbench("check", "none.onnx", "--json"), "no such file", where="none.onnx")
    assert_refused(workbench("check", tmp_path, "--json"), "folder", where=str(tmp_path))


def test_a_fault_in_another_command_is_told_the_same_way(workbench: Workbench, tmp_path: Path) -> None:
    path = models.bad(tmp_path / "m.onnx", "cyclic")
    assert_refused(workbench("plan", path, "--bits", "8", "--json"), "cycle", where=str(path))
    plain = workbench("check", path)
    assert (plain.code, plain.out) == (2, "")
    plain.assert_one_line()


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _single(path: Path) -> None:
    np.save(path.with_suffix(".npy"), GOOD)
    path.with_suffix(".npy").rename(path)


BROKEN_ARRAYS: dict[str, tuple[Callable[[Path], None], str]] = {
    "names": (lambda path: np.savez(path, other=GOOD), "input x"),
    "one name too many": (lambda path: np.savez(path, x=GOOD, more=GOOD), "no input more"),
    "size": (lambda path: np.savez(path, x=np.zeros((1, 3, 9, 8), np.float32)), "Axis 2"),
    "dtype": (lambda path: np.savez(path, x=GOOD.astype("U1")), "float32"),
    "objects": (lambda path: np.savez(path, x=np.array([{}], dtype=object)), "plain arrays"),
    "not a .npz": (lambda path: _write(path, b"hello"), ".npz"),
    "empty": (lambda path: _write(path, b""), ".npz"),
    "a single array": (_single, ".npz"),
}


@pytest.mark.parametrize("name", BROKEN_ARRAYS)
def test_inputs_that_do_not_fit_the_model_are_refused(name: str, workbench: Workbench, tmp_path: Path) -> None:
    make, told = BROKEN_ARRAYS[name]
    make(tmp_path / "in.npz")
    model = models.good(tmp_path / "m.onnx")
    ended = workbench("convert", model, "-o", "out.mnn", "--inputs", "in.npz", "--json")
    assert_refused(ended, told, where="in.npz")
    assert list(tmp_path.glob("out*")) == []


@pytest.mark.parametrize("arrays", [{"x": GOOD}, {"in0": GOOD}], ids=["by name", "in order"])
def test_inputs_that_fit_are_tried_with_the_made_up_ones(
    arrays: dict[str, np.ndarray], workbench: Workbench, tmp_path: Path
) -> None:
    np.savez(tmp_path / "in.npz", **arrays)
    ended = workbench("check", models.good(tmp_path / "m.onnx"), "--inputs", "in.npz", "--json")
    assert ended.code == 0
    assert ended.document["verification"]["engine"]["inputs"] == 7


@pytest.mark.parametrize(
    ("shape", "told", "kind"),
    [
        ("x", "not a shape", "usage"),
        ("=1x3", "not a shape", "usage"),
        ("x=-1x3x8x8", "not a shape", "usage"),
        ("x=99999999999", "not a shape", "usage"),
        ("y=1", "no input y", "usage"),
        ("x=1x3x8", "4 axes, not 3", "bad_input"),
        ("x=1x4x8x8", "fixed at 3", "bad_input"),
    ],
)
def test_a_shape_that_is_none_is_refused(
    shape: str, told: str, kind: str, workbench: Workbench, tmp_path: Path
) -> None:
    model = models.open_axes(tmp_path / "m.onnx")
    assert_refused(workbench("check", model, "--shape", shape, "--json"), told, where="", kind=kind)


def test_a_shape_for_open_axes_is_used(workbench: Workbench, tmp_path: Path) -> None:
    ended = workbench("check", models.open_axes(tmp_path / "m.onnx"), "--shape", "x=2x3x5x7", "--json")
    assert ended.code == 0
    assert ended.document["shapes"] == {"x": [2, 3, 5, 7]}


PLANS = {
    "cut off": ('{"schema": "workbench.plan/1"', "not JSON"),
    "a list": ("[]", "object"),
    "of another schema": ('{"schema": "workbench.run/1"}', "workbench.run/1"),
    "of bits that are not possible": ('{"schema": "workbench.plan/1", "default": {"bits": 9}}', "9 bits"),
    "of text for bits": ('{"schema": "workbench.plan/1", "default": {"bits": "8"}}', "bits"),
    "of a lost layer": (
        '{"schema": "workbench.plan/1", "default": {"bits": 8}, "layers": {"gone": {"bits": 4}}}',
        "does not have",
    ),
    "of a layer without weights": (
        '{"schema": "workbench.plan/1", "default": {"bits": 8}, "layers": {"y": {"bits": 4}}}',
        "no weights",
    ),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_that_cannot_be_carried_out_is_refused(name: str, workbench: Workbench, tmp_path: Path) -> None:
    text, told = PLANS[name]
    (tmp_path / "p.json").write_text(text)
    ended = workbench("convert", models.good(tmp_path / "m.onnx"), "-o", "out.mnn", "--plan", "p.json", "--json")
    assert ended.code == 2
    assert told in ended.error["what"]
    assert ended.error["where"]
    assert ended.error["hint"]
    assert list(tmp_path.glob("out*")) == []


def test_a_plan_file_that_is_not_text_or_not_there_is_refused(workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    (tmp_path / "p.json").write_bytes(b"\xff\xfe\x00")
    assert_refused(workbench("convert", model, "-o", "o.mnn", "--plan", "p.json", "--json"), "UTF-8", where="p.json")
    assert_refused(workbench("convert", model, "-o", "o.mnn", "--plan", "q.json", "--json"), "No such", where="q.json")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--bits", "9"), "9 bits"),
        (("--bits", "4", "--block", "7"), "block of 7"),
        (("--layer", "nowhere=4"), "nowhere"),
        (("--layer", "c"), "LAYER=BITS"),
        (("-o", "/proc/nowhere/p.json"), "cannot be written"),
    ],
)
def test_words_that_make_no_plan_are_refused(
    options: tuple[str, ...], told: str, workbench: Workbench, tmp_path: Path
) -> None:
    ended = workbench("plan", models.good(tmp_path / "m.onnx"), *options, "--json")
    assert ended.code == 2
    assert told in ended.error["what"]
    assert ended.error["hint"]


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("/proc/out.mnn", "cannot be written"),
        ("nowhere/out.mnn", "does not exist"),
        ("tmp", "is a folder"),
        ("m.onnx", "overwrite the model"),
        ("m" * 300 + ".mnn", "too long"),
        ("m" * 245 + ".mnn", "too long"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    out: str, told: str, workbench: Workbench, tmp_path: Path
) -> None:
    model = models.good(tmp_path / "m.onnx")
    before = files_in(tmp_path)
    content = model.read_bytes()
    ended = workbench("convert", "m.onnx", "-o", out, "--json")
    assert ended.code == 2
    assert told in ended.error["what"]
    assert ended.error["hint"]
    assert files_in(tmp_path) == before
    assert model.read_bytes() == content


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


def test_an_allowed_error_that_is_none_is_refused(workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    ended = workbench("convert", model, "-o", "o.mnn", "--max-error", "nan", "--json")
    assert_refused(ended, "nan", where="--max-error", kind="usage")


@pytest.fixture
def own_artifact(artifact: Path, tmp_path: Path) -> Path:
    """A copy of the artifact with all that belongs to it."""
    for file in artifact.parent.glob("digits.mnn*"):
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / "digits.mnn"


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
        "single": _single,
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
