from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import workbench

PACKAGE = Path(workbench.__file__).parent
WORKERS = sorted(
    ".".join(("workbench", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in PACKAGE.rglob("*worker.py")
)
FOREIGN = ("msgspec", "psutil", "platformdirs", "pluggy", "rich", "jinja2", "adbutils", "PySide6", "pyqtgraph")


def test_there_are_workers() -> None:
    assert "workbench.engines.mnn.run_worker" in WORKERS


@pytest.mark.parametrize("module", WORKERS)
def test_a_worker_needs_its_engine_and_numpy_only(module: str) -> None:
    """Another version of an engine may live in an environment that has nothing else of ours."""
    script = (
        "import sys\n"
        f"blocked = {FOREIGN!r}\n"
        "for name in blocked: sys.modules[name] = None\n"
        f"import {module}\n"
        f"assert {module}.FUNCTIONS\n"
        "assert not [name for name in sys.modules if name.startswith('MNN.tools')]\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
