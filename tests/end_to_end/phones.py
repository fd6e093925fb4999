"""A simulated phone seen from its own side: its processes and files."""

from __future__ import annotations

from dataclasses import dataclass

import psutil

from tests.adb_server import PrivateAdb
from tests.waiting import wait_until
from workbench.devices.adb import FOLDER
from workbench.devices.simulated.process import SimulatedPhone


def is_agent(process: psutil.Process) -> bool:
    """Whether it is the agent, and runs: one that has ended or was not waited for has no command line."""
    try:
        return any(word.endswith("/agent") for word in process.cmdline()[:1])
    except psutil.NoSuchProcess:
        return False


@dataclass(frozen=True, slots=True)
class Handset:
    """A phone in a person's hand."""

    adb: PrivateAdb
    phone: SimulatedPhone

    @property
    def serial(self) -> str:
        return self.phone.serial

    def agents(self) -> list[psutil.Process]:
        """Agents that run on the phone."""
        return [process for process in psutil.Process(self.phone.pid).children(recursive=True) if is_agent(process)]

    def agent(self) -> psutil.Process:
        """The agent, as soon as it runs."""
        wait_until(lambda: bool(self.agents()), "the agent to run")
        return self.agents()[0]

    def shell(self, command: str) -> str:
        done = self.adb.run("-s", self.serial, "shell", command)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    def entries(self) -> set[str]:
        """What Workbench keeps there."""
        return set(self.shell(f"ls {FOLDER} 2>/dev/null || true").split())

    def assert_at_rest(self) -> None:
        """Nothing runs, and no run left anything but what the next one uses again."""
        wait_until(lambda: not self.agents(), "the agent to end")
        wait_until(lambda: not self.entries() & {"run", "lock"}, "the run's folder and the lock to go")
