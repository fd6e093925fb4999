"""The way into a simulated phone's process, on systems that can have one and on those that cannot."""

from __future__ import annotations

import asyncio
import sys

from workbench.core.errors import DeviceError, ExitCode
from workbench.core.messages import msg
from workbench.devices.simulated.options import PhoneOptions

if sys.platform == "linux":
    from workbench.devices.simulated.life import Life


def serve(options: PhoneOptions, *, as_json: bool = False, until_eof: bool = False) -> int:
    """Be a phone until SIGTERM, SIGINT or SIGHUP, or the end of stdin (``until_eof``); the exit code.

    Prints one line when the adb server lists the phone: its serial, or a JSON object that holds it.
    While ``until_eof``, the lines "authorize", "unplug" and "replug" on stdin are obeyed.
    Raises DeviceError where this system cannot simulate a phone, or adb cannot be reached.
    """
    if sys.platform != "linux":
        raise DeviceError(
            msg("A simulated phone needs Linux"),
            where=sys.platform,
            hint=msg("Run on this computer instead: --device host."),
        )
    asyncio.run(Life(options, as_json=as_json, until_eof=until_eof).live())
    return ExitCode.YES
