"""The simulated phone itself: its files, programs, readings, lock and faults."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final

from workbench.core.abi import host_abi
from workbench.devices.simulated.auth import Lock, key_files
from workbench.devices.simulated.emulation import Emulation, find_emulator
from workbench.devices.simulated.files import HOME, PhoneFiles, abandoned_roots, remove_root
from workbench.devices.simulated.options import PhoneOptions
from workbench.devices.simulated.programs import Programs, kill_marked
from workbench.devices.simulated.properties import BANNER, dumpsys_script, getprop_script, properties
from workbench.devices.simulated.vitals import PERIOD_S, Vitals

_SYSROOT_VARIABLE: Final = "WORKBENCH_SYSROOT"
"""Where programs on the phone find its ``/sys`` and ``/proc/meminfo``: a folder that stands for ``/``."""
_DF_HEAD: Final = "Filesystem     1K-blocks     Used Available Use% Mounted on\n"
_STORAGE_KB: Final = 110_298_112


class Phone:
    """Everything but the cable. Raises DeviceError where this computer cannot run its programs."""

    def __init__(self, options: PhoneOptions, serial_number: str) -> None:
        self.faults = options.faults
        self.unplug = asyncio.Event()
        abi = options.abi or host_abi()
        emulator = find_emulator(abi)
        for root in abandoned_roots():
            kill_marked(f"{_SYSROOT_VARIABLE}={root}")
            remove_root(root)
        self.files = PhoneFiles()
        self._emulation = Emulation(abi, emulator, self.files.root)
        self.lock = Lock(key_files(os.environ, Path.home()), refuses=self.faults.unauthorized)
        if self.faults.authorize_after is None:
            self.lock.granted.set()
        values = properties(abi, serial_number)
        self.banner = "".join(f"{name}={values[name]};" for name in BANNER)
        self.programs = Programs(self._environment(), self.files.root)
        self._pushed = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._install("getprop", getprop_script(values))
        self._install("dumpsys", dumpsys_script(str(self.files.path("/.phone/dumpsys"))))
        if self.faults.no_space is not None:
            self._install("df", f"#!/bin/sh\ncat {self.files.path('/.phone/df')}\n")
            self._tell_space()
        self.files.path("/.phone/dumpsys").mkdir()
        self._vitals = Vitals(self.files, has_thermal=not self.faults.no_thermal)

    def command_line(self, command: str) -> str:
        """A command as this computer's shell must get it."""
        return self._emulation.in_command(self.files.in_command(command))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Let ``work`` go on by itself."""
        task = asyncio.create_task(work)
        self._tasks.add(task)  # the event loop itself keeps no reference
        task.add_done_callback(self._tasks.discard)

    async def live(self) -> None:
        """Keep the readings moving."""
        while True:
            await asyncio.sleep(PERIOD_S)
            self._vitals.tick()

    def started(self) -> None:
        """The clock of ``authorize_after`` starts."""
        if self.faults.authorize_after is not None:
            asyncio.get_running_loop().call_later(self.faults.authorize_after, self.lock.granted.set)

    def came_online(self) -> None:
        """The host was let in: the clock of ``unplug_after`` starts."""
        if self.faults.unplug_after is not None:
            asyncio.get_running_loop().call_later(self.faults.unplug_after, self.unplug.set)

    def take_space(self, count: int) -> bool:
        """Account for ``count`` pushed bytes; False where they do not fit."""
        limit = self.faults.no_space
        if limit is not None and self._pushed + count > limit:
            return False
        self._pushed += count
        if limit is not None:
            self._tell_space()
        if self.faults.unplug_in_push is not None and self._pushed > self.faults.unplug_in_push:
            self.unplug.set()
        return True

    def end(self) -> None:
        """Switch the phone off: no program goes on, no file stays."""
        kill_marked(f"{_SYSROOT_VARIABLE}={self.files.root}")
        self.files.remove()

    def _environment(self) -> dict[str, str]:
        home = str(self.files.path(HOME))
        return {
            "PATH": f"{self.files.path('/system/bin')}:/usr/bin:/bin",
            "HOME": home,
            "TMPDIR": home,
            "ANDROID_ROOT": "/system",
            "ANDROID_DATA": "/data",
            "LANG": "C.UTF-8",
            _SYSROOT_VARIABLE: str(self.files.root),
        }

    def _install(self, name: str, script: str) -> None:
        self.files.write(f"/system/bin/{name}", script, 0o755)

    def _tell_space(self) -> None:
        left = max((self.faults.no_space or 0) - self._pushed, 0) // 1024
        used = _STORAGE_KB - left
        row = f"/dev/block/dm-44 {_STORAGE_KB} {used} {left} {round(100 * used / _STORAGE_KB)}% /data\n"
        self.files.update("/.phone/df", _DF_HEAD + row)
