"""What the measuring thread has got to, for the threads that watch it."""

from __future__ import annotations

import threading
import time

from workbench.engines.mnn.host_agent.memory import read_memory


class RunState:
    """``began_ns``: the agent's start on time.perf_counter_ns. ``n`` counts steady runs."""

    def __init__(self) -> None:
        self.began_ns = time.perf_counter_ns()
        self.n = 0
        self._stop = threading.Event()
        self._steady: tuple[int, int] | None = None
        self._took: tuple[int, int] | None = None

    def request_stop(self) -> None:
        self._stop.set()

    @property
    def stop_requested(self) -> bool:
        return self._stop.is_set()

    def begin_steady(self) -> None:
        self._steady = time.perf_counter_ns(), time.process_time_ns()

    def end_steady(self) -> None:
        self._took = self._elapsed()

    def finished(self, reason: str, outputs: list[dict[str, object]]) -> dict[str, object]:
        """The last event's figures as they stand now. No sample is dropped here: a slow host slows the run."""
        wall_ns, cpu_ns = self._took or self._elapsed()
        return {
            "reason": reason,
            "n": self.n,
            "dropped": 0,
            "wall_ms": wall_ns / 1e6,
            "cpu_ms": cpu_ns / 1e6,
            "memory": read_memory(with_pss=True),
            "outputs": outputs,
        }

    def _elapsed(self) -> tuple[int, int]:
        if self._steady is None:
            return 0, 0
        wall_ns, cpu_ns = self._steady
        return time.perf_counter_ns() - wall_ns, time.process_time_ns() - cpu_ns
