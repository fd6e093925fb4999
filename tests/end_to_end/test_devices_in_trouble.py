"""Phones that leave, refuse, fill up or are busy: device trouble with a way out, and the next run works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.adb_server import PrivateAdb, private_adb, simulated_phone, wait_for_state
from tests.end_to_end.command import Ended, Workbench
from tests.end_to_end.conftest import workbench_in
from tests.end_to_end.phones import Handset
from tests.end_to_end.test_kills import FOREVER
from workbench.core.abi import host_abi
from workbench.devices.simulated.options import ABIS, PhoneOptions

ONCE = ("--iterations", "1", "--json")


def assert_trouble(ended: Ended, told: str, hint: str, where: str) -> None:
    assert ended.code == 3, (ended.out, ended.err)
    assert ended.error["kind"] == "device"
    assert told in ended.error["what"]
    assert hint in ended.error["hint"]
    assert where in ended.error["where"]


def test_a_phone_that_leaves_during_a_run(
    workbench: Workbench, faulty_phone: Callable[..., Handset], artifact: Path, tmp_path: Path
) -> None:
    phone = faulty_phone()
    command = workbench.start("run", artifact, "--device", phone.serial, *FOREVER, "--json")
    phone.agent()
    phone.phone.unplug()
    assert_trouble(command.end(), "disconnected", "cable", phone.serial)
    assert list((tmp_path / "tmp").iterdir()) == []
    phone.phone.replug()
    wait_for_state(phone.adb, phone.serial, "device")
    again = workbench("run", artifact, "--device", phone.serial, *ONCE)
    assert again.code == 0
    assert again.document["actual"]["pushed_bytes"] == 0
    phone.assert_at_rest()


def test_a_phone_that_leaves_during_the_push(
    workbench: Workbench, faulty_phone: Callable[..., Handset], artifact: Path
) -> None:
    phone = faulty_phone(unplug_in_push=2_000_000)
    ended = workbench("run", artifact, "--device", phone.serial, "--json")
    assert_trouble(ended, "disconnected", "cable", phone.serial)


FAULTS: dict[str, tuple[dict[str, float | bool], str, str]] = {
    "full before the push": ({"no_space": 1_000_000}, "MB free", "Remove files"),
    "read-only": ({"read_only": True}, "read-only", "Restart"),
    "denies pushes": ({"push_denied": True}, "does not let adb", "/data/local/tmp/workbench"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_phone_that_takes_no_files(
    name: str, workbench: Workbench, faulty_phone: Callable[..., Handset], artifact: Path
) -> None:
    faults, told, hint = FAULTS[name]
    phone = faulty_phone(**faults)
    ended = workbench("run", artifact, "--device", phone.serial, "--json")
    assert_trouble(ended, told, hint, phone.serial if "free" in told else "")
    assert not phone.entries() & {"run", "lock"}


def test_a_phone_that_has_not_allowed_this_computer(
    workbench: Workbench, faulty_phone: Callable[..., Handset], artifact: Path
) -> None:
    phone = faulty_phone(unauthorized=True)
    ended = workbench("run", artifact, "--device", phone.serial, "--json")
    assert_trouble(ended, "unauthorized", "Allow USB debugging", phone.serial)
    listed = workbench("devices", "--json").document
    (shown,) = (device for device in listed if device["serial"] == phone.serial)
    assert shown["state"] == "unauthorized"
    assert "Allow USB debugging" in shown["hint"]


def test_a_slow_phone_without_readings_is_measured(
    workbench: Workbench, faulty_phone: Callable[..., Handset], artifact: Path
) -> None:
    phone = faulty_phone(slow_shell=0.2, no_thermal=True)
    ended = workbench("run", artifact, "--device", phone.serial, *ONCE)
    assert ended.code == 0
    assert ended.document["temperature"] == {}
    assert ended.document["outputs"]["right"] is True


def test_a_phone_whose_processor_has_no_agent(workbench: Workbench, adb: PrivateAdb, artifact: Path) -> None:
    other = next(abi for abi in ABIS if abi != host_abi())
    with simulated_phone(adb, PhoneOptions(other)) as phone:
        ended = workbench("run", artifact, "--device", phone.serial, "--json")
    assert_trouble(ended, other, host_abi(), phone.serial)


@pytest.fixture
def two_phones(tmp_path: Path) -> Iterator[tuple[PrivateAdb, tuple[str, str]]]:
    (tmp_path / "two").mkdir()
    with private_adb(tmp_path / "two") as adb, simulated_phone(adb) as first, simulated_phone(adb) as second:
        yield adb, (first.serial, second.serial)


def test_two_phones_and_none_named(
    two_phones: tuple[PrivateAdb, tuple[str, str]], artifact: Path, tmp_path: Path
) -> None:
    adb, serials = two_phones
    workbench = workbench_in(adb, tmp_path)
    for words in (("run", artifact), ("clean",)):
        ended = workbench(*words, "--json")
        assert ended.code == 3
        assert "2 phones are connected" in ended.error["what"]
        for serial in serials:
            assert serial in ended.error["hint"]
    assert workbench("run", artifact, "--device", serials[1], *ONCE).code == 0


def test_the_only_phone_needs_no_name(tmp_path: Path, artifact: Path) -> None:
    (tmp_path / "one").mkdir()
    with private_adb(tmp_path / "one") as adb, simulated_phone(adb) as phone:
        ended = workbench_in(adb, tmp_path)("run", artifact, *ONCE)
    assert ended.code == 0
    assert ended.document["requested"]["device"] == phone.serial


def test_a_phone_in_use_names_who_uses_it(workbench: Workbench, phone: Handset, artifact: Path) -> None:
    first = workbench.start("run", artifact, "--device", phone.serial, *FOREVER)
    agent = phone.agent()
    for words in (("run", artifact), ("clean",)):
        second = workbench(*words, "--device", phone.serial, "--json")
        assert_trouble(second, f"process {first.pid}", "Wait until", phone.serial)
    assert agent.is_running()
    first.process.terminate()
    assert first.end().code == 130
    assert workbench("run", artifact, "--device", phone.serial, *ONCE).code == 0


def test_this_computer_in_use_names_who_uses_it(workbench: Workbench, artifact: Path) -> None:
    first = workbench.start("run", artifact, "--device", "host", *FOREVER)
    first.wait_until_it_handles_signals()
    lock = workbench.cwd / "home" / "cache" / "device" / "lock"
    while not lock.exists():
        assert first.process.poll() is None
    second = workbench("run", artifact, "--device", "host", "--json")
    assert_trouble(second, f"process {first.pid}", "Wait until", "host")
    first.process.terminate()
    assert first.end().code == 130
    assert not lock.exists()
