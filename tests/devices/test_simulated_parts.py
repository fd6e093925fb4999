"""The simulated phone's parts: key check, paths, readings, programs of another processor."""

from __future__ import annotations

import base64
import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA1
from hypothesis import given
from hypothesis import strategies as st

from tests.adb_server import PrivateAdb, simulated_phone
from tests.waiting import wait_until
from workbench.core.errors import DeviceError
from workbench.core.steps import Quiet
from workbench.devices.link import Link, Program
from workbench.devices.listing import open_link
from workbench.devices.simulated.auth import Lock, key_files, parse_key
from workbench.devices.simulated.climate import PARTS, Climate
from workbench.devices.simulated.emulation import Emulation, find_emulator
from workbench.devices.simulated.files import PhoneFiles
from workbench.devices.simulated.options import PhoneOptions

# The key.


@pytest.fixture(scope="module")
def private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public_line(key: rsa.RSAPrivateKey) -> bytes:
    """As adb writes adbkey.pub."""
    numbers = key.public_key().public_numbers()
    n0inv = -pow(numbers.n, -1, 1 << 32) % (1 << 32)
    rr = pow(1 << 2048, 2, numbers.n)
    raw = struct.pack("<II", 64, n0inv) + numbers.n.to_bytes(256, "little") + rr.to_bytes(256, "little")
    return base64.b64encode(raw + struct.pack("<I", numbers.e)) + b" somebody@somewhere\n"


def signed(key: rsa.RSAPrivateKey, token: bytes) -> bytes:
    return key.sign(token, padding.PKCS1v15(), Prehashed(SHA1()))  # noqa: S303 - what adb does


@pytest.fixture
def lock(private_key: rsa.RSAPrivateKey, tmp_path: Path) -> Lock:
    (tmp_path / "adbkey.pub").write_bytes(public_line(private_key))
    lock = Lock((tmp_path / "adbkey.pub", tmp_path / "none"))
    lock.granted.set()
    return lock


def test_the_users_signature_opens(lock: Lock, private_key: rsa.RSAPrivateKey) -> None:
    token = os.urandom(20)
    assert lock.opens_by_signature(signed(private_key, token), token)


def test_signatures_that_are_not_quite_right_do_not_open(lock: Lock, private_key: rsa.RSAPrivateKey) -> None:
    token = os.urandom(20)
    good = signed(private_key, token)
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for bad, over in (
        (signed(stranger, token), token),
        (good, os.urandom(20)),
        (good, b""),
        (good[:-1] + bytes([good[-1] ^ 1]), token),
        (good[1:], token),
        (bytes(256), token),
        (b"\xff" * 256, token),
        (b"", token),
    ):
        assert not lock.opens_by_signature(bad, over)


def test_a_phone_that_was_not_asked_yet_opens_to_nobody(lock: Lock, private_key: rsa.RSAPrivateKey) -> None:
    token = os.urandom(20)
    lock.granted.clear()
    assert not lock.opens_by_signature(signed(private_key, token), token)
    refusing = Lock(lock.files, refuses=True)
    refusing.granted.set()
    assert not refusing.opens_by_signature(signed(private_key, token), token)


def test_only_the_users_own_key_may_be_accepted_at_the_prompt(lock: Lock, private_key: rsa.RSAPrivateKey) -> None:
    own = parse_key(public_line(private_key) + b"\0")
    stranger = parse_key(public_line(rsa.generate_private_key(public_exponent=65537, key_size=2048)))
    assert own is not None
    assert stranger is not None
    assert lock.knows(own)
    assert not lock.knows(stranger)


@pytest.mark.parametrize("line", [b"", b"\0", b"not base64!", base64.b64encode(b"short"), base64.b64encode(bytes(524))])
def test_what_is_no_key_is_none(line: bytes) -> None:
    assert parse_key(line) is None


def test_the_key_is_looked_for_where_adb_may_keep_it() -> None:
    env = {"ANDROID_USER_HOME": "/u", "ANDROID_SDK_HOME": "/s"}
    assert [str(file) for file in key_files(env, Path("/h"))] == [
        "/u/adbkey.pub",
        "/s/.android/adbkey.pub",
        "/h/.android/adbkey.pub",
    ]


# Paths.


@pytest.fixture
def files() -> Iterator[PhoneFiles]:
    files = PhoneFiles()
    yield files
    files.remove()


def test_no_path_leads_out_of_the_phone(files: PhoneFiles) -> None:
    for path in ("/../../etc/passwd", "../../etc", "//x", "/a/../../b", "/"):
        assert files.path(path).is_relative_to(files.root)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat /data/local/tmp/a", "cat {}/data/local/tmp/a"),
        ("cd '/data/local/tmp/a b'&&ls", "cd '{}/data/local/tmp/a b'&&ls"),
        ("A=/data/local/tmp;echo >/sdcard/x", "A={}/data/local/tmp;echo >{}/sdcard/x"),
        ("cat /proc/meminfo /proc/self/status", "cat {}/proc/meminfo /proc/self/status"),
        ("cat /sys/class/thermal/*/temp", "cat {}/sys/class/thermal/*/temp"),
        ("ls /sdcardx /x/sdcard ./sdcard", "ls /sdcardx /x/sdcard ./sdcard"),
    ],
)
def test_a_command_sees_the_phones_paths_and_no_others(files: PhoneFiles, command: str, expected: str) -> None:
    assert files.in_command(command) == expected.replace("{}", str(files.root))


def test_a_reader_that_keeps_a_reading_open_sees_it_change(files: PhoneFiles) -> None:
    files.set_value("/sys/value", 300_000)
    with files.path("/sys/value").open() as reading:
        assert int(reading.read()) == 300_000
        files.set_value("/sys/value", 3_187_200)
        reading.seek(0)
        assert int(reading.read()) == 3_187_200
        files.set_value("/sys/value", 42)
        reading.seek(0)
        assert reading.read() == "42\n"


# Readings.


def test_work_warms_the_phone_and_rest_cools_it() -> None:
    cold = Climate()
    hot = cold
    for _ in range(120):
        hot = hot.after(0.5, 2.0)
    assert all(after > before for after, before in zip(hot.temperatures, cold.temperatures, strict=True))
    cpu = [part.kind == 0 for part in PARTS].index(True)
    assert hot.temperatures[cpu] - cold.temperatures[cpu] > 20
    rested = hot
    for _ in range(120):
        rested = rested.after(0.5, 0.0)
    assert rested.temperatures[cpu] < hot.temperatures[cpu] - 20


def test_the_step_does_not_change_where_the_temperature_goes() -> None:
    fine = coarse = Climate()
    for _ in range(100):
        fine = fine.after(0.1, 1.0)
    for _ in range(20):
        coarse = coarse.after(0.5, 1.0)
    assert fine.temperatures == pytest.approx(coarse.temperatures, abs=0.1)


def test_an_idle_phone_is_not_a_constant() -> None:
    climate = Climate()
    seen = set()
    for _ in range(20):
        climate = climate.after(1.0, 0.0)
        seen.add(round(climate.temperatures[0], 3))
    assert len(seen) == 20


def test_a_hot_phone_throttles_and_says_so() -> None:
    climate = Climate()
    for _ in range(240):
        climate = climate.after(0.5, 4.0)
    assert climate.clock_share < 1.0
    assert climate.status > 0
    assert Climate().clock_share == 1.0
    assert Climate().status == 0


def test_the_battery_charges_at_rest_and_empties_at_work() -> None:
    assert Climate().after(3600.0, 0.0).level > Climate().level
    assert Climate().after(3600.0, 2.0).level < Climate().level
    assert Climate().after(1e6, 8.0).level == 0


def hal_cpu(link: Link) -> float:
    told = link.shell("dumpsys thermalservice").stdout
    block = told.partition("Current temperatures from HAL:\n")[2]
    return float(block.partition("mValue=")[2].partition(",")[0])


def test_a_program_that_works_warms_the_phone(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        link = open_link(phone.serial)
        cold_hal, cold_zone = hal_cpu(link), int(link.shell("cat /sys/class/thermal/thermal_zone0/temp").stdout)
        running = link.start(Program(("sh", "-c", "while :; do :; done")))
        zone = "cat /sys/class/thermal/thermal_zone0/temp"
        wait_until(lambda: int(link.shell(zone).stdout) > cold_zone + 2000, "the zone to warm by 2 degrees")
        assert hal_cpu(link) > cold_hal + 1.0
        assert int(link.shell("cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq").stdout) > 300_000
        running.kill()
        running.wait()
        assert link.shell("cat /proc/meminfo").stdout.startswith("MemTotal:")
        assert "Cached temperatures" in link.shell("dumpsys thermalservice").stdout
        assert link.shell("dumpsys wifi").code != 0


# Programs of another processor.

_EXIT_7 = {
    # write(1, "arm\n", 4); exit(7)
    183: struct.pack(
        "<8I", 0xD2800020, 0x100000E1, 0xD2800082, 0xD2800808, 0xD4000001, 0xD28000E0, 0xD2800BA8, 0xD4000001
    )
    + b"arm\n",
    # exit(7)
    62: bytes.fromhex("bf07000000b83c0000000f05"),
}


def elf(machine: int) -> bytes:
    """The smallest static program of that machine: a header, one segment, the code."""
    base, start = 0x400000, 64 + 56
    size = start + len(_EXIT_7[machine])
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    header = struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, base + start, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 0x10000)
    return ident + header + segment + _EXIT_7[machine]


@pytest.fixture(scope="module")
def arm(adb: PrivateAdb, tmp_path_factory) -> Iterator[Link]:
    """An arm64 phone that has a program of its own ABI and one of another."""
    local = tmp_path_factory.mktemp("elf")
    with simulated_phone(adb, PhoneOptions(abi="arm64-v8a")) as phone:
        link = open_link(phone.serial)
        for name, machine in (("own", 183), ("other", 62)):
            (local / name).write_bytes(elf(machine))
            link.push(local / name, f"{link.folder}/a b/{name}", mode=0o755, ctx=Quiet())
        yield link


def test_an_arm_phone_says_so(arm: Link) -> None:
    assert arm.device().abi == "arm64-v8a"
    assert arm.shell("getprop ro.product.cpu.abilist").stdout == "arm64-v8a\n"


@pytest.mark.parametrize(
    "command",
    [
        "'{0}/own'",
        "cd '{0}' && ./own",
        "cd '{0}'; exec ./own",
        "X=1 '{0}/own'",
        "cd '{0}' || exit 1; export A='b c'; exec ../'a b'/own",
        "true && ( '{0}/own' )",
    ],
)
def test_a_program_of_the_phones_processor_runs_through_the_emulator(arm: Link, command: str) -> None:
    result = arm.shell(command.format(f"{arm.folder}/a b"))
    assert (result.stdout, result.code) == ("arm\n", 7)


def test_a_program_started_by_the_link_runs_too(arm: Link) -> None:
    running = arm.start(Program(("./own",), cwd=f"{arm.folder}/a b"))
    assert list(running.lines()) == [b"arm"]
    assert running.wait() == 7


def test_a_program_of_another_processor_is_refused_as_on_a_phone(arm: Link) -> None:
    result = arm.shell(f"cd '{arm.folder}/a b' && ./other")
    assert (result.code, result.stderr) == (126, "/system/bin/sh: ./other: not executable: 64-bit ELF file\n")


def test_what_is_no_program_is_left_alone(arm: Link) -> None:
    assert arm.shell(f"echo '{arm.folder}/a b/own' | wc -l").stdout.strip() == "1"
    assert arm.shell(f"sha256sum '{arm.folder}/a b/own'").code == 0


@given(st.text(st.sampled_from(list("ab /.;&|()<>'\"\\\n$`={}-"))))
def test_a_command_without_such_programs_is_not_touched(command: str) -> None:
    assert Emulation("arm64-v8a", "/qemu", Path("/nowhere")).in_command(command) == command


def test_a_missing_emulator_is_named_with_the_way_out(monkeypatch) -> None:
    monkeypatch.setattr("workbench.devices.simulated.emulation.host_abi", lambda: "x86_64")
    monkeypatch.setenv("PATH", "")
    assert find_emulator("x86_64") == ""
    with pytest.raises(DeviceError, match="cannot run programs of arm64-v8a") as caught:
        find_emulator("arm64-v8a")
    assert "qemu-user-static" in str(caught.value.hint)
