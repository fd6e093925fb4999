from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent import running
from tests.devices.host_agent.steps import DIGITS
from workbench.app import running as app_running
from workbench.children.workers import Workers
from workbench.core.protocol import (
    AgentOptions,
)
from workbench.core.run import RunConfig
from workbench.core.steps import Quiet
from workbench.devices import runtime
from workbench.devices.listing import host_device
from workbench.devices.runtime import python_runtime, runtime_for


def test_the_agent_needs_its_engine_numpy_and_psutil_only(options: AgentOptions, tmp_path: Path) -> None:
    blocked = ("msgspec", "platformdirs", "pluggy", "rich", "jinja2", "adbutils", "PySide6", "onnx", "onnxruntime")
    script = (
        "import sys\n"
        f"for name in {blocked!r}: sys.modules[name] = None\n"
        "sys.argv[1:] = ['--agent']\n"
        "import workbench.__main__\n"
    )
    assert running.run((sys.executable, "-c", script), tmp_path, options).code == 0


def test_a_frozen_application_is_its_own_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert python_runtime().argv == (sys.executable, "--agent")


@pytest.fixture
def artifact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The digits with their record and witness; this test's own cache and lock of the device."""
    for name in ("HOME", "XDG_CACHE_HOME", "WORKBENCH_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    out = tmp_path / "digits.mnn"
    argv = [sys.executable, "-m", "workbench", "convert", str(DIGITS / "digits.onnx"), "-o", str(out)]
    subprocess.run(argv, check=True, capture_output=True, env=dict(os.environ))
    return out


def test_this_computer_runs_an_artifact_with_an_agent_of_phones_and_without(
    artifact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Workers() as workers:

        def run() -> tuple[str, float | None, bool]:
            summary = app_running.run(artifact, "host", RunConfig(iterations=20), None, None, workers, Quiet())
            assert summary.latency_ms is not None
            assert summary.outputs is not None
            return str(summary.actual["agent"]), summary.outputs.max_rel_error, summary.outputs.right

        assert runtime_for(host_device()).parcels != ()
        agent, error, right = run()
        assert not agent.startswith("python-")
        assert right
        monkeypatch.setattr(runtime, "resources", lambda: tmp_path)  # a system for which no agent is shipped
        assert runtime_for(host_device()).parcels == ()
        assert run() == (running_name(), error, True)


def running_name() -> str:
    import workbench

    return f"python-{workbench.__version__}"
