"""A system that refuses: no folder, no files, no room. One line with a way out, never a fault of Workbench."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.app.samples import digits
from workbench.app.trouble import as_told
from workbench.core.errors import ErrorKind, ExitCode

MODEL = str(digits().model)


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """``line`` in bash, where $W is the program and $M the sample."""
    surroundings = {**os.environ, "WORKBENCH_HOME": str(folder / "home"), "WORKBENCH_LANGUAGE": "en"}
    surroundings |= {"W": f"{sys.executable} -m workbench", "M": MODEL, "D": str(folder)}
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, env=surroundings, cwd=folder, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('mkdir "$D/x" && cd "$D/x" && rmdir "$D/x" && exec $W convert "$M" -o y.mnn --json', "is gone"),
        ('ulimit -n 12; exec $W check "$M" --json', "open files"),
        ('ulimit -n 8; exec $W plan "$M" --json', "open files"),
        ('ulimit -f 100; exec $W convert "$M" -o "$D/y.mnn" --json', "room"),
    ],
)
def test_what_the_system_refuses_is_one_line_with_a_way_out(line: str, told: str, tmp_path: Path) -> None:
    ended = shell(line, tmp_path)
    assert ended.returncode == 2, (ended.stdout, ended.stderr)
    error = json.loads(ended.stdout)["error"]
    assert error["kind"] == "bad_input"
    assert told in f"{error['what']} {error['hint']}"
    assert error["hint"]
    assert "fault" not in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert not (tmp_path / "y.mnn").exists()


@pytest.mark.parametrize(
    "line",
    [
        'mkdir "$D/x" && cd "$D/x" && rmdir "$D/x" && exec $W plan "$M" --json',
        'TMPDIR=/nonexistent exec $W plan "$M" --json',
        'HOME=/nonexistent WORKBENCH_HOME= exec $W plan "$M" --json',
        'LC_ALL=C PYTHONUTF8=0 exec $W plan "$M" --json',
        'env -u HOME -u LANG -u TMPDIR -u PATH -u WORKBENCH_HOME $W plan "$M" --json',
    ],
)
def test_surroundings_that_a_plan_does_not_need_stop_nothing(line: str, tmp_path: Path) -> None:
    ended = shell(line, tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["schema"] == "workbench.plan/1"


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC, errno.EFBIG])
def test_a_refusal_at_any_place_is_told_apart_from_a_fault(number: int) -> None:
    told = as_told(OSError(number, os.strerror(number), "some/file"))
    assert told.kind is ErrorKind.BAD_INPUT
    assert told.where == "some/file"
    assert "ulimit" in str(told.hint)


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't start new thread")])
def test_no_memory_and_no_threads_are_refusals(error: Exception) -> None:
    assert as_told(error).kind is ErrorKind.BAD_INPUT


@pytest.mark.parametrize(
    "error", [ZeroDivisionError(), FileNotFoundError(2, "x"), PermissionError(13, "x"), KeyError("x")]
)
def test_everything_else_is_a_fault_with_its_place(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        raise error
    told = as_told(caught.value)
    assert (told.kind, told.exit_code) == (ErrorKind.INTERNAL, ExitCode.NO)
    assert told.where.startswith("test_surroundings.py:")
