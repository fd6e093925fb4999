"""Memory of this process, as far as the system tells; -1 elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import psutil

UNKNOWN: Final = -1
_PROCESS: Final = psutil.Process()


def read_memory(*, with_pss: bool) -> dict[str, int]:
    """Kilobytes, with the keys of ``Memory`` in core/protocol.py. The share of pages takes a walk over all of them."""
    return {**_resident(), "pss_kb": _proportional() if with_pss else UNKNOWN}


def resident_kb() -> int:
    """What is in memory now: a call of 20 us."""
    return int(_PROCESS.memory_info().rss) >> 10


def reset_peak() -> None:
    """Let the peak count from now on, where the system can: Linux, for a process of its own user."""
    if sys.platform == "linux":
        try:
            Path("/proc/self/clear_refs").write_text("5")
        except OSError:  # a sandbox forbids it: then the peak counts from the start of the process
            return


def _resident() -> dict[str, int]:
    if sys.platform == "linux":  # not by ru_maxrss, which a child inherits from its parent there
        status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        keys = {"rss_kb": "VmRSS", "peak_kb": "VmHWM", "anon_kb": "RssAnon"}
        return {name: int(status[key].split()[0]) if key in status else UNKNOWN for name, key in keys.items()}
    if sys.platform == "win32":
        info = _PROCESS.memory_info()
        return {"rss_kb": info.rss >> 10, "peak_kb": info.peak_wset >> 10, "anon_kb": UNKNOWN}
    import resource  # noqa: PLC0415 - Windows has none

    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"rss_kb": resident_kb(), "peak_kb": peak_bytes >> 10, "anon_kb": UNKNOWN}


def _proportional() -> int:
    """psutil tells it on Linux alone."""
    return int(_PROCESS.memory_full_info().pss) >> 10 if sys.platform == "linux" else UNKNOWN
