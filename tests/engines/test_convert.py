from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.engines.models import FLOAT, convolution, node, random, write, wrong_in_the_middle
from tests.engines.steps import opened
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, Cancelled
from workbench.core.messages import Message
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer
from workbench.engines.convert import ConvertReport, convert
from workbench.formats.onnx.contract import contracts_of


def converted(path: Path, out: Path, workers: Workers, plan: QuantPlan = QuantPlan(), ctx=None, **options):
    model = opened(path, workers).model
    return convert(model, path, plan, out, contracts_of(model), workers, ctx or Quiet(), **options)


def test_a_right_model_becomes_an_artifact_that_can_be_believed(workers: Workers, tmp_path: Path) -> None:
    path, out = convolution(tmp_path / "m.onnx"), tmp_path / "out.mnn"
    report = converted(path, out, workers)
    assert report.ok
    assert report.verdict is Answer.OK
    artifact = report.artifact
    assert artifact is not None
    assert artifact.sha256 == hashlib.sha256(out.read_bytes()).hexdigest()
    assert artifact.source_sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert artifact.bytes == out.stat().st_size
    assert artifact.verification.engine is not None
    assert artifact.argv[0][:2] == ("-f", "ONNX")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["m.onnx", "out.mnn", "out.mnn.witness.npz"]


def test_a_wrong_model_leaves_no_file_unless_it_is_to_be_kept(workers: Workers, tmp_path: Path) -> None:
    path, out = wrong_in_the_middle(tmp_path / "m.onnx"), tmp_path / "out.mnn"
    report = converted(path, out, workers)
    assert (report.ok, report.verdict, report.artifact) == (False, Answer.WRONG, None)
    assert not out.exists()
    kept = converted(path, out, workers, keep=True)
    assert (kept.ok, kept.verdict) == (False, Answer.WRONG)
    assert kept.artifact is not None
    assert out.exists()


def test_a_failed_conversion_leaves_an_older_artifact_as_it_was(workers: Workers, tmp_path: Path) -> None:
    out = tmp_path / "out.mnn"
    out.write_bytes(b"older")
    assert not converted(wrong_in_the_middle(tmp_path / "m.onnx"), out, workers).ok
    assert out.read_bytes() == b"older"


def test_an_unknown_operator_is_told_before_anything_is_run(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("IsNaN", ["x"], ["y"], "nan")],
        [("x", FLOAT, [3])],
        [("y", onnx.TensorProto.BOOL, [3])],
    )
    report = converted(path, tmp_path / "out.mnn", workers)
    assert (report.ok, report.verdict) == (False, Answer.UNSUPPORTED)
    assert "IsNaN" in str(report.reason)
    assert report.argv == ()


def test_a_plan_is_carried_out_and_its_layers_told(workers: Workers, tmp_path: Path) -> None:
    plan = QuantPlan(LayerQuant(8))
    report = converted(convolution(tmp_path / "m.onnx"), tmp_path / "out.mnn", workers, plan)
    assert report.ok
    assert [layer.bits for layer in report.layers_applied] == [8]
    assert report.artifact is not None
    assert report.artifact.plan == plan
    assert report.artifact.verification.price is not None


def test_a_plan_that_costs_too_much_is_a_no(workers: Workers, tmp_path: Path) -> None:
    out = tmp_path / "out.mnn"
    report = converted(convolution(tmp_path / "m.onnx"), out, workers, QuantPlan(LayerQuant(2)), max_error=0.01)
    assert not report.ok
    assert not out.exists()


def external(path: Path) -> Path:
    """A model of 260 KB whose weights lie in a folder of their own beside it."""
    (path.parent / "data").mkdir()
    write(
        path,
        [node("Conv", ["x", "w"], ["y"])],
        [("x", FLOAT, [1, 64, 8, 8])],
        [("y", FLOAT, None)],
        {"w": random(112, 64, 3, 3)},
    )
    onnx.save(onnx.load(path), path, save_as_external_data=True, location="data/w.bin")
    return path


def test_weights_outside_the_model_are_verified_too(workers: Workers, tmp_path: Path) -> None:
    report = converted(external(tmp_path / "m.onnx"), tmp_path / "out.mnn", workers)
    assert report.ok
    figure = report.verification.engine if report.verification else None
    assert figure is not None
    assert figure.right


def test_an_output_that_is_the_model_or_its_weights_is_refused(workers: Workers, tmp_path: Path) -> None:
    path = external(tmp_path / "m.onnx")
    (tmp_path / "link.mnn").symlink_to(path)
    before = path.read_bytes()
    for out in (path, tmp_path / "link.mnn", tmp_path / "data" / "w.bin"):
        with pytest.raises(BadInput, match="overwrite the model"):
            converted(path, out, workers)
    assert path.read_bytes() == before


def test_an_output_in_no_folder_or_that_is_one_is_bad_input(workers: Workers, tmp_path: Path) -> None:
    path = convolution(tmp_path / "m.onnx")
    with pytest.raises(BadInput, match="does not exist"):
        converted(path, tmp_path / "none" / "out.mnn", workers)
    with pytest.raises(BadInput, match="is a folder"):
        converted(path, tmp_path, workers)


def test_an_output_that_cannot_be_written_is_bad_input(workers: Workers, tmp_path: Path) -> None:
    path = convolution(tmp_path / "m.onnx")
    with pytest.raises(BadInput, match="cannot be written"):
        converted(path, Path("/proc/out.mnn"), workers)


def test_an_artifact_replaces_an_older_one_and_its_stray_weights(workers: Workers, tmp_path: Path) -> None:
    out = tmp_path / "out.mnn"
    out.write_bytes(b"older")
    (tmp_path / "out.mnn.weight").write_bytes(b"older")
    assert converted(convolution(tmp_path / "m.onnx"), out, workers).ok
    assert out.read_bytes() != b"older"
    assert not (tmp_path / "out.mnn.weight").exists()


def test_a_name_with_spaces_and_other_letters_is_as_good_as_any(workers: Workers, tmp_path: Path) -> None:
    folder = tmp_path / "模型 папка é"
    folder.mkdir()
    report = converted(convolution(folder / "模型 v1.onnx"), folder / "out 模型.mnn", workers)
    assert report.ok
    assert (folder / "out 模型.mnn").exists()


class CancelsAt(Quiet):
    """Cancels as soon as it is told of the step that begins with ``words``."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._cancelled = threading.Event()

    def progress(self, fraction, text) -> None:
        if str(text).startswith(self._words):
            self._cancelled.set()
        self.check()

    def check(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled


@pytest.mark.parametrize("words", ["Computing", "Converting", "Comparing"])
def test_a_cancelled_conversion_leaves_nothing(workers: Workers, tmp_path: Path, words: str) -> None:
    path = convolution(tmp_path / "m.onnx")
    with pytest.raises(Cancelled):
        converted(path, tmp_path / "out.mnn", workers, ctx=CancelsAt(words))
    assert os.listdir(tmp_path) == ["m.onnx"]


def test_the_users_inputs_decide_too(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [
            node("Greater", ["x", "far"], ["g"]),
            node("Cast", ["g"], ["c"], to=FLOAT),
            node("Mod", ["x", "k"], ["m"], fmod=1),
            node("Mul", ["c", "m"], ["y"]),
        ],
        [("x", FLOAT, [4])],
        [("y", FLOAT, [4])],
        {"far": np.float32(1e6), "k": np.array([-3.0], np.float32)},
    )
    assert converted(path, tmp_path / "out.mnn", workers).ok
    np.savez(tmp_path / "in.npz", x=np.full(4, 1e6 + 4, np.float32))
    report: ConvertReport = converted(path, tmp_path / "other.mnn", workers, given=tmp_path / "in.npz")
    assert not report.ok
    assert "'given'" in str(report.reason)
    assert not (tmp_path / "other.mnn").exists()


@pytest.mark.parametrize("kind", ["fifo", "link", "dangling link"])
def test_what_is_no_ordinary_file_is_not_replaced(kind: str, workers: Workers, tmp_path: Path) -> None:
    out = tmp_path / "out.mnn"
    match kind:
        case "fifo":
            os.mkfifo(out)
        case "link":
            (tmp_path / "mine.txt").write_text("mine")
            out.symlink_to("mine.txt")
        case _:
            out.symlink_to("out.mnn")
    before = out.lstat().st_ino
    with pytest.raises(BadInput, match="no ordinary file"):
        converted(convolution(tmp_path / "m.onnx"), out, workers)
    assert out.lstat().st_ino == before


def test_a_model_that_changes_meanwhile_is_no_artifact(workers: Workers, tmp_path: Path) -> None:
    """Its record would vouch for another model than the one that was verified."""
    path, out = convolution(tmp_path / "m.onnx"), tmp_path / "out.mnn"

    class Changing(Quiet):
        def progress(self, fraction: float | None, text: Message) -> None:
            if "Comparing" in str(text):
                wrong_in_the_middle(path)

    with pytest.raises(BadInput, match="changed while"):
        converted(path, out, workers, ctx=Changing())
    assert not out.exists()
