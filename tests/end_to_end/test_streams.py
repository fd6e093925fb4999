"""Odd surroundings: paths, names, streams that are closed or full, no home, a terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end import models
from tests.end_to_end.command import Workbench
from tests.end_to_end.conftest import workbench_in
from tests.end_to_end.phones import Handset

NAMES = ("with space 模型 🙂", "-x", "new\nline quo'te\"$(id)`%d{x}[b]", "a" * 230)


def piped(workbench: Workbench, line: str) -> subprocess.CompletedProcess[bytes]:
    """``line`` in a shell, where $W is ``workbench``."""
    env = {**workbench.env, "W": f"{sys.executable} -m workbench"}
    return subprocess.run(["bash", "-c", line], env=env, cwd=workbench.cwd, capture_output=True, check=False)


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_odd_paths_are_paths(name: str, workbench: Workbench, phone: Handset, tmp_path: Path) -> None:
    models.good(tmp_path / f"{name}.onnx")
    converted = workbench("convert", "--json", "-o", f"./{name}.mnn", "--", f"{name}.onnx")
    assert converted.code == 0, converted.err
    assert (tmp_path / converted.document["artifact"]).is_file()
    words = ("--device", phone.serial, "--iterations", "1", "--save", f"./{name}.jsonl", "--json")
    ran = workbench("run", *words, "--", f"{name}.mnn")
    assert ran.code == 0, ran.err
    assert (tmp_path / f"{name}.jsonl").is_file()
    missing = workbench("check", "--json", "--", f"{name}.none")
    assert missing.code == 2
    assert missing.error["what"] == "There is no such file"


def test_a_path_that_is_not_utf8_is_told_apart(workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    odd = tmp_path / os.fsdecode(b"\xff.onnx")
    odd.write_bytes(model.read_bytes())
    ended = workbench("check", odd, "--json")
    assert ended.code == 2
    assert "UTF-8" in ended.error["what"]
    out = tmp_path / os.fsdecode(b"\xfe.mnn")
    converted = workbench("convert", model, "-o", out, "--json")
    assert converted.code == 0
    assert converted.document["artifact"] == str(out)
    assert workbench("run", out, "--device", "host", "--iterations", "1", "--json").code == 0


def test_names_from_a_model_do_nothing_to_a_terminal(workbench: Workbench, phone: Handset, tmp_path: Path) -> None:
    model = models.named(tmp_path / "m.onnx", "\x1b]0;title\x07\x1b[31m<b>&[red]\u202e")
    for words in (
        ("check", model),
        ("convert", model, "-o", "m.mnn"),
        ("run", "m.mnn", "--device", phone.serial, "--ops"),
        ("plan", model, "--layer", "\x1b[31m=4"),
    ):
        ended = workbench(*words)
        assert ended.code in (0, 2)
        for text in (ended.out, ended.err):
            assert "\x1b" not in text
            assert "\x07" not in text
            assert "\u202e" not in text
    document = workbench("check", model, "--json").document
    assert document["nodes"][0]["name"].startswith("\x1b]0;title")  # data stays as it was


def test_a_reader_that_leaves_changes_neither_the_answer_nor_stderr(workbench: Workbench, tmp_path: Path) -> None:
    models.good(tmp_path / "good.onnx")
    models.wrong(tmp_path / "wrong.onnx")
    for name, code in (("good", 0), ("wrong", 1), ("missing", 2)):
        done = piped(workbench, f"$W check {name}.onnx --json | true; exit ${{PIPESTATUS[0]}}")
        assert done.returncode == code
        assert b"Traceback" not in done.stderr
        assert done.stderr.count(b"\n") == (code == 2)


def test_closed_and_full_streams_cost_no_traceback(workbench: Workbench, tmp_path: Path) -> None:
    models.good(tmp_path / "good.onnx")
    for line, code, lines in (
        ("$W plan good.onnx >&-", 0, 0),
        ("$W plan good.onnx --json 2>&-", 0, 0),
        ("$W plan none.onnx >&- 2>&-", 2, 0),
        ("$W plan none.onnx --json >/dev/full", 2, 1),
        ("$W plan none.onnx 2>/dev/full", 2, 0),
        ("$W plan good.onnx --json >/dev/full", 2, 1),
        ("$W devices >/dev/full", 2, 1),
    ):
        done = piped(workbench, line)
        assert done.returncode == code, line
        assert done.stderr.count(b"\n") == lines, (line, done.stderr)
        assert b"Traceback" not in done.stderr


def test_json_is_utf8_whatever_the_locale(workbench: Workbench, tmp_path: Path) -> None:
    model = models.named(tmp_path / "m.onnx", "模型")
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    assert workbench("check", model, "--json", **env).document["nodes"][0]["name"] == "模型"
    assert workbench("check", tmp_path / "没有", **env).code == 2


def test_a_home_that_cannot_be_written_stops_nothing(workbench: Workbench, phone: Handset, artifact: Path) -> None:
    homeless = Workbench({**workbench.env, "HOME": "/dev/null/home", "WORKBENCH_HOME": ""}, workbench.cwd)
    ran = homeless("run", artifact, "--device", phone.serial, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert homeless("check", models.good(workbench.cwd / "m.onnx"), "--json").code == 0
    here = homeless("run", artifact, "--device", "host", "--json")
    assert here.code == 3
    assert "/dev/null/home" in here.error["where"]
    examined = homeless("doctor", "--json")
    assert examined.code == 1
    assert any("WORKBENCH_HOME" in (finding["mend"] or "") for finding in examined.document["findings"])


def test_a_log_that_cannot_be_written_costs_its_lines_alone(workbench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "home" / "log" / "workbench.log").mkdir(parents=True)
    ended = workbench("check", models.good(tmp_path / "m.onnx"), "--json")
    assert (ended.code, ended.err) == (0, "")


@pytest.fixture(scope="module")
def full_disk(tmp_path_factory) -> Path:
    """A library that makes a folder's disk full."""
    made = tmp_path_factory.mktemp("full") / "full_disk.so"
    source = Path(__file__).with_name("full_disk.cc")
    subprocess.run(["g++", "-Wall", "-shared", "-fPIC", str(source), "-o", str(made), "-ldl"], check=True)
    return made


def test_a_full_disk_under_the_output_leaves_nothing(workbench: Workbench, full_disk: Path, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    out = tmp_path / "out"
    out.mkdir()
    ended = workbench("convert", model, "-o", out / "m.mnn", "--json", LD_PRELOAD=full_disk, FULL_FOLDER=out)
    assert ended.code == 2
    assert "No space left" in ended.error["what"]
    assert ended.error["where"].startswith(str(out / "m.mnn"))
    assert ended.error["hint"]
    assert list(out.iterdir()) == []
    assert list((tmp_path / "tmp").iterdir()) == []
    assert workbench("plan", model, "-o", out / "p.json", LD_PRELOAD=full_disk, FULL_FOLDER=out).code == 2
    assert list(out.iterdir()) == []


def test_a_full_temporary_disk_is_no_verdict_on_the_model(
    workbench: Workbench, full_disk: Path, tmp_path: Path
) -> None:
    model = models.good(tmp_path / "m.onnx")
    scratch = tmp_path / "tmp"
    for command in (("check", model), ("convert", model, "-o", "m.mnn")):
        folders = scratch / "workbench-scratch-"
        ended = workbench(*command, "--json", LD_PRELOAD=full_disk, FULL_FOLDER=folders)
        assert ended.code == 2
        assert "room" in ended.error["what"]
        assert list(scratch.iterdir()) == []
    assert list(tmp_path.glob("m.mnn*")) == []


def test_a_full_disk_under_the_events_leaves_nothing(
    workbench: Workbench, full_disk: Path, phone: Handset, artifact: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    words = ("--device", phone.serial, "--save", out / "run.jsonl", "--json")
    ended = workbench("run", artifact, *words, LD_PRELOAD=full_disk, FULL_FOLDER=out)
    assert ended.code == 2
    assert "No space left" in ended.error["what"]
    assert list(out.iterdir()) == []
    phone.assert_at_rest()


def test_a_terminal_sees_how_far_and_how_fast_a_run_is(adb, phone: Handset, artifact: Path, tmp_path: Path) -> None:
    workbench = workbench_in(adb, tmp_path)
    assert workbench("clean", "--device", phone.serial).code == 0
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "run", str(artifact), "--device", phone.serial, "--json"],
        env=workbench.env,
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=tmp_path,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 4096)
        except OSError:  # EIO: the terminal's last program ended
            break
    os.close(ours)
    assert process.stdout is not None
    document = json.loads(process.stdout.read())
    process.stdout.close()
    assert process.wait() == 0
    assert b"MB/s" in shown
    assert b"Pushing" in shown
    assert b"Run 50: " in shown
    assert shown.endswith(b"\r\x1b[K")
    assert document["actual"]["pushed_bytes"] > 20_000_000
