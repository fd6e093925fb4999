"""A phone or server in trouble: the right words, and the next call works."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.adb_server import PrivateAdb, in_environment, private_adb, simulated_phone, wait_for_state
from tests.devices.recording import Recording
from workbench.core.errors import Cancelled, DeviceError
from workbench.core.steps import Quiet
from workbench.devices.adb import AdbLink
from workbench.devices.link import Link, Program
from workbench.devices.listing import open_link
from workbench.devices.simulated.options import Faults, PhoneOptions


@contextmanager
def link_to(adb: PrivateAdb, **faults: float | bool) -> Iterator[Link]:
    with simulated_phone(adb, PhoneOptions(faults=Faults(**faults))) as phone:
        yield open_link(phone.serial)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Four megabytes."""
    (tmp_path / "m.mnn").write_bytes(bytes(4 << 20))
    return tmp_path / "m.mnn"


def target(link: Link) -> str:
    return f"{link.folder}/m.mnn"


def test_a_full_phone_says_so_and_keeps_no_half_of_the_file(adb: PrivateAdb, file: Path) -> None:
    with link_to(adb, no_space=1 << 20) as link:
        before = link.free_bytes()
        with pytest.raises(DeviceError, match="storage is full") as caught:
            link.push(file, target(link), ctx=Quiet())
        assert "Free space" in str(caught.value.hint)
        assert link.stat(target(link)) is None
        assert before == 1 << 20
        assert link.free_bytes() == 0


def test_a_read_only_phone_says_so(adb: PrivateAdb, file: Path) -> None:
    with link_to(adb, read_only=True) as link, pytest.raises(DeviceError, match="read-only"):
        link.push(file, target(link), ctx=Quiet())


def test_a_phone_that_denies_pushes_says_so(adb: PrivateAdb, file: Path) -> None:
    with link_to(adb, push_denied=True) as link:
        with pytest.raises(DeviceError, match="does not let adb make a folder") as caught:
            link.push(file, target(link), ctx=Quiet())
        assert link.folder in str(caught.value.hint)


def test_a_phone_that_leaves_during_a_push_was_disconnected(adb: PrivateAdb, file: Path) -> None:
    with link_to(adb, unplug_in_push=1 << 20) as link:
        with pytest.raises(DeviceError, match="disconnected") as caught:
            link.push(file, target(link), ctx=Quiet())
        assert "cable" in str(caught.value.hint)


def test_a_slow_push_can_be_cancelled_at_once(adb: PrivateAdb, file: Path) -> None:
    seen = Recording(cancel_at=0.2)
    # At this speed the rest of the file would take an hour.
    with link_to(adb, bandwidth=1000.0) as link, pytest.raises(Cancelled):
        link.push(file, target(link), ctx=seen)
    assert seen.fractions[-1] < 0.9


def test_a_phone_that_leaves_during_a_run_was_disconnected(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        running = open_link(phone.serial).start(Program(("sh", "-c", "echo up; exec sleep 600")))
        lines = running.lines()
        assert next(lines) == b"up"
        phone.unplug()
        with pytest.raises(DeviceError, match="disconnected"):
            list(lines)
        phone.replug()
        wait_for_state(adb, phone.serial, "device")
        assert open_link(phone.serial).shell("echo back").stdout == "back\n"


def test_a_phone_that_is_not_there_is_not_connected(adb: PrivateAdb) -> None:
    with pytest.raises(DeviceError, match="not connected") as caught:
        AdbLink("127.0.0.1:1", adb.server).shell("echo")
    assert caught.value.where == "127.0.0.1:1"


def test_an_unauthorized_phone_says_what_to_accept(adb: PrivateAdb) -> None:
    with simulated_phone(adb, PhoneOptions(faults=Faults(unauthorized=True))) as phone:
        wait_for_state(adb, phone.serial, "unauthorized")
        with pytest.raises(DeviceError, match="has not allowed this computer") as caught:
            AdbLink(phone.serial, adb.server).shell("echo")
        assert "Allow USB debugging" in str(caught.value.hint)


def test_a_mute_phone_is_offline(adb: PrivateAdb) -> None:
    with simulated_phone(adb, PhoneOptions(faults=Faults(offline_silent=True))) as phone:
        wait_for_state(adb, phone.serial, "offline")
        with pytest.raises(DeviceError, match="offline") as caught:
            AdbLink(phone.serial, adb.server).shell("echo")
        assert "replug" in str(caught.value.hint)


def test_a_person_who_accepts_the_prompt_lets_the_computer_in(adb: PrivateAdb) -> None:
    with simulated_phone(adb, PhoneOptions(faults=Faults(authorize_after=3600.0))) as phone:
        wait_for_state(adb, phone.serial, "unauthorized")
        phone.authorize()
        wait_for_state(adb, phone.serial, "device")
        assert open_link(phone.serial).shell("echo in").stdout == "in\n"


def test_the_prompt_accepts_itself_after_a_while(adb: PrivateAdb) -> None:
    with simulated_phone(adb, PhoneOptions(faults=Faults(authorize_after=0.1))) as phone:
        wait_for_state(adb, phone.serial, "device")


def test_a_phone_unplugs_itself_when_told_to(adb: PrivateAdb) -> None:
    with simulated_phone(adb, PhoneOptions(faults=Faults(unplug_after=0.5))) as phone:
        wait_for_state(adb, phone.serial, "")


def test_a_slow_shell_is_waited_for_and_a_stuck_one_is_not(adb: PrivateAdb) -> None:
    with link_to(adb, slow_shell=0.3) as link:
        assert link.shell("echo hi").stdout == "hi\n"
        with pytest.raises(DeviceError, match="in time"):
            link.shell("echo hi", timeout_s=0.1)


def test_a_phone_without_thermal_readings_has_none(adb: PrivateAdb) -> None:
    with link_to(adb, no_thermal=True) as link:
        assert "Current temperatures from HAL" not in link.shell("dumpsys thermalservice").stdout
        assert link.shell("cat /sys/class/thermal/thermal_zone0/temp").code != 0


def test_a_killed_server_is_named_and_the_phone_comes_back_to_the_next(tmp_path: Path) -> None:
    with private_adb(tmp_path) as adb, in_environment(adb), simulated_phone(adb) as phone:
        link = open_link(phone.serial)
        running = link.start(Program(("sh", "-c", "echo $$; exec sleep 600")))
        lines = running.lines()
        program = psutil.Process(int(next(lines)))
        adb.server_process().send_signal(signal.SIGKILL)
        with pytest.raises(DeviceError, match="adb server") as caught:
            list(lines)
        assert "starts an adb server" in str(caught.value.hint)
        assert psutil.wait_procs([program], timeout=30)[1] == []
        # At once: whoever starts the next server waits until its phones are there.
        assert open_link(phone.serial).shell("echo again").stdout == "again\n"


def test_a_server_killed_during_a_push_is_named(tmp_path: Path, file: Path) -> None:
    with private_adb(tmp_path) as adb, in_environment(adb), link_to(adb, bandwidth=100_000.0) as link:
        server = adb.server_process()

        class Killing(Quiet):
            def progress(self, fraction: float | None, text: object) -> None:
                server.send_signal(signal.SIGKILL)

        with pytest.raises(DeviceError, match="adb server"):
            link.push(file, target(link), ctx=Killing())
