"""Installed plugins that print, block, end the program or fail: what a command makes of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import onnx
import pytest

from workbench import plugins as plugins_module
from workbench.plugins import GROUP, Plugins

IMPORTER = """\
import os, sys
from workbench.core.graph import Graph, Model
from workbench.formats.registry import Importer
from workbench.plugins import hookimpl

def say(text):
    print(text)
    os.write(1, text.encode() + b"\\n")  # as native code does

def open_file(path, workers, ctx):
    say("opening")
    return Model(str(path), "toy", 3, "", {}, Graph("toy", "", (), (), (), (), {}))

@hookimpl
def importers():
    say("asked")
    return (Importer("Toy", (".toy",), lambda head: head.startswith(b"TOY"), open_file),)

say("imported")
"""

SILENT_IMPORTER = IMPORTER.replace('    print(text)\n    os.write(1, text.encode() + b"\\n")', "    pass")


def install(site: Path, name: str, source: str) -> None:
    """A package ``name`` with the entry point of a plugin, as pip leaves it."""
    (site / f"{name}.py").write_text(source)
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}\n")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    made = tmp_path / "site"
    made.mkdir()
    return made


def plan(site: Path, model: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(site), "WORKBENCH_HOME": str(site / "home"), "WORKBENCH_LANGUAGE": "en"}
    command = [sys.executable, "-m", "workbench", "plan", str(model), *words]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=120, check=False)


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    path = tmp_path / "m.toy"
    path.write_bytes(b"TOY")
    return path


def test_what_a_plugin_prints_goes_to_stderr(site: Path, toy: Path) -> None:
    install(site, "noisy", IMPORTER)
    ended = plan(site, toy, "--json")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("\n") == 1
    assert json.loads(ended.stdout)["schema"] == "workbench.plan/1"
    for text in ("imported", "asked", "opening"):
        assert ended.stderr.count(text) >= 2


@pytest.mark.parametrize(
    "source",
    ["raise RuntimeError('it is broken')", "import no_such_module_anywhere", "def f(:", "import sys; sys.exit(0)",
     "raise KeyboardInterrupt", "raise BaseException('odd')"],
)  # fmt: skip
def test_a_plugin_that_fails_is_one_line_on_stderr_and_changes_no_answer(site: Path, toy: Path, source: str) -> None:
    install(site, "broken", source)
    install(site, "good", SILENT_IMPORTER)
    ended = plan(site, toy, "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["schema"] == "workbench.plan/1"
    (line,) = ended.stderr.splitlines()
    assert line.startswith("workbench: The plugin broken failed and was switched off: ")
    assert "--no-plugins" in line
    without = plan(site, toy, "--json", "--no-plugins")
    assert without.returncode == 2
    assert "broken" not in without.stderr


def test_a_plugin_that_fails_at_its_work_is_told_once(site: Path, toy: Path) -> None:
    install(site, "broken", SILENT_IMPORTER.replace('say("opening")', "raise RuntimeError('no')"))
    ended = plan(site, toy, "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["error"]["kind"] == "internal"
    (line,) = ended.stderr.splitlines()
    assert "The plugin broken failed" in line


def test_a_model_that_the_program_opens_itself_needs_no_plugin(site: Path, tmp_path: Path) -> None:
    install(site, "broken", "open('loaded', 'w')\nraise RuntimeError")
    value = onnx.helper.make_tensor_value_info
    node = onnx.helper.make_node("Relu", ["x"], ["y"])
    graph = onnx.helper.make_graph([node], "relu", [value("x", 1, [4])], [value("y", 1, [4])])
    onnx.save(onnx.helper.make_model(graph, ir_version=8), tmp_path / "m.onnx")
    ended = plan(site, tmp_path / "m.onnx", "--json")
    assert (ended.returncode, ended.stderr) == (0, "")


class Blocking:
    """Loading its ``plugin`` waits, as an import that asks a server does."""

    released = threading.Event()

    @property
    def plugin(self) -> object:
        self.released.wait()
        return None


BLOCKING = Blocking()
SILENT = object()


def test_a_plugin_that_does_not_end_to_load_is_switched_off_and_the_next_one_loads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = (("blocking", f"{__name__}:BLOCKING.plugin"), ("silent", f"{__name__}:SILENT"))
    made = EntryPoints(EntryPoint(name, target, GROUP) for name, target in points)
    monkeypatch.setattr(plugins_module, "entry_points", lambda group: made.select(group=group))
    monkeypatch.setattr(plugins_module, "LOAD_SECONDS", 0.2)
    plugins = Plugins()
    try:
        plugins.load_installed()
    finally:
        BLOCKING.released.set()
    assert plugins.names == ("built-in", "silent")
    (fault,) = plugins.faults
    assert fault.plugin == "blocking"
    assert "not loaded within 0.2 s" in str(fault.what)
