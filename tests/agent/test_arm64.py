"""The agent built for arm64, under qemu. ``python -m tests.agent.engines --arm64`` fetches its engine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.agent import engines, models, running
from tests.agent.test_build import BUILD
from workbench.core.protocol import Finished, Hello

QEMU = ("qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu")


@pytest.mark.soak
def test_the_arm64_agent_gives_the_numbers_of_this_computers(
    program: Path, converted: Callable[[str], Path], tmp_path: Path
) -> None:
    libraries = engines.ARM64.libraries
    runtime = tmp_path / "arm64"
    engine = str(libraries["libmnnengine.so"])
    argv = [sys.executable, str(BUILD), "--target", "aarch64", "--engine", engine, "--out", str(runtime)]
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    for name, path in libraries.items():
        shutil.copy(path, runtime / name)
    for model, inputs in (("conv", {"x": models.noise(1, 16, 32, 32)}), ("branch", {"x": models.noise(1, 4)})):
        here, there = tmp_path / model / "here", tmp_path / model / "arm64"
        options = running.prepare(here, converted(model), inputs)
        wanted = running.outputs(running.run(program, here, options), here)
        running.prepare(there, converted(model), inputs)
        ran = running.finish(running.start((*QEMU, runtime / "agent"), there, replace(options, threads=2)), [])
        assert isinstance(ran.events[0], Hello)
        assert ran.events[0].abi == "arm64-v8a"
        assert "asimd" in ran.events[0].cpu_flags
        assert isinstance(ran.last, Finished)
        for name, array in running.outputs(ran, there).items():
            np.testing.assert_allclose(array, wanted[name], atol=1e-4)
