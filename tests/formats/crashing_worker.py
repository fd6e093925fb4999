"""The ONNX reader with a native crash in it."""

from __future__ import annotations

import os
import signal
from typing import Any

from workbench.children.serve import Job
from workbench.formats.onnx import worker


def read(request: dict[str, Any], job: Job) -> dict[str, Any]:
    if request["infer"] or "deadly" in request["path"]:
        os.kill(os.getpid(), signal.SIGSEGV)
    return worker.read(request, job)


FUNCTIONS = {"read": read}
