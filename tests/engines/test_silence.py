"""The reference would tell its maker of every model that it opens, unless it is told not to before it is loaded."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from onnx import TensorProto, helper, save

import workbench

PACKAGE = Path(workbench.__file__).parent
SILENT = PACKAGE / "engines" / "ort" / "silent.py"
OPEN = (
    "from workbench.engines.ort.silent import onnxruntime\n"
    "onnxruntime.InferenceSession('m.onnx', providers=['CPUExecutionProvider'])\n"
)


def test_the_reference_leaves_no_device_id_behind(tmp_path: Path) -> None:
    """It writes one below the user's home before it sends anything; a build server's variables would keep it quiet."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "graph", [x], [y])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "m.onnx")
    home = tmp_path / "home"
    home.mkdir()
    variables = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    subprocess.run([sys.executable, "-c", OPEN], check=True, cwd=tmp_path, env={**variables, "HOME": str(home)})
    assert list(home.rglob("*")) == []


def test_nobody_loads_the_reference_past_its_silence() -> None:
    loading = {path for path in PACKAGE.rglob("*.py") if any(_imports(path))}
    assert loading == {SILENT}


def _imports(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return [name for name in names if name.split(".")[0] == "onnxruntime"]
