"""What adb and phones say when something fails, as errors with words and a way out.

One table from text to error. The texts are those of adb 29 to 36, of adbd, and of Android's
shell and linker; ``tests/data/devices`` holds a transcript for each row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.core.device import DeviceState
from workbench.core.errors import BadInput, DeviceError, WorkbenchError
from workbench.core.messages import Message, msg

HINTS: dict[DeviceState, Message | None] = {
    DeviceState.READY: None,
    DeviceState.UNAUTHORIZED: msg("Unlock the phone and accept its prompt “Allow USB debugging?”."),
    DeviceState.AUTHORIZING: msg("The phone is checking this computer's key: wait a moment."),
    DeviceState.OFFLINE: msg("The phone does not answer: replug it, or switch USB debugging off and on."),
    DeviceState.NO_PERMISSIONS: msg(
        "Install Android's udev rules (Debian: apt install android-sdk-platform-tools-common), then replug the phone."
    ),
    DeviceState.UNKNOWN: msg("Start Android on the phone and switch USB debugging on."),
}
"""How to get from each state to a phone that is ready."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One row: what ``pattern`` finds in the text means ``what``. Its first group fills {name}."""

    pattern: re.Pattern[str]
    what: Message
    hint: Message | None
    kind: type[WorkbenchError] = DeviceError


def _fault(pattern: str, what: Message, hint: Message | None, kind: type[WorkbenchError] = DeviceError) -> Fault:
    return Fault(re.compile(pattern, re.IGNORECASE), what, hint, kind)


FAULTS = (
    _fault(r"device unauthorized", msg("The phone has not allowed this computer"), HINTS[DeviceState.UNAUTHORIZED]),
    _fault(
        r"still authorizing|device authorizing",
        msg("The phone is not ready yet"),
        HINTS[DeviceState.AUTHORIZING],
    ),
    _fault(r"device offline", msg("The phone is offline"), HINTS[DeviceState.OFFLINE]),
    _fault(
        r"no permissions|insufficient permissions for device",
        msg("This user may not open the phone's USB port"),
        HINTS[DeviceState.NO_PERMISSIONS],
    ),
    _fault(
        r"more than one (?:device|emulator)",
        msg("More than one phone is connected"),
        msg("Name one with --device SERIAL."),
    ),
    _fault(
        r"no devices(?:/emulators)? found|device(?: '[^']*')? not found|unknown (?:device|host) |no such device",
        msg("The phone is not connected"),
        msg("Connect it and switch USB debugging on; “workbench devices” lists what is there."),
    ),
    _fault(
        r"no space left on device|ENOSPC|disk quota exceeded",
        msg("The phone's storage is full"),
        msg("Free space on the phone; “workbench clean” removes what Workbench keeps there."),
    ),
    _fault(
        r"read-only file system",
        msg("The phone's storage is read-only"),
        msg("Restart the phone; if it stays so, its storage needs repair."),
    ),
    _fault(
        r"secure_mkdirs failed",
        msg("The phone does not let adb make a folder there"),
        msg("Remove /data/local/tmp/workbench on the phone (another user of the phone may own it), then try again."),
    ),
    _fault(
        r"filename, directory name, or volume label syntax is incorrect",
        msg("A file name of this computer is not valid"),
        msg('Use a full path without the characters < > : " | ? *'),
        BadInput,
    ),
    _fault(
        r"not executable: (\d+)-bit ELF|exec format error|has unexpected e_machine|is (\d+)-bit instead of",
        msg("This program is built for another processor than the phone's"),
        msg("The phone may run 32-bit programs only: use a phone whose ABI is arm64-v8a or x86_64."),
    ),
    _fault(
        r"library \"([^\"]+)\" not found|error while loading shared libraries: ([^:\s]+)",
        msg("The phone's runtime is not whole: the library {name} is missing"),
        msg("Push the runtime again: “workbench clean”, then run."),
    ),
    _fault(
        r"only support position-independent executables",
        msg("The runtime is built for an Android before 5.0"),
        msg("Use the runtime that is shipped: “workbench clean”, then run."),
    ),
    _fault(
        r"can't execute: permission denied|cannot execute: permission denied|: permission denied.*\(126\)",
        msg("The phone does not let this file run"),
        msg("Push the runtime again: “workbench clean”, then run. Nothing runs from /sdcard."),
    ),
    _fault(
        r"permission denied|operation not permitted",
        msg("The phone does not permit this"),
        msg("Files of another user may be in the way: remove /data/local/tmp/workbench on the phone."),
    ),
    _fault(
        r"protocol fault|connection reset|connection refused|cannot connect to daemon",
        msg("The adb server went away"),
        msg("Try again: Workbench uses the adb server that runs, and starts one where none does."),
    ),
    _fault(
        r"^(?:error: )?closed$",
        msg("The phone closed the connection"),
        msg("Try again; if it stays so, restart adb debugging on the phone."),
    ),
)
"""Looked through from the top: the first row that fits counts."""


def explain(text: str, *, where: str) -> WorkbenchError:
    """The error for what adb or the phone said; ``where`` is the serial, or what was being done.

    A text that no row knows is quoted.
    """
    for fault in FAULTS:
        if (found := fault.pattern.search(text.strip())) is not None:
            named = {"name": next(filter(None, found.groups()), "")} if "{name}" in fault.what.template else {}
            return fault.kind(msg(fault.what.template, **named), where=where, hint=fault.hint)
    shown = " ".join(text.split())[-300:]
    if not shown:
        return DeviceError(
            msg("The phone ended the connection without a word"), where=where, hint=HINTS[DeviceState.OFFLINE]
        )
    return DeviceError(
        msg("The phone answered: {text}", text=shown),
        where=where,
        hint=msg("“workbench devices” tells the state of every phone."),
    )


def server_gone(where: str, reason: str) -> DeviceError:
    """No adb server listens, or it ended while it was spoken to."""
    what = msg("The adb server does not answer: {reason}", reason=reason) if reason else msg("The adb server went away")
    return DeviceError(what, where=where, hint=msg("Try again: Workbench starts an adb server where none runs."))


def unplugged(serial: str) -> DeviceError:
    """The phone was there and is not any more."""
    return DeviceError(
        msg("The phone was disconnected"),
        where=serial,
        hint=msg("Check the cable, then run again: what was pushed whole is not pushed twice."),
    )
