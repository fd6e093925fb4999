"""Bad files, inputs, shapes, plans and places: one line with what, where and what to do; nothing left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.end_to_end import models
from tests.end_to_end.command import Workbench
from tests.end_to_end.refusals import GOOD, assert_refused, write_single


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


BROKEN_ARRAYS: dict[str, tuple[Callable[[Path], None], str]] = {
    "names": (lambda path: np.savez(path, other=GOOD), "input x"),
    "one name too many": (lambda path: np.savez(path, x=GOOD, more=GOOD), "no input more"),
    "size": (lambda path: np.savez(path, x=np.zeros((1, 3, 9, 8), np.float32)), "Axis 2"),
    "dtype": (lambda path: np.savez(path, x=GOOD.astype("U1")), "float32"),
    "objects": (lambda path: np.savez(path, x=np.array([{}], dtype=object)), "plain arrays"),
    "not a .npz": (lambda path: _write(path, b"hello"), ".npz"),
    "empty": (lambda path: _write(path, b""), ".npz"),
    "a single array": (write_single, ".npz"),
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
        ("x=0x3x8x8", "would be empty", "bad_input"),
        ("x=999999999x3x8x8", "elements", "bad_input"),
        ("x=1x3x999999999x999999999", "elements", "bad_input"),
        ("x=axb", "not a shape", "usage"),
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


def test_an_allowed_error_that_is_none_is_refused(workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    ended = workbench("convert", model, "-o", "o.mnn", "--max-error", "nan", "--json")
    assert_refused(ended, "nan", where="--max-error", kind="usage")
