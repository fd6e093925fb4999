"""The simulated phone as a process: how it starts, what it refuses, what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import psutil
import pytest

from tests.adb_server import PrivateAdb, in_environment, private_adb, simulated_phone, wait_for_state
from workbench.core.errors import DeviceError, UsageError
from workbench.devices.listing import open_link
from workbench.devices.simulated.options import Faults, PhoneOptions, fault_help, parse_faults
from workbench.devices.simulated.process import command, start_simulated
from workbench.devices.simulated.serve import serve


def run_phone(adb: PrivateAdb, *arguments: str, **more: object) -> subprocess.Popen[bytes]:
    argv = [sys.executable, "-m", "workbench.devices.simulated", *arguments]
    return subprocess.Popen(argv, env=dict(adb.env), stdout=subprocess.PIPE, **more)  # type: ignore[call-overload]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_phone_told_to_stop_takes_leave_of_adb(adb: PrivateAdb, number: signal.Signals) -> None:
    with run_phone(adb, stdin=subprocess.DEVNULL) as phone:
        assert phone.stdout is not None
        serial = phone.stdout.readline().decode().strip()
        root = Path(open_link(serial).shell("echo $WORKBENCH_SYSROOT").stdout.strip())
        phone.send_signal(number)
        assert phone.wait(timeout=30) == 0
    wait_for_state(adb, serial, "")
    assert not root.exists()


def test_a_phone_ends_with_whoever_started_it(adb: PrivateAdb) -> None:
    script = (
        "import sys; from workbench.devices.simulated.process import start_simulated; "
        "phone = start_simulated(); print(phone.serial, phone.pid, flush=True); sys.stdin.readline()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script], env=dict(adb.env), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    serial, pid = parent.stdout.readline().decode().split()
    phone = psutil.Process(int(pid))
    parent.kill()
    parent.communicate()
    assert psutil.wait_procs([phone], timeout=30)[1] == []
    wait_for_state(adb, serial, "")


def test_the_json_line_names_serial_and_abi(adb: PrivateAdb) -> None:
    with run_phone(adb, "--json", "--until-eof", stdin=subprocess.PIPE) as phone:
        assert phone.stdout is not None
        answer = json.loads(phone.stdout.readline())
        phone.communicate()
    assert answer["serial"].startswith("127.0.0.1:")
    assert answer["abi"] == os.uname().machine.replace("aarch64", "arm64-v8a")


def test_the_port_is_the_one_asked_for_and_a_taken_one_is_refused(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        port = int(phone.serial.partition(":")[2])
        with pytest.raises(DeviceError, match="port is not free") as caught:
            start_simulated(PhoneOptions(port=port), env=adb.env)
        assert str(port) in caught.value.where
        assert caught.value.hint is not None
    with simulated_phone(adb, PhoneOptions(port=port)) as again:
        assert again.serial == phone.serial


def test_a_phone_listens_on_loopback_only(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        listening = [one for one in psutil.Process(phone.pid).net_connections() if one.status == psutil.CONN_LISTEN]
        assert [one.laddr.ip for one in listening] == ["127.0.0.1"]
        assert listening[0].laddr.port not in range(5555, 5586)


@pytest.mark.parametrize("port", [5555, 5585, -1, 65536])
def test_ports_that_adb_takes_for_emulators_are_refused(port: int) -> None:
    with pytest.raises(UsageError) as caught:
        PhoneOptions(port=port)
    assert "5585" in str(caught.value.hint)


def test_a_server_with_another_key_is_named(tmp_path: Path) -> None:
    with private_adb(tmp_path) as adb:
        (tmp_path / "other").mkdir()
        with pytest.raises(DeviceError, match="another key") as caught:
            start_simulated(env={**adb.env, "HOME": str(tmp_path / "other")})
        assert "HOME" in str(caught.value.hint)


def test_what_does_not_speak_adb_is_dropped(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        address = ("127.0.0.1", int(phone.serial.partition(":")[2]))
        with socket.create_connection(address, timeout=20) as stranger:
            stranger.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert stranger.recv(100) == b""
        assert open_link(phone.serial).shell("echo on").stdout == "on\n"


def test_a_stranger_without_the_key_gets_no_shell(adb: PrivateAdb) -> None:
    with (
        simulated_phone(adb) as phone,
        socket.create_connection(("127.0.0.1", int(phone.serial.partition(":")[2])), timeout=20) as stranger,
    ):

        def packet(name: bytes, one: int, two: int, data: bytes = b"") -> bytes:
            command = int.from_bytes(name, "little")
            words = (command, one, two, len(data), sum(data), command ^ 0xFFFFFFFF)
            return b"".join(word.to_bytes(4, "little") for word in words) + data

        stranger.sendall(packet(b"CNXN", 0x01000001, 1 << 20, b"host::\0"))
        assert stranger.recv(24)[:4] == b"AUTH"
        stranger.recv(20)
        stranger.sendall(packet(b"OPEN", 1, 0, b"shell:id\0"))
        stranger.sendall(packet(b"AUTH", 2, 0, bytes(256)))
        # Neither an OKAY nor a CNXN: another token is asked to be signed.
        assert stranger.recv(24)[:4] == b"AUTH"


def test_a_killed_phone_is_tidied_up_by_the_next(tmp_path: Path) -> None:
    with private_adb(tmp_path) as adb, in_environment(adb):
        with simulated_phone(adb) as phone:
            link = open_link(phone.serial)
            root = Path(link.shell("echo $WORKBENCH_SYSROOT").stdout.strip())
            left = psutil.Process(int(link.shell("sleep 600 >/dev/null 2>&1 </dev/null & echo $!").stdout))
            phone.process.kill()
            phone.process.wait()
        assert root.exists()
        with simulated_phone(adb):
            assert not root.exists()
            assert psutil.wait_procs([left], timeout=30)[1] == []


def test_a_cable_pulled_and_put_back_at_once_ends_plugged_in(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        for _ in range(3):
            phone.unplug()
            phone.replug()
        phone.unplug()
        wait_for_state(adb, phone.serial, "")
        phone.replug()
        wait_for_state(adb, phone.serial, "device")


def read_until(terminal: int, wanted: bytes) -> None:
    seen = b""
    while wanted not in seen:
        seen += os.read(terminal, 4096)


def test_a_terminal_shell_is_interactive(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        ours, theirs = os.openpty()
        argv = [str(adb.binary), "-s", phone.serial, "shell"]
        client = subprocess.Popen(argv, env=dict(adb.env), stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        # The client throws away what was typed before it took the terminal over.
        read_until(ours, b" ")
        os.write(ours, b"echo $((6*7)); exit 5\n")
        read_until(ours, b"42")
        assert client.wait(timeout=30) == 5
        os.close(ours)


def test_two_phones_live_side_by_side(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as one, simulated_phone(adb) as other:
        open_link(one.serial).shell("echo 1 > /data/local/tmp/mark")
        assert open_link(other.serial).shell("cat /data/local/tmp/mark").code == 1


def test_a_system_that_cannot_have_one_is_told_what_to_do(monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(DeviceError, match="needs Linux") as caught:
        serve(PhoneOptions())
    assert "--device host" in str(caught.value.hint)


def test_every_fault_is_told_in_the_help() -> None:
    told = fault_help()
    assert [entry.name for entry in fields(Faults) if entry.name not in told] == []


def test_faults_are_read_from_words() -> None:
    assert parse_faults([]) == Faults()
    assert parse_faults(["no_space=100", "unauthorized", "bandwidth=2.5e6"]) == Faults(
        no_space=100, unauthorized=True, bandwidth=2.5e6
    )


@pytest.mark.parametrize(
    "text", ["fire", "no_space", "no_space=-1", "bandwidth=0", "bandwidth=inf", "unauthorized=yes"]
)
def test_a_fault_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_faults([text])
    assert caught.value.where == text.partition("=")[0]
    assert caught.value.hint is not None


def test_options_survive_the_way_to_the_child() -> None:
    options = PhoneOptions(port=40001, faults=Faults(no_space=0, unauthorized=True, slow_shell=0.5))
    argv = command(options)
    faults = [argv[index + 1] for index, word in enumerate(argv) if word == "--fault"]
    assert parse_faults(faults) == options.faults
    assert argv[argv.index("--port") + 1] == "40001"
