"""A simulated phone as a child process: how the window, the demo and the tests get one."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import TracebackType

from workbench.children.lifeline import end_by_eof
from workbench.core.errors import DeviceError
from workbench.core.messages import Message, msg
from workbench.devices.simulated.options import Faults, PhoneOptions

_HEALTHY_PHONE = PhoneOptions()
_START_TIMEOUT_S = 60.0
_STOP_TIMEOUT_S = 10.0


def command(options: PhoneOptions) -> list[str]:
    """The argv that starts the phone and lets it live until its stdin ends."""
    argv = [sys.executable, "-m", "workbench.devices.simulated", "--json", "--until-eof", "--port", str(options.port)]
    if options.abi:
        argv += ["--abi", options.abi]
    healthy = Faults()
    for entry in fields(Faults):
        value = getattr(options.faults, entry.name)
        if value != getattr(healthy, entry.name):
            argv += ["--fault", f"{entry.name}={int(value) if isinstance(value, bool) else value}"]
    return argv


@dataclass(frozen=True, slots=True)
class SimulatedPhone:
    """A running phone, known to the adb server as ``serial``. Leaving its context stops it."""

    serial: str
    process: subprocess.Popen[bytes]

    @property
    def pid(self) -> int:
        return self.process.pid

    def authorize(self) -> None:
        """Accept the key prompt, as a person does on the phone's screen."""
        self._tell("authorize")

    def unplug(self) -> None:
        """Pull the cable: every connection drops at once."""
        self._tell("unplug")

    def replug(self) -> None:
        """Put the cable back."""
        self._tell("replug")

    def stop(self) -> None:
        """Let the phone say goodbye to the adb server, and end it. Ends that process only."""
        end_by_eof(self.process, _STOP_TIMEOUT_S)

    def _tell(self, word: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(word.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise DeviceError(
                msg("The simulated phone is not running any more"),
                where=self.serial,
                hint=msg("Start another: workbench simulate."),
            ) from error

    def __enter__(self) -> SimulatedPhone:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start_simulated(options: PhoneOptions = _HEALTHY_PHONE, *, env: Mapping[str, str] | None = None) -> SimulatedPhone:
    """Start a phone and return once the adb server lists it.

    ``env`` replaces the environment (ANDROID_ADB_SERVER_PORT and HOME choose the server and key).
    Raises DeviceError with the phone's own words where it could not start.
    """
    process = subprocess.Popen(
        command(options),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=dict(os.environ if env is None else env),
    )
    assert process.stdout is not None
    answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=lambda: answers.put(process.stdout.readline()), daemon=True).start()  # type: ignore[union-attr]
    phone = SimulatedPhone("", process)
    try:
        answer = json.loads(answers.get(timeout=_START_TIMEOUT_S))
    except (queue.Empty, ValueError) as error:
        phone.stop()
        raise DeviceError(msg("The simulated phone did not start"), hint=msg("Its messages are on stderr.")) from error
    if "error" in answer:
        phone.stop()
        told = answer["error"]
        hint = Message("{text}", (("text", told["hint"]),)) if told["hint"] else None
        raise DeviceError(Message("{text}", (("text", told["what"]),)), where=told["where"], hint=hint)
    return SimulatedPhone(answer["serial"], process)
