"""Every command's document and exit codes, as they are promised."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adb_server import PrivateAdb, in_environment, private_adb
from tests.end_to_end import models
from tests.end_to_end.command import Workbench
from tests.end_to_end.conftest import workbench_in
from tests.end_to_end.phones import Handset
from workbench.devices.listing import list_devices

FIGURE = {"max_rel_error", "cosine", "inputs", "sizes"}


def test_check_of_a_good_model(workbench: Workbench, tmp_path: Path) -> None:
    ended = workbench("check", models.good(tmp_path / "m.onnx"), "--json")
    assert (ended.code, ended.err) == (0, "")
    document = ended.document
    assert document["verdict"] == "ok"
    assert document["shapes"] == {"x": [1, 3, 8, 8]}
    assert [node["op"] for node in document["nodes"]] == ["Conv", "Relu"]
    for node in document["nodes"]:
        assert set(node) == {"id", "name", "op", "status", "reason", "evidence", "fix"}
    assert document["first_diverging_node"] is None
    assert document["engine"] == {"name": "MNN", "version": "3.6.1"}
    assert list(tmp_path.glob("m.*")) == [tmp_path / "m.onnx"]


def test_check_of_a_model_with_a_remedy_is_a_no_with_node_reason_and_fix(workbench: Workbench, tmp_path: Path) -> None:
    assert "convert it with --rewrite" in workbench("check", models.wrong(tmp_path / "m.onnx")).out
    ended = workbench("check", tmp_path / "m.onnx", "--json")
    assert (ended.code, ended.err) == (1, "")
    assert ended.document["verdict"] == "rewritable"
    (node,) = (node for node in ended.document["nodes"] if node["status"] == "unsupported")
    assert (node["id"], node["op"]) == ("n", "IsNaN")
    assert "IsNaN" in node["reason"]
    assert "IsNaN" in node["fix"]


def test_convert_rewrites_what_is_not_right_where_it_is_asked_to(workbench: Workbench, tmp_path: Path) -> None:
    model = models.wrong(tmp_path / "m.onnx")
    refused = workbench("convert", model, "-o", "out.mnn", "--json")
    assert (refused.code, refused.document["rewrites"]) == (1, [])
    assert not (tmp_path / "out.mnn").exists()
    ended = workbench("convert", model, "-o", "out.mnn", "--rewrite", "--json")
    assert (ended.code, ended.err) == (0, "")
    (rewrite,) = (told for told in ended.document["rewrites"] if told["rule"] != "graph/opset")
    assert set(rewrite) == {"rule", "node", "title", "exact", "effect"}
    assert (rewrite["rule"], rewrite["node"], rewrite["exact"]) == ("compare/is-nan", "n", True)
    record = json.loads((tmp_path / "out.mnn.json").read_text(encoding="utf-8"))
    assert [kept["rule"] for kept in record["rewrites"]] == ["graph/opset", "compare/is-nan"]


def test_a_check_that_runs_nothing_says_yes_to_nothing(workbench: Workbench, tmp_path: Path) -> None:
    ended = workbench("check", models.good(tmp_path / "m.onnx"), "--static", "--json")
    assert ended.code == 1
    assert ended.document["verdict"] == "unverified"


def test_convert_writes_the_artifact_with_its_record_and_says_what_was_verified(
    workbench: Workbench, tmp_path: Path
) -> None:
    ended = workbench("convert", models.good(tmp_path / "m.onnx"), "-o", "out.mnn", "--json")
    assert (ended.code, ended.err) == (0, "")
    document = ended.document
    assert document["ok"] is True
    assert document["artifact"] == "out.mnn"
    assert document["bytes"] == (tmp_path / "out.mnn").stat().st_size
    assert set(document["verification"]) >= {"engine", "price", "first_diverging_node"}
    assert set(document["verification"]["engine"]) >= FIGURE
    assert document["verification"]["price"] is None
    assert document["argv"][0][:2] == ["-f", "ONNX"]
    assert {"conditions", "layers_applied", "rewrites"} <= set(document)
    assert sorted(file.name for file in tmp_path.glob("out*")) == ["out.mnn", "out.mnn.json", "out.mnn.witness.npz"]


def test_convert_by_a_plan_tells_both_figures_and_the_layers(workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    planned = workbench("plan", model, "--bits", "8", "-o", "p.json", "--json")
    assert planned.code == 0
    assert planned.document["default"] == {"bits": 8, "symmetric": False, "block": 0}
    assert planned.document["forecast"]["bytes"] > 0
    ended = workbench("convert", model, "-o", "out.mnn", "--plan", "p.json", "--json")
    assert ended.code == 0
    verification = ended.document["verification"]
    assert set(verification["engine"]) >= FIGURE
    assert 0 < verification["price"]["relative_l2"] < 0.2
    assert [layer["bits"] for layer in ended.document["layers_applied"]] == [8]


def test_a_plan_that_costs_too_much_is_a_no(workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    (tmp_path / "p.json").write_text('{"schema": "workbench.plan/1", "default": {"bits": 2}}')
    words = ("convert", model, "-o", "out.mnn", "--plan", "p.json", "--max-error", "0.0001", "--json")
    ended = workbench(*words)
    assert ended.code == 1
    assert ended.document["artifact"] is None
    assert "costs" in ended.document["reason"]
    assert list(tmp_path.glob("out*")) == []
    kept = workbench(*words, "--keep")
    assert kept.code == 1
    assert kept.document["ok"] is False
    assert (tmp_path / "out.mnn").is_file()


def test_a_no_keeps_an_older_artifact_as_it_was(workbench: Workbench, tmp_path: Path) -> None:
    assert workbench("convert", models.good(tmp_path / "m.onnx"), "-o", "out.mnn").code == 0
    before = {file.name: file.read_bytes() for file in tmp_path.glob("out*")}
    assert workbench("convert", models.wrong(tmp_path / "w.onnx"), "-o", "out.mnn").code == 1
    assert {file.name: file.read_bytes() for file in tmp_path.glob("out*")} == before


def test_devices_names_this_computer_first_then_the_phone(workbench: Workbench, phone: Handset) -> None:
    ended = workbench("devices", "--json")
    assert ended.code == 0
    assert all(set(device) == {"serial", "model", "abi", "state", "hint"} for device in ended.document)
    serials = [device["serial"] for device in ended.document]
    assert serials[0] == "host"
    assert phone.serial in serials
    assert ended.document[serials.index(phone.serial)]["state"] == "device"


def test_run_measures_and_compares(workbench: Workbench, phone: Handset, artifact: Path) -> None:
    ended = workbench("run", artifact, "--device", phone.serial, "--json")
    assert (ended.code, ended.err) == (0, "")
    document = ended.document
    keys = ("load_ms", "first_ms", "latency_ms", "memory", "temperature", "ops", "outputs", "requested", "actual")
    assert set(document) >= {"schema", *keys, "dropped", "warnings"}
    assert set(document["latency_ms"]) == {"p50", "p90", "p99", "mean", "stdev", "ci95", "n"}
    assert document["latency_ms"]["n"] == 50
    assert set(document["memory"]) == {"baseline_kb", "peak_kb"}
    assert document["outputs"]["right"] is True
    assert document["requested"]["device"] == phone.serial
    assert document["actual"]["inputs"] == "image=1x1x8x8"


def test_run_on_this_computer_needs_no_adb(artifact: Path, workbench: Workbench) -> None:
    ended = workbench("run", artifact, "--device", "host", "--json", ANDROID_ADB_SERVER_PORT="1")
    assert ended.code == 0
    assert ended.document["requested"]["device"] == "host"
    assert ended.document["outputs"]["right"] is True


def test_clean_removes_everything_from_the_phone(workbench: Workbench, phone: Handset, artifact: Path) -> None:
    assert workbench("run", artifact, "--device", phone.serial, "--iterations", "1").code == 0
    assert phone.entries()
    ended = workbench("clean", "--device", phone.serial, "--json")
    assert (ended.code, ended.err) == (0, "")
    assert (ended.document["serial"], ended.document["folder"]) == (phone.serial, "/data/local/tmp/workbench")
    assert phone.shell("ls /data/local/tmp") == ""


def test_simulate_says_its_serial_lives_and_ends_when_told(workbench: Workbench, adb: PrivateAdb) -> None:
    command = workbench.start("simulate", "--json")
    assert command.process.stdout is not None
    told = json.loads(command.process.stdout.readline())
    with in_environment(adb):
        assert told["serial"] in [device.serial for device in list_devices()]
    command.tell(signal.SIGTERM)
    ended = command.end()
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    with in_environment(adb):
        assert told["serial"] not in [device.serial for device in list_devices()]


def test_doctor_finds_everything_here(workbench: Workbench) -> None:
    ended = workbench("doctor", "--json")
    assert ended.code == 0, ended.out
    assert ended.document["ok"] is True
    assert {"mnn", "onnxruntime", "adb", "Qt"} <= {finding["name"] for finding in ended.document["findings"]}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("check",), "MODEL"),
        (("check", "m.onnx", "--frobnicate"), "--frobnicate"),
        (("run", "x.mnn", "--precision", "huge"), "huge"),
        (("simulate", "--port", "5555"), "5555"),
        (("simulate", "--fault", "coffee=1"), "coffee"),
    ],
)
def test_a_usage_error_is_a_document_and_a_line(workbench: Workbench, words: tuple[str, ...], told: str) -> None:
    ended = workbench(*words, "--json")
    assert ended.code == 2
    assert ended.error["kind"] == "usage"
    assert told in ended.err


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Iterator[Workbench]:
    """The command line beside an adb server without phones."""
    folder = tmp_path_factory.mktemp("bare")
    with private_adb(folder) as adb:
        yield workbench_in(adb, tmp_path_factory.mktemp("cwd"))


def test_no_device_is_device_trouble_with_a_way_out(bare: Workbench, artifact: Path) -> None:
    ended = bare("run", artifact, "--json")
    assert ended.code == 3
    assert ended.error["kind"] == "device"
    assert "--device host" in ended.error["hint"]
    other = bare("run", artifact, "--device", "nope", "--json")
    assert (other.code, other.error["where"]) == (3, "nope")


def test_a_person_reads_sentences(workbench: Workbench, phone: Handset, artifact: Path) -> None:
    ended = workbench("run", artifact, "--device", phone.serial)
    assert ended.code == 0
    assert "Outputs right" in ended.out
    assert "Inputs image=1x1x8x8" in ended.out
    listed = workbench("devices")
    assert phone.serial in listed.out
    assert "Simulated" in listed.out or "device" in listed.out


def test_demo_does_the_main_job_and_leaves_report_pictures_and_project(workbench: Workbench, tmp_path: Path) -> None:
    ended = workbench("demo", "-o", "my demo", "--json")
    assert (ended.code, ended.err) == (0, "")
    document = ended.document
    for file in (document["report"], *document["pictures"], f"{document['project']}/project.json"):
        assert Path(file).is_relative_to(tmp_path / "my demo")
        assert Path(file).stat().st_size > 1000
    assert len(document["pictures"]) > 5
    before, *after = (entry["percent"] for entry in document["accuracies"])
    assert before > 98
    assert len(after) == 2
    assert all(percent > before - 2 for percent in after)
    assert [run["summary"]["outputs"]["right"] for run in document["runs"]] == [True, True]
    assert all(run["device"].startswith("127.0.0.1:") for run in document["runs"])
    assert list((tmp_path / "tmp").iterdir()) == []
