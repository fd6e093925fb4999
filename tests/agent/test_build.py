"""The shipped binary is what the sources give, and it serves every wheel of the engine."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from tests.agent import engines, golden, running

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "resources" / "agent" / "linux-x86_64"
PYTHON = ("Py", "_Py")
BUILD = ROOT / "packaging" / "agent" / "build.py"


def test_the_sources_give_the_shipped_binary(converted: golden.Converted, tmp_path: Path) -> None:
    """Byte for byte with equal tools; with others, a program that gives the kept stream."""
    argv = [sys.executable, str(BUILD), "--check", "--out", str(tmp_path / "built")]
    done = subprocess.run(argv, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["current"]
    assert verdict["equal"] or not verdict["comparable"]
    program = running.install(tmp_path / "runtime")
    for name in ("agent", "libpystub.so"):
        shutil.copyfile(tmp_path / "built" / name, program.parent / name)
    assert golden.stream(program, converted, tmp_path / "run", "session") == golden.kept("session")


def test_the_shipped_binary_names_no_path_of_the_computer_that_built_it() -> None:
    text = (SHIPPED / "agent").read_bytes()
    assert b"libmnnengine.so" in text
    for path in (str(ROOT), str(Path.home()), tempfile.gettempdir()):
        assert path.encode() not in text


def symbols(library: Path, kind: str, *starts: str) -> set[str]:
    """Names of dynamic symbols that begin with one of ``starts``, without their versions."""
    done = subprocess.run(["nm", "-D", kind, library], check=True, capture_output=True, text=True)
    names = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}
    return {name for name in names if name.startswith(starts)}


@pytest.mark.parametrize("wheel", engines.X86_64, ids=lambda wheel: wheel.python)
def test_the_stub_has_every_symbol_of_python_that_the_engine_wants(wheel: engines.Wheel) -> None:
    wanted = symbols(wheel.libraries["libmnnengine.so"], "--undefined-only", *PYTHON)
    assert len(wanted) > 50
    assert wanted <= symbols(SHIPPED / "libpystub.so", "--defined-only", *PYTHON)


@pytest.mark.parametrize("wheel", engines.X86_64, ids=lambda wheel: wheel.python)
def test_one_agent_runs_the_engine_of_every_wheel(
    wheel: engines.Wheel, converted: golden.Converted, tmp_path: Path
) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    for name in ("agent", "libpystub.so"):
        shutil.copy(SHIPPED / name, runtime / name)
    for name, path in wheel.libraries.items():
        (runtime / name).symlink_to(path)
    places = {"flow": (runtime / "agent", "control_flow"), "here": (runtime / "agent", "session")}
    places["there"] = (running.install(tmp_path / "installed"), "session")
    for place, (agent, name) in places.items():
        assert golden.stream(agent, converted, tmp_path / place, name) == golden.kept(name)
    for file in ("out0.raw", "out1.raw"):
        here, there = (np.fromfile(tmp_path / place / "out" / file, np.float32) for place in ("here", "there"))
        np.testing.assert_allclose(here, there, atol=1e-5)


def test_an_engine_of_another_version_is_refused(tmp_path: Path) -> None:
    """A library that only answers with its version and has the symbols that the agent is linked to."""
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    shutil.copy(SHIPPED / "agent", runtime / "agent")
    version = "_ZN3MNN10getVersionEv"
    body = f'const char* version(void) __asm__("{version}");\nconst char* version(void) {{ return "3.5.0"; }}\n'
    for name in symbols(SHIPPED / "agent", "--undefined-only", "_ZN") - {version}:
        body += f"void {name}(void) {{}}\n" if "3MNN" in name else ""
    (tmp_path / "engine.c").write_text(body)
    argv = ["gcc", "-shared", "-fPIC", str(tmp_path / "engine.c"), "-o", str(runtime / "libmnnengine.so")]
    subprocess.run(argv, check=True)
    shutil.copy(SHIPPED / "libpystub.so", runtime)
    ran = running.run(runtime / "agent", tmp_path, "{}")
    assert [type(event).__name__ for event in ran.events] == ["Hello", "Fault"]
    assert ran.last.stage == "load"
    assert ran.last.text == "the engine is MNN 3.5.0, this agent is made for 3.6.1"
