"""The stock adb command takes the simulated phone for a phone, in two versions of adb."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import psutil
import pytest

from tests.adb_server import PrivateAdb, simulated_phone, wait_for_state
from tests.devices.stock import Adb
from tests.waiting import wait_until

TMP = "/data/local/tmp"


# Connection.


def test_connect_names_the_phone(a: Adb) -> None:
    a.adb.run("disconnect", a.serial)
    assert a.adb.run("connect", a.serial).stdout.decode().strip() == f"connected to {a.serial}"
    assert a.out("get-state") == "device"
    assert a.run("wait-for-device").returncode == 0


def test_disconnect_takes_the_phone_off_the_list(either_adb: PrivateAdb) -> None:
    with simulated_phone(either_adb) as other:
        either_adb.run("disconnect", other.serial)
        assert other.serial not in either_adb.run("devices").stdout.decode()


def test_an_unknown_service_is_refused(a: Adb) -> None:
    told = a.run("jdwp")
    assert "closed" in (told.stdout + told.stderr).decode()


# Shell.


def test_shell_prints(a: Adb) -> None:
    assert a.out("shell", "echo", "hi") == "hi"


def test_shell_passes_the_exit_code(a: Adb) -> None:
    assert a.run("shell", "exit", "7").returncode == 7


def test_a_signal_is_told_as_128_more(a: Adb) -> None:
    assert a.run("shell", "kill -KILL $$").returncode == 128 + 9


def test_shell_keeps_stdout_and_stderr_apart(a: Adb) -> None:
    told = a.run("shell", "echo out; echo err >&2")
    assert (told.stdout, told.stderr) == (b"out\n", b"err\n")


def test_shell_version_1_merges_and_hides_the_exit_code(a: Adb) -> None:
    told = a.run("shell", "-x", "echo out; echo err >&2; exit 3")
    assert (told.stdout, told.returncode) == (b"out\nerr\n", 0)


def test_shell_reads_stdin_to_its_end(a: Adb) -> None:
    assert a.run("shell", "cat; echo end", stdin=b"a\nb\n").stdout == b"a\nb\nend\n"


def test_shell_on_a_terminal_has_one(a: Adb) -> None:
    assert a.out("shell", "-tt", "tty").startswith("/dev/pts/")


def test_exec_out_is_binary(a: Adb) -> None:
    assert a.run("exec-out", r"printf '\r\n\0x'").stdout == b"\r\n\0x"


def test_exec_out_of_a_missing_file_says_so(a: Adb) -> None:
    assert a.out("exec-out", f"cat {TMP}/none").endswith(f"{TMP}/none: No such file or directory")


def test_output_streams_while_the_program_runs(a: Adb) -> None:
    with a.start("shell", "echo first; read answer; echo $answer") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stdout.readline() == b"first\n"
        running.stdin.write(b"second\n")
        running.stdin.flush()
        assert running.stdout.readline() == b"second\n"


def test_eight_shells_at_once(a: Adb) -> None:
    shells = [a.start("shell", f"read go; echo {number}") for number in range(8)]
    told = [shell.communicate(b"go\n", timeout=30)[0] for shell in reversed(shells)]
    assert told == [b"%d\n" % number for number in reversed(range(8))]
    assert [shell.returncode for shell in shells] == [0] * 8


def test_the_end_of_the_client_ends_the_remote_program(a: Adb) -> None:
    client = a.start("shell", "echo $$; exec sleep 777")
    assert client.stdout is not None
    remote = psutil.Process(int(client.stdout.readline()))
    assert remote.is_running()
    client.kill()
    client.communicate()
    assert psutil.wait_procs([remote], timeout=30)[1] == []


def test_sighup_reaches_the_shell_alone(a: Adb) -> None:
    client = a.start("shell", "trap '' PIPE; sleep 778 & echo $$ $!; wait")
    assert client.stdout is not None
    shell, child = (psutil.Process(int(pid)) for pid in client.stdout.readline().split())
    client.kill()
    client.communicate()
    assert psutil.wait_procs([shell], timeout=30)[1] == []
    assert child.is_running()
    child.kill()


# What a phone tells of itself.


def test_getprop_tells_the_abi(a: Adb) -> None:
    assert a.out("shell", "getprop ro.product.cpu.abi") == os.uname().machine.replace("aarch64", "arm64-v8a")
    assert a.out("shell", "getprop no.such.property fallback") == "fallback"
    assert "[ro.product.model]: [Simulated phone]" in a.out("shell", "getprop")


def test_thermal_zones_read_as_on_a_phone(a: Adb) -> None:
    assert 10_000 < int(a.out("shell", "cat /sys/class/thermal/thermal_zone0/temp")) < 99_999
    assert a.out("shell", "cat /sys/class/thermal/thermal_zone0/type") == "cpu-0-0"


def test_dumpsys_battery_has_one_level(a: Adb) -> None:
    assert a.out("shell", "dumpsys battery").count("level:") == 1


# Files.


def test_fifty_megabytes_go_there_and_back_unchanged(a: Adb, tmp_path: Path) -> None:
    big = tmp_path / "big"
    big.write_bytes(os.urandom(1 << 20) * 50)
    expected = hashlib.sha256(big.read_bytes()).hexdigest()
    assert a.run("push", str(big), f"{TMP}/d/e/big").returncode == 0
    assert a.out("shell", f"sha256sum {TMP}/d/e/big").split()[0] == expected
    assert a.run("pull", f"{TMP}/d/e/big", str(tmp_path / "back")).returncode == 0
    assert hashlib.sha256((tmp_path / "back").read_bytes()).hexdigest() == expected
    assert hashlib.sha256(a.run("exec-out", f"cat {TMP}/d/e/big").stdout).hexdigest() == expected


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "sub" / "empty").mkdir(parents=True)
    (folder / "a").write_text("x\n")
    (folder / "sub" / "b").write_text("y\n")
    (folder / "sub" / "b").chmod(0o755)
    (folder / "l").symlink_to("a")
    return folder


def test_a_pushed_tree_keeps_modes_and_links(a: Adb, tree: Path) -> None:
    a.run("shell", f"rm -rf {TMP}/tree")
    assert a.run("push", str(tree), f"{TMP}/").returncode == 0
    found = set(a.out("shell", f"cd {TMP}/tree && find .").split())
    assert found - {"./sub/empty"} == {".", "./a", "./l", "./sub", "./sub/b"}
    assert a.out("shell", f"stat -c %a {TMP}/tree/sub/b") == "755"
    assert a.out("shell", f"readlink {TMP}/tree/l") == "a"
    assert set(a.out("ls", f"{TMP}/tree").split()[3::4]) >= {".", "..", "a", "l", "sub"}


def test_push_sync_skips_what_is_there(a: Adb, tree: Path) -> None:
    for file in (tree / "a", tree / "sub" / "b", tree / "l"):
        os.utime(file, (1_600_000_000, 1_600_000_000), follow_symlinks=False)
    a.run("push", str(tree), f"{TMP}/")
    told = a.run("push", "--sync", str(tree), f"{TMP}/")
    assert b"3 skipped" in told.stdout + told.stderr


def test_a_pulled_tree_is_whole(a: Adb, tree: Path, tmp_path: Path) -> None:
    a.run("push", str(tree), f"{TMP}/pulled")
    assert a.run("pull", f"{TMP}/pulled", str(tmp_path / "out")).returncode == 0
    assert (tmp_path / "out" / "a").read_text() == "x\n"
    assert (tmp_path / "out" / "sub" / "b").read_text() == "y\n"


def test_pull_of_a_missing_file_fails(a: Adb, tmp_path: Path) -> None:
    told = a.run("pull", f"{TMP}/none", str(tmp_path))
    assert told.returncode == 1
    assert b"does not exist" in told.stdout + told.stderr or b"No such file" in told.stdout + told.stderr


def test_an_empty_file_can_be_pushed(a: Adb, tmp_path: Path) -> None:
    (tmp_path / "zero").touch()
    a.run("push", str(tmp_path / "zero"), "/sdcard/zero")
    assert a.out("shell", "stat -c %s /sdcard/zero") == "0"


# The cable.


def test_an_unplugged_phone_is_gone_and_comes_back(either_adb: PrivateAdb) -> None:
    with simulated_phone(either_adb) as phone:
        a = Adb(either_adb, phone.serial)
        phone.unplug()
        wait_for_state(either_adb, phone.serial, "")
        assert b"not found" in a.run("get-state").stderr
        assert a.run("shell", "echo hi").returncode == 1
        phone.replug()
        wait_for_state(either_adb, phone.serial, "device")
        assert a.out("shell", "echo back") == "back"


def test_a_killed_phone_goes_offline(either_adb: PrivateAdb) -> None:
    with simulated_phone(either_adb) as phone:
        phone.process.kill()
        phone.process.wait()
        wait_until(
            lambda: (
                b"not found" in (told := either_adb.run("-s", phone.serial, "get-state").stderr) or b"offline" in told
            ),
            "the killed phone to be missed",
        )
    either_adb.run("disconnect", phone.serial)


def test_a_stopped_phone_leaves_nothing_behind(either_adb: PrivateAdb, tmp_path: Path) -> None:
    with simulated_phone(either_adb) as phone:
        a = Adb(either_adb, phone.serial)
        root = Path(a.out("shell", "echo $WORKBENCH_SYSROOT"))
        assert root.is_dir()
        stubborn = psutil.Process(int(a.out("shell", "trap '' HUP; sleep 779 >/dev/null 2>&1 </dev/null & echo $!")))
        assert stubborn.is_running()
    assert not root.exists()
    assert psutil.wait_procs([stubborn], timeout=30)[1] == []
    assert phone.serial not in either_adb.run("devices").stdout.decode()
