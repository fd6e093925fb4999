"""Warm workers: an idle one is used again, a used-up or faulty one is replaced."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import End, Limits, Outcome
from workbench.children.process import WorkerProcess, worker_argv
from workbench.core.steps import Context

_JOBS_A_WORKER: Final = 50
_IDLE_A_MODULE: Final = 2
_HEALTHY = (End.OK, End.REFUSED)


class Workers:
    """Runs worker functions in child processes. One object a session; close it at the end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[tuple[str, ...], list[WorkerProcess]] = {}
        self._busy: set[WorkerProcess] = set()
        # Linux ties "die with the parent" to the thread that forked, so one thread starts all workers.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="worker starter")
        self._closed = False

    def run(
        self,
        module: str,
        function: str,
        request: Mapping[str, Any],
        folder: Path,
        ctx: Context,
        limits: Limits = Limits(),
        *,
        interpreter: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Outcome:
        """Run ``FUNCTIONS[function]`` of worker ``module`` on ``request`` with ``folder`` as its cwd.

        ``folder`` is the caller's (see scratch.py) and holds the job's files. Raises Cancelled.
        """
        ctx.check()
        argv = worker_argv(module, interpreter)
        env = dict(environment or {})
        key = (*argv, *(f"{name}={value}" for name, value in sorted(env.items())))
        worker = self._take(key, argv, env)
        outcome: Outcome | None = None
        try:
            outcome = worker.run(function, request, folder, limits, ctx)
        finally:
            self._give_back(key, worker, healthy=outcome is not None and outcome.end in _HEALTHY)
        return outcome

    def pids(self) -> tuple[int, ...]:
        """Process ids of the workers that run a job now."""
        with self._lock:
            return tuple(worker.pid for worker in self._busy)

    def _take(self, key: tuple[str, ...], argv: list[str], environment: Mapping[str, str]) -> WorkerProcess:
        with self._lock:
            idle = self._idle.get(key, [])
            worker = next((idle.pop(i) for i in range(len(idle) - 1, -1, -1) if idle[i].is_alive), None)
        if worker is None:
            worker = self._starter.submit(WorkerProcess, argv, environment).result()
        with self._lock:
            self._busy.add(worker)
        return worker

    def _give_back(self, key: tuple[str, ...], worker: WorkerProcess, *, healthy: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            idle = self._idle.setdefault(key, [])
            keep = healthy and worker.jobs < _JOBS_A_WORKER and len(idle) < _IDLE_A_MODULE and not self._closed
            if keep:
                idle.append(worker)
        if not keep:
            worker.kill()

    def close(self) -> None:
        """End every worker, those at work too."""
        with self._lock:
            self._closed = True
            workers = [worker for idle in self._idle.values() for worker in idle] + list(self._busy)
            self._idle.clear()
        for worker in workers:
            worker.kill()
        self._starter.shutdown()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
