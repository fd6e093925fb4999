"""Programs of another processor on the simulated phone."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adb_server import PrivateAdb, simulated_phone
from workbench.core.errors import DeviceError
from workbench.core.steps import Quiet
from workbench.devices.link import Link, Program
from workbench.devices.listing import open_link
from workbench.devices.simulated.emulation import Emulation, find_emulator
from workbench.devices.simulated.options import PhoneOptions

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
