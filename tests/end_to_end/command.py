"""The command line as a person or a script has it: a process, its streams, its exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.waiting import wait_until

_TIMEOUT_S = 240.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The error of the document; stderr holds the same as one line, and no traceback."""
        document = self.document
        assert set(document) == {"schema", "error"}, document
        error: dict[str, Any] = document["error"]
        assert set(error) == {"kind", "where", "what", "hint"}
        self.assert_one_line()
        assert error["what"] in self.err
        assert error["hint"] is None or error["hint"] in self.err
        return error

    def assert_one_line(self) -> None:
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("workbench: ")
        assert "Traceback" not in self.err


class Command:
    """A command that runs. ``env`` marks every process that it starts."""

    def __init__(self, process: subprocess.Popen[str], mark: str) -> None:
        self.process = process
        self._mark = mark

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait_until_it_handles_signals(self) -> None:
        """Until Ctrl-C cancels: before, Python itself is starting."""
        caught = 1 << (signal.SIGTERM - 1)
        wait_until(lambda: bool(_caught_signals(self.pid) & caught), "the command to handle signals")

    def wait_until_it_speaks_to(self, port: int) -> None:
        """Until it has a connection to ``port``."""

        def connected() -> bool:
            found = psutil.Process(self.pid).net_connections("tcp4")
            return any(one.raddr and one.raddr.port == port for one in found)

        wait_until(connected, "the command to speak to adb")

    def worker(self, module: str) -> psutil.Process:
        """Its child that serves ``module``, as soon as there is one."""
        found: list[psutil.Process] = []

        def there() -> bool:
            found[:] = [child for child in psutil.Process(self.pid).children() if module in _command_line(child)]
            return bool(found)

        wait_until(there, f"a worker of {module}")
        return found[0]

    def worker_at(self, module: str, job: str) -> psutil.Process:
        """Its child that serves ``module``, as soon as it works in the folder ``job``."""

        def is_there() -> bool:
            try:
                return Path(self.worker(module).cwd()).name == job
            except psutil.NoSuchProcess:
                return False

        wait_until(is_there, f"{module} to work in {job}")
        return self.worker(module)

    def tell(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self, timeout: float = _TIMEOUT_S) -> Ended:
        """Wait for its end; nothing that it started goes on."""
        out, err = self.process.communicate(timeout=timeout)
        wait_until(lambda: not self.descendants(), "everything that the command started to end")
        return Ended(self.process.returncode, out, err)

    def descendants(self) -> list[int]:
        """Processes that carry its mark, itself and what it left behind included; not an adb server, which stays."""
        return [pid for pid in psutil.pids() if _has_mark(pid, self._mark) and not _is_adb(pid)]


class Workbench:
    """``workbench`` in the environment ``env``."""

    def __init__(self, env: Mapping[str, str], cwd: Path) -> None:
        self.env = {**env, "WORKBENCH_LANGUAGE": "en"}
        self.cwd = cwd
        self._started: list[Command] = []

    def start(self, *words: str | Path, **env: str | Path) -> Command:
        """Start a command; ``env`` is added to the environment."""
        mark = f"WORKBENCH_TEST_MARK={os.getpid()}-{id(self)}-{len(self._started)}"
        name, _, value = mark.partition("=")
        process = subprocess.Popen(
            [sys.executable, "-m", "workbench", *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**self.env, name: value, **{key: str(entry) for key, entry in env.items()}},
            cwd=self.cwd,
        )
        self._started.append(Command(process, mark))
        return self._started[-1]

    def close(self) -> None:
        """End what a failed test left behind: the phone it runs on is the next test's too."""
        for command in self._started:
            if command.process.poll() is None:
                command.tell(signal.SIGKILL)
                command.end()

    def __call__(self, *words: str | Path, **env: str | Path) -> Ended:
        return self.start(*words, **env).end()


def _caught_signals(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("SigCgt:")).split()[1], 16)


def _command_line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def _is_adb(pid: int) -> bool:
    try:
        return psutil.Process(pid).name() == "adb"
    except psutil.NoSuchProcess:
        return False


def _has_mark(pid: int, mark: str) -> bool:
    try:
        return mark.encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False  # ended meanwhile, or another user's
