"""The independent engine: a process of its own that is started again after a crash or a hang."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.conformance.arrays import Array, difference, widened

_SCRIPT: Final = Path(__file__).with_name("engine_process.py")
_SECONDS: Final = 20.0
_TASKS_A_PROCESS: Final = 50
_FILLED: Final = {"GLIBC_TUNABLES": "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"}


class Engine:
    """MNN in a warm child. Not thread-safe: each thread has its own.

    ``filled``: memory holds a pattern before it is written, so that nothing is right by luck (glibc).
    """

    def __init__(self, *, filled: bool = False) -> None:
        self._environment = os.environ | (_FILLED if filled else {})
        self._process: subprocess.Popen[bytes] | None = None
        self._tasks = 0

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.restart()

    def restart(self) -> None:
        """The next task gets a new process, whose memory no earlier model has touched."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
        self._tasks = 0

    def convert(self, model: Path, made: Path) -> str:
        """Convert with the engine's defaults; "" where a file was made, else what happened."""
        answer = self._ask({"do": "convert", "model": str(model), "made": str(made)})
        return str(answer.get("fault", "")) or ("" if answer["made"] else "rejected")

    def wrong(
        self,
        model: Path,
        inputs: dict[str, Array],
        expected: dict[str, Array],
        path: str,
        tolerance: float,
        *,
        winograd: bool,
    ) -> str:
        """Run ``model`` and compare; "" where all outputs are right, else the first fault."""
        folder = model.parent
        feeds = {name: folder / f"in{number}.npy" for number, name in enumerate(inputs)}
        files = {name: folder / f"out{number}.npy" for number, name in enumerate(expected)}
        for name, file in feeds.items():
            np.save(file, widened(inputs[name]))
        task = {
            "do": "run",
            "model": str(model),
            "path": path,
            "winograd": winograd,
            "inputs": {name: str(file) for name, file in feeds.items()},
            "outputs": {name: str(file) for name, file in files.items()},
        }
        answer = self._ask(task)
        if "fault" in answer:
            return str(answer["fault"])
        faults = (difference(np.load(file), expected[name], tolerance) for name, file in files.items())
        return next(filter(None, faults), "")

    def _ask(self, task: dict[str, Any]) -> dict[str, Any]:
        if self._tasks >= _TASKS_A_PROCESS:
            self.restart()
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(_SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._environment
            )
        self._tasks += 1
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(task).encode() + b"\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], _SECONDS)
        if not ready:
            self.restart()
            return {"fault": "hang"}
        line = process.stdout.readline()
        if not line:
            code = process.wait()
            self.restart()
            return {"fault": f"crash {-code}"}
        answer: dict[str, Any] = json.loads(line)
        return answer
