"""The simulated phone's paths and files."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from workbench.devices.simulated.files import PhoneFiles


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
