"""What the tests of the agent do with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx

from tests.agent import models, running
from workbench.core.places import resources
from workbench.core.protocol import AgentOptions, Event

AGENT = (sys.executable, "-m", "workbench", "--agent")
REFUSED = 2
HOST_GONE = 1
DIGITS = resources() / "samples" / "digits"
Converted = Callable[[str], Path]


def long_inference() -> onnx.ModelProto:
    """150 GMAC: several seconds on a core, without a loop."""
    return models.conv_net(layers=64, channels=64, size=256)


MODELS: dict[str, Callable[[], onnx.ModelProto]] = {
    "digits": lambda: onnx.load(DIGITS / "digits.onnx"),
    "conv": models.conv_net,
    "branch": models.branch,
    "embedding": models.embedding,
    "endless": models.endless,
    "long": long_inference,
}


def images() -> np.ndarray:
    with np.load(DIGITS / "heldout.npz") as held_out:
        return held_out["image"][:3]


def close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        stream.close()


def started(folder: Path, options: AgentOptions, until: type[Event]) -> tuple[subprocess.Popen[bytes], list[Event]]:
    """An agent at work, and what it said up to its first ``until``."""
    process = running.start(AGENT, folder, options)
    heard = []
    for event in running.listen(process):
        heard.append(event)
        if isinstance(event, until):
            return process, heard
    raise AssertionError(heard)
