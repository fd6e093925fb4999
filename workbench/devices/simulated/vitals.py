"""The phone's live readings: temperatures, clocks, battery and memory, written twice a second."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from workbench.devices.simulated import dumpsys
from workbench.devices.simulated.climate import PARTS, Climate
from workbench.devices.simulated.files import PhoneFiles

PERIOD_S: Final = 0.5
_SLOWEST_KHZ: Final = 300_000
_FASTEST_KHZ: Final = 3_187_200
_THERMAL: Final = "/sys/class/thermal"
_CPUFREQ: Final = "/sys/devices/system/cpu/cpu{core}/cpufreq/{name}"


class Vitals:
    """Measures what the phone's programs use and writes what its sensors would show.

    Memory is this computer's own: the phone's programs really live in it.
    """

    def __init__(self, files: PhoneFiles, *, has_thermal: bool) -> None:
        self._files = files
        self._has_thermal = has_thermal
        self._cores = os.cpu_count() or 1
        self._climate = Climate()
        self._measured_at = time.monotonic()
        self._used_s = _programs_cpu_seconds()
        files.write("/sys/devices/system/cpu/possible", f"0-{self._cores - 1}\n")
        for core in range(self._cores):
            for name, khz in (("cpuinfo_max_freq", _FASTEST_KHZ), ("cpuinfo_min_freq", _SLOWEST_KHZ)):
                files.write(_CPUFREQ.format(core=core, name=name), f"{khz}\n")
        if has_thermal:
            for index, part in enumerate(PARTS):
                files.write(f"{_THERMAL}/thermal_zone{index}/type", f"{part.zone}\n")
        files.write("/proc/cpuinfo", "".join(f"processor\t: {core}\n\n" for core in range(self._cores)))
        self._write()

    def tick(self) -> None:
        """Take the time since the last tick into account, and write every reading anew."""
        now = time.monotonic()
        used = _programs_cpu_seconds()
        elapsed = max(now - self._measured_at, 1e-3)
        busy = min(max((used - self._used_s) / elapsed, 0.0), float(self._cores))
        self._climate = self._climate.after(elapsed, busy)
        self._measured_at, self._used_s = now, used
        self._write()

    def _write(self) -> None:
        climate, files = self._climate, self._files
        files.update("/.phone/dumpsys/battery", dumpsys.battery(climate))
        thermal = dumpsys.thermal(climate) if self._has_thermal else dumpsys.thermal_absent()
        files.update("/.phone/dumpsys/thermalservice", thermal)
        files.update("/proc/meminfo", Path("/proc/meminfo").read_text(encoding="ascii"))
        if self._has_thermal:
            for index, celsius in enumerate(climate.temperatures):
                files.set_value(f"{_THERMAL}/thermal_zone{index}/temp", round(celsius * 1000))
        for core in range(self._cores):
            share = min(max(climate.busy - core, 0.0), 1.0) * climate.clock_share
            khz = _SLOWEST_KHZ + round((_FASTEST_KHZ - _SLOWEST_KHZ) * share)
            files.set_value(_CPUFREQ.format(core=core, name="scaling_cur_freq"), khz)


def _programs_cpu_seconds() -> float:
    """Processor time of everything the phone started: what has ended, and what still runs."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime + sum(_cpu_seconds(pid) for pid in descendants(os.getpid()))


def descendants(pid: int) -> Iterator[int]:
    """Processes below ``pid``. Reads the kernel's own lists: a walk over all of /proc takes 5 ms."""
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, _read(children).split()):
            yield child
            yield from descendants(child)


def _cpu_seconds(pid: int) -> float:
    # The name, in parentheses, may hold anything; utime and stime are the 12th and 13th field after it.
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""  # it ended meanwhile
