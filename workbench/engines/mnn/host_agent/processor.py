"""How much of the processor a run can have."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from pathlib import Path
from typing import Final

_SECONDS: Final = 0.05  # a dozen scheduler ticks
_BLOCK: Final = bytes(1 << 16)


def cores_got(threads: int) -> float | None:
    """How many cores ``threads`` busy threads got just now; None where a thread's time is not told in fine steps.

    They hash, for which Python gives its lock away.
    """
    if sys.platform == "win32":  # its clock of a thread ticks in steps of 15.6 ms
        return None
    used = [0.0] * threads
    began = time.perf_counter()

    def spin(number: int) -> None:
        before = time.thread_time()
        while time.perf_counter() - began < _SECONDS:
            hashlib.sha256(_BLOCK).digest()
        used[number] = time.thread_time() - before

    others = [threading.Thread(target=spin, args=(number,)) for number in range(1, threads)]
    for other in others:
        other.start()
    spin(0)  # the calling thread is one of them: it measures afterwards, on a warm core
    for other in others:
        other.join()
    return sum(used) / (time.perf_counter() - began)


def thread_count() -> int | None:
    """Threads of this process; None where others than the program's own come and go among them."""
    if sys.platform != "linux":
        return None
    return len(list(Path("/proc/self/task").iterdir()))
