"""Each text that adb or a phone says in a fault becomes an error with words and a way out."""

from __future__ import annotations

import pytest

from tests.devices.transcripts import names, transcript
from workbench.core.errors import BadInput, DeviceError
from workbench.devices.faults import FAULTS, explain

EXPECTED = {
    "unauthorized": ("has not allowed this computer", "Allow USB debugging"),
    "two-devices-no-serial": ("More than one phone", "--device SERIAL"),
    "push-no-space": ("storage is full", "Free space"),
    "push-permission-denied": ("does not let adb make a folder", "/data/local/tmp/workbench"),
    "push-windows-rel-path": ("file name of this computer", "full path"),
    "exec-wrong-arch": ("another processor", "arm64-v8a"),
    "libmnn-not-found": ("library libMNN.so is missing", "Push the runtime again"),
    "pie-or-noexec": ("Android before 5.0", "runtime that is shipped"),
}
"""File name to words of the error and of its hint; the files without stderr are lists of devices."""


@pytest.mark.parametrize("name", EXPECTED)
def test_a_reported_failure_gets_words_and_a_hint(name: str) -> None:
    said = next(entry.stderr for entry in transcript(name) if entry.stderr)
    error = explain(said, where="R58M123ABC")
    what, hint = EXPECTED[name]
    assert what in str(error.what)
    assert error.hint is not None
    assert hint in str(error.hint)
    assert error.where == "R58M123ABC"
    assert "\n" not in str(error)


def test_every_transcript_is_accounted_for() -> None:
    lists_only = {name for name in names() if not any(entry.stderr for entry in transcript(name))}
    assert set(names()) == set(EXPECTED) | lists_only


def test_a_file_without_the_right_to_run_is_not_another_processor() -> None:
    error = explain(transcript("pie-or-noexec")[1].stderr, where="phone")
    assert "does not let this file run" in str(error.what)
    assert "sdcard" in str(error.hint)


def test_a_bad_local_name_is_bad_input_not_device_trouble() -> None:
    assert isinstance(explain(transcript("push-windows-rel-path")[0].stderr, where="m.mnn"), BadInput)
    assert isinstance(explain(transcript("push-no-space")[0].stderr, where="m.mnn"), DeviceError)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("device offline", "The phone is offline"),
        ("device still authorizing", "not ready yet"),
        ("device '127.0.0.1:40001' not found", "not connected"),
        ("no devices/emulators found", "not connected"),
        ("insufficient permissions for device: user in plugdev group", "may not open the phone's USB port"),
        ("couldn't create file: Read-only file system", "read-only"),
        ("couldn't create file: Permission denied", "does not permit"),
        ("/system/bin/sh: ./agent: can't execute: Permission denied", "does not let this file run"),
        ("sh: ./agent: cannot execute binary file: Exec format error", "another processor"),
        ("./agent: error while loading shared libraries: libgomp.so.1: cannot open", "libgomp.so.1 is missing"),
        ("closed", "closed the connection"),
    ],
)
def test_other_known_texts(text: str, what: str) -> None:
    error = explain(text, where="phone")
    assert what in str(error.what)
    assert error.hint is not None


def test_an_unknown_text_is_quoted_on_one_line() -> None:
    error = explain("something\nquite  new\x1b[31m", where="phone")
    assert "something quite new" in str(error)
    assert "\x1b" not in str(error)
    assert error.hint is not None


def test_silence_is_told_as_such() -> None:
    assert "without a word" in str(explain("", where="phone").what)


def test_every_row_of_the_table_has_a_hint() -> None:
    assert [fault.pattern.pattern for fault in FAULTS if fault.hint is None] == []
