"""A worker whose functions end in every way a child can end."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from typing import Any

from workbench.children.serve import Job, Refusal


def double(request: dict[str, Any], job: Job) -> dict[str, Any]:
    print("engine says hello")
    job.progress(0.5, "half way")
    (job.folder / "made.txt").write_text("made")
    return {"value": request["value"] * 2, "pid": os.getpid(), "cwd": os.getcwd()}


def refuse(request: dict[str, Any], job: Job) -> dict[str, Any]:
    raise Refusal("unsupported", "no such op", ops=["Frobnicate"])


def fail(request: dict[str, Any], job: Job) -> dict[str, Any]:
    raise RuntimeError("a fault of ours")


def crash(request: dict[str, Any], job: Job) -> dict[str, Any]:
    print("last words", flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)
    return {}


def hang(request: dict[str, Any], job: Job) -> dict[str, Any]:
    grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    (job.folder / "grandchild").write_text(str(grandchild.pid))
    (job.folder / "ready").touch()
    time.sleep(600)
    return {}


def grow(request: dict[str, Any], job: Job) -> dict[str, Any]:
    kept = []
    while True:
        kept.append(os.urandom(1 << 22))


def fill_pipe(request: dict[str, Any], job: Job) -> dict[str, Any]:
    sys.stdout.write("x" * (1 << 20))
    sys.stdout.flush()
    return {}


def fill_disk(request: dict[str, Any], job: Job) -> dict[str, Any]:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "big.npy")


FUNCTIONS = {f.__name__: f for f in (double, refuse, fail, crash, hang, grow, fill_pipe, fill_disk)}
