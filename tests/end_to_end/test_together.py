"""Work side by side and one after another; what is on the phone already, and what comes live."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from tests.adb_server import PrivateAdb, in_environment
from tests.end_to_end import models
from tests.end_to_end.command import Workbench
from tests.end_to_end.phones import Handset
from workbench.app import samples
from workbench.app.running import run
from workbench.children.workers import Workers
from workbench.core.messages import Message
from workbench.core.plan import QuantPlan
from workbench.core.protocol import Hello, Sample
from workbench.core.run import RunConfig
from workbench.core.steps import Quiet
from workbench.devices.adb import FOLDER
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted
from workbench.formats.onnx.importer import open_onnx


def test_two_conversions_at_once_do_not_meet(workbench: Workbench, tmp_path: Path) -> None:
    first = workbench.start("convert", models.good(tmp_path / "a.onnx"), "-o", "a.mnn", "--json")
    second = workbench.start("convert", models.open_axes(tmp_path / "b.onnx"), "-o", "b.mnn", "--json")
    ended = first.end(), second.end()
    assert [one.code for one in ended] == [0, 0]
    assert (tmp_path / "a.mnn").read_bytes() != (tmp_path / "b.mnn").read_bytes()
    assert {file.name for file in tmp_path.glob(".*")} == set()
    assert list((tmp_path / "tmp").iterdir()) == []


def test_two_conversions_to_one_file_leave_one_whole_artifact(workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "a.onnx")
    commands = [workbench.start("convert", model, "-o", "m.mnn", "--json") for _ in range(2)]
    assert [command.end().code for command in commands] == [0, 0]
    assert workbench("run", "m.mnn", "--device", "host", "--iterations", "1").code == 0


def test_runs_after_one_another_push_once_and_mend_what_was_cut(
    workbench: Workbench, phone: Handset, artifact: Path
) -> None:
    assert workbench("clean", "--device", phone.serial).code == 0
    pushed = [_pushed(workbench, phone, artifact) for _ in range(4)]
    assert pushed[0] > artifact.stat().st_size > 0
    assert pushed[1:] == [0, 0, 0]
    before = phone.entries()
    phone.shell(f"truncate -s 100 {FOLDER}/*/model.mnn")
    assert _pushed(workbench, phone, artifact) == artifact.stat().st_size
    phone.shell(f"rm {FOLDER}/*/agent")
    assert _pushed(workbench, phone, artifact) > 20_000_000
    phone.shell(f"rm {FOLDER}/*/complete")
    assert _pushed(workbench, phone, artifact) == pushed[0]
    assert phone.entries() == before


def _pushed(workbench: Workbench, phone: Handset, artifact: Path) -> int:
    ended = workbench("run", artifact, "--device", phone.serial, "--iterations", "2", "--json")
    assert ended.code == 0
    assert ended.document["outputs"]["right"] is True
    count: int = ended.document["actual"]["pushed_bytes"]
    return count


def test_weights_beside_the_model_go_to_the_phone_with_it(
    workbench: Workbench, phone: Handset, artifact: Path, tmp_path: Path
) -> None:
    """The converter writes them so for models above 2 GB, or when told."""
    source, folder, own = samples.digits().model, tmp_path / "converted", tmp_path / artifact.name
    folder.mkdir()
    with Workers() as workers:
        model = open_onnx(source, workers, Quiet())
        made = convert_model(model, source, QuantPlan(), folder, workers, Quiet(), extra=("--saveExternalData",))
    assert isinstance(made, Converted)
    assert made.weights is not None
    for file, name in ((made.path, own.name), (made.weights, f"{own.name}.weight")):
        shutil.copy(file, tmp_path / name)
    shutil.copy(f"{artifact}.witness.npz", f"{own}.witness.npz")
    record = json.loads(Path(f"{artifact}.json").read_text())
    record["sha256"] = _sha256(own)
    record["files"] = {f"{own.name}.weight": _sha256(Path(f"{own}.weight"))}
    Path(f"{own}.json").write_text(json.dumps(record))
    ended = workbench("run", own, "--device", phone.serial, "--iterations", "2", "--json")
    assert ended.code == 0, ended.err
    assert ended.document["outputs"]["right"] is True


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


class Watching(Quiet):
    """Looks at the phone whenever something comes."""

    def __init__(self, phone: Handset) -> None:
        self._phone = phone
        self.rows: list[Any] = []
        self.batches = 0
        self.first_sample_was_live = False
        self.progress_texts: list[str] = []

    def progress(self, fraction: float | None, text: Message) -> None:
        self.progress_texts.append(text.template)
        assert fraction is None or 0 <= fraction <= 1

    def samples(self, rows: tuple[Any, ...]) -> None:
        is_first = any(isinstance(row, Sample) for row in rows) and not any(
            isinstance(row, Sample) for row in self.rows
        )
        if is_first:
            self.first_sample_was_live = bool(self._phone.agents())
        self.rows += rows
        self.batches += 1


def test_samples_come_while_the_agent_runs(adb: PrivateAdb, phone: Handset, artifact: Path) -> None:
    ctx = Watching(phone)
    with in_environment(adb), Workers() as workers:
        summary = run(artifact, phone.serial, RunConfig(seconds=1.0), None, None, workers, ctx)
    assert ctx.first_sample_was_live
    assert isinstance(ctx.rows[0], Hello)
    assert ctx.batches > 5
    steady = [row for row in ctx.rows if isinstance(row, Sample) and row.phase == "steady"]
    assert summary.latency_ms is not None
    assert len(steady) == summary.latency_ms.n > 10
    assert [row.i for row in steady] == list(range(len(steady)))
    assert "Run {number}: {ms} ms" in ctx.progress_texts
