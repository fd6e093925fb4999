"""The first-party plugin, installed and found as a user's would be."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.graph import Graph, Initializer, Model, Node, Subgraph, Tensor
from workbench.core.messages import msg
from workbench.core.verdict import Status, Verdict

SOURCE = Path(__file__).parents[2] / "plugins" / "csv_export"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the plugin in it."""
    target = tmp_path_factory.mktemp("site")
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(SOURCE)],
        check=True,
        timeout=120,
    )
    return target


def python(site: Path, code: str, *arguments: str) -> str:
    path = f"import sys; sys.path.insert(0, {str(site)!r})\n"
    return subprocess.run(
        [sys.executable, "-c", path + code, *arguments], check=True, capture_output=True, text=True, timeout=120
    ).stdout


def test_the_installed_plugin_is_loaded_only_when_asked(site: Path) -> None:
    code = """
import json
from workbench.plugins import Plugins
plugins = Plugins()
before = [plugins.names, "workbench_csv_export" in sys.modules]
plugins.load_installed()
print(json.dumps([before, plugins.names, [e.name for e in plugins.exporters()], [str(f.what) for f in plugins.faults]]))
"""
    before, names, exporters, faults = json.loads(python(site, code))
    assert before == [["built-in"], False]
    assert names == ["built-in", "csv_export"]
    assert exporters == ["Layers as CSV"]
    assert faults == []


@pytest.fixture
def write_layers(site: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.syspath_prepend(str(site))
    from workbench_csv_export import write_layers

    return write_layers


def model_of(*nodes: Node, initializers: tuple[Initializer, ...] = (), tensors: tuple[Tensor, ...] = ()) -> Model:
    inner = Graph("", "y/body", (Node("y/body/z", "inner", "Neg", "", ("y",), ("z",)),), (), (), (), {})
    graph = Graph(
        "g", "", nodes, (), (), initializers, {t.name: t for t in tensors}, (Subgraph("y", "body", inner),)
    )  # fmt: skip
    return Model("m.onnx", "onnx", 1, "", {}, graph)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_layer_is_a_row_with_its_shape_weights_and_verdict(write_layers, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    model = model_of(
        Node("y", "/conv", "Conv", "", ("x", "w"), ("y",)),
        initializers=(Initializer("w", "float32", (4, 3, 3, 3), 432),),
        tensors=(Tensor("y", "float32", ("N", 4, None, 6)),),
    )
    verdicts = {"y": Verdict("y", "/conv", "Conv", Status.WRONG, msg("differs by {x}", x=2))}
    write_layers(model, verdicts, tmp_path / "out.csv")
    row, inner = rows_of(tmp_path / "out.csv")
    assert row == {
        "id": "y", "name": "/conv", "op": "Conv", "domain": "", "inputs": "x w", "outputs": "y", "dtype": "float32",
        "shape": "Nx4x?x6", "parameters": "108", "weight_bytes": "432", "status": "wrong", "reason": "differs by 2",
        "fix": "",
    }  # fmt: skip
    assert (inner["id"], inner["op"], inner["status"]) == ("y/body/z", "Neg", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_a_name_never_becomes_a_formula(write_layers, tmp_path: Path, start: str) -> None:  # type: ignore[no-untyped-def]
    name = f"{start}cmd|' /C calc'!A0"
    write_layers(model_of(Node(name, name, "Relu", "", (name,), (name,))), None, tmp_path / "out.csv")
    row = rows_of(tmp_path / "out.csv")[0]
    assert row["id"] == row["name"] == row["inputs"] == f"'{name}"


def test_names_with_commas_quotes_and_line_breaks_stay_one_cell(write_layers, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    name = 'a,"b"\r\n层'
    write_layers(model_of(Node(name, "", "Relu", "", (), (name,))), None, tmp_path / "out.csv")
    text = (tmp_path / "out.csv").read_bytes().decode()
    assert '\r\n"a,""b""\r\n层",' in text
    assert text.endswith("\r\n")
    assert rows_of(tmp_path / "out.csv")[0]["id"] == name
