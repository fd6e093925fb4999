"""What every link does the same: this computer's, and a phone's over the real adb."""

from __future__ import annotations

import hashlib
import os
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.adb_server import PrivateAdb, simulated_phone
from tests.devices.recording import Recording
from workbench.core.errors import BadInput, Cancelled, DeviceError, InternalError
from workbench.core.steps import Quiet
from workbench.devices.host import HostLink
from workbench.devices.link import Link, Program
from workbench.devices.listing import open_link


@pytest.fixture(scope="module", params=["host", "adb"])
def link(request, tmp_path_factory) -> Iterator[Link]:
    if request.param == "host":
        yield HostLink(tmp_path_factory.mktemp("host") / "device")
        return
    adb: PrivateAdb = request.getfixturevalue("adb")
    with simulated_phone(adb) as phone:
        yield open_link(phone.serial)


@pytest.fixture
def folder(link: Link) -> Iterator[str]:
    folder = f"{link.folder}/test folder"
    link.make_folder(folder)
    yield folder
    link.remove(folder)


def test_the_device_is_ready_and_tells_its_abi(link: Link) -> None:
    device = link.device()
    assert device.is_ready
    assert device.serial == link.serial
    assert device.abi == os.uname().machine.replace("aarch64", "arm64-v8a")


def test_shell_gives_both_outputs_and_the_exit_code(link: Link) -> None:
    result = link.shell("echo out; echo err >&2; exit 3")
    assert (result.stdout, result.stderr, result.code) == ("out\n", "err\n", 3)


def test_a_command_that_ends_in_a_comment_still_tells_its_exit_code(link: Link) -> None:
    assert link.shell("exit 5 #").code == 5


def test_a_shell_command_that_does_not_end_is_an_error(link: Link) -> None:
    with pytest.raises(DeviceError):
        link.shell("exec sleep 60", timeout_s=0.2)


def test_a_file_comes_back_as_it_went(link: Link, folder: str, tmp_path: Path) -> None:
    local = tmp_path / "it's a model.bin"
    local.write_bytes(os.urandom(3_000_001))
    remote = f"{folder}/new/it's a model.bin"
    seen = Recording()
    link.push(local, remote, mode=0o750, ctx=seen)
    assert seen.fractions == sorted(seen.fractions)
    assert (len(seen.fractions) > 2, seen.fractions[-1]) == (True, 1.0)
    assert seen.stoppers == []
    found = link.stat(remote)
    assert found is not None
    assert (found.size, found.mode & 0o777) == (3_000_001, 0o750)
    assert link.sha256(remote) == hashlib.sha256(local.read_bytes()).hexdigest()
    link.pull(remote, tmp_path / "back", ctx=Quiet())
    assert (tmp_path / "back").read_bytes() == local.read_bytes()


def test_an_empty_file_can_be_pushed_over_another(link: Link, folder: str, tmp_path: Path) -> None:
    (tmp_path / "full").write_bytes(b"x" * 100)
    (tmp_path / "empty").touch()
    link.push(tmp_path / "full", f"{folder}/file", ctx=Quiet())
    link.push(tmp_path / "empty", f"{folder}/file", ctx=Quiet())
    found = link.stat(f"{folder}/file")
    assert found is not None
    assert found.size == 0


def test_what_is_missing_on_the_device_has_no_stat_and_no_hash(link: Link, folder: str, tmp_path: Path) -> None:
    assert link.stat(f"{folder}/none") is None
    assert link.sha256(f"{folder}/none") is None
    with pytest.raises(DeviceError, match="no such file"):
        link.pull(f"{folder}/none", tmp_path / "back", ctx=Quiet())
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_here_is_bad_input(link: Link, folder: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        link.push(tmp_path / "none", f"{folder}/file", ctx=Quiet())
    assert caught.value.where == str(tmp_path / "none")


def test_a_place_here_that_cannot_be_written_is_bad_input(link: Link, folder: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    link.push(tmp_path / "file", f"{folder}/file", ctx=Quiet())
    with pytest.raises(BadInput):
        link.pull(f"{folder}/file", tmp_path / "no" / "folder", ctx=Quiet())


def test_a_cancelled_push_says_cancelled_and_the_link_goes_on(link: Link, folder: str, tmp_path: Path) -> None:
    local = tmp_path / "big"
    local.write_bytes(bytes(8 << 20))
    with pytest.raises(Cancelled):
        link.push(local, f"{folder}/big", ctx=Recording(cancel_at=0.3))
    assert link.shell("echo on").stdout == "on\n"


def test_remove_takes_folders_and_what_is_missing_but_nothing_elsewhere(link: Link, folder: str) -> None:
    link.make_folder(f"{folder}/a/b")
    link.remove(f"{folder}/a")
    link.remove(f"{folder}/a")
    assert link.stat(f"{folder}/a") is None
    for outside in ("/data/local/tmp", f"{link.folder}/../else", "/"):
        with pytest.raises(InternalError):
            link.remove(outside)


def test_free_space_is_known(link: Link) -> None:
    free = link.free_bytes()
    assert free is not None
    assert free > 1 << 20


def test_a_program_talks_both_ways_line_by_line(link: Link) -> None:
    running = link.start(Program(("sh", "-c", "echo ready; while read x; do echo got $x; done; echo end >&2; exit 4")))
    lines = running.lines()
    assert next(lines) == b"ready"
    running.write(b"one\n")
    assert next(lines) == b"got one"
    running.write(b"two\n")
    running.close_input()
    assert list(lines) == [b"got two"]
    assert running.wait() == 4
    assert running.errors == "end\n"


def test_a_program_gets_its_words_folder_and_variables_as_they_are(link: Link, folder: str) -> None:
    script = 'pwd; printf "%s\\n" "$@"; echo "$A"; echo "${HOME-unset}"'
    words = ("two words", "it's", "$HOME", "")
    program = Program(("sh", "-c", script, "sh", *words), cwd=folder, env={"A": "b c'd", "HOME": None})
    running = link.start(program)
    pwd, *rest = [line.decode() for line in running.lines()]
    assert pwd.endswith("/test folder")
    assert rest == [*words, "b c'd", "unset"]


def test_a_program_ended_by_a_signal_tells_which(link: Link) -> None:
    assert link.start(Program(("sh", "-c", "kill -SEGV $$"))).wait() == 128 + 11


def test_kill_ends_the_program_from_another_thread(link: Link) -> None:
    running = link.start(Program(("sh", "-c", "echo $$; exec sleep 600")))
    lines = running.lines()
    process = psutil.Process(int(next(lines)))
    threading.Timer(0.0, running.kill).start()
    assert list(lines) == []
    assert running.wait() is None
    running.kill()
    assert psutil.wait_procs([process], timeout=30)[1] == []


def test_a_flood_of_output_arrives_whole(link: Link) -> None:
    running = link.start(Program(("sh", "-c", "seq 200000; seq 200000 >&2")))
    count = last = 0
    for line in running.lines():
        count += 1
        last = int(line)
    assert (count, last) == (200_000, 200_000)
    assert running.wait() == 0
    assert running.errors.endswith("\n200000\n")
    assert len(running.errors) <= 1 << 16


def test_quoting_keeps_a_hostile_name_a_name(link: Link, folder: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    hostile = f"{folder}/$(touch pwned);`id`&"
    link.push(tmp_path / "x", hostile, ctx=Quiet())
    assert link.sha256(hostile) == hashlib.sha256(b"x").hexdigest()
    assert link.shell(f"cat {shlex.quote(hostile)}").stdout == "x"
