"""MNN's own command-line tools install packages and send telemetry when imported. A conversion never does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench
from tests.engines.mnn.onnx_models import node, save, weights
from workbench.children.outcome import End
from workbench.children.workers import Workers
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.mnn import convert as convert_step
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted

SILENT = "tests.engines.mnn.silent_worker"
PLANS = (
    QuantPlan(),
    QuantPlan(LayerQuant(8)),
    QuantPlan(LayerQuant(4), hqq=True),
    QuantPlan(LayerQuant(8), half_floats=True),
)


@pytest.fixture
def own_workers() -> Iterator[Workers]:
    with Workers() as workers:
        yield workers


def test_conversions_of_every_kind_import_nothing_of_mnn_and_ask_for_no_socket(
    own_workers: Workers, opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(convert_step, "WORKER", SILENT)
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    constants = {"w": weights(16, 16, 3, 3)}
    source = save(tmp_path / "m.onnx", nodes, constants, {"x": (1, 16, 4, 4)}, {"y": (1, 16, 2, 2)})
    model = opened(source)
    for number, plan in enumerate(PLANS):
        folder = tmp_path / str(number)
        folder.mkdir()
        result = convert_model(model, source, plan, folder, own_workers, Quiet())
        assert isinstance(result, Converted), result
    told = own_workers.run(SILENT, "heard", {}, tmp_path, Quiet()).result
    assert told == {"heard": [], "modules": ["_tools"]}


def test_that_ear_hears_an_import_and_a_socket_ends_its_process(own_workers: Workers, tmp_path: Path) -> None:
    told = own_workers.run(SILENT, "import_engine", {}, tmp_path, Quiet())
    assert any(event.startswith("import MNN") for event in told.result["heard"])
    ended = own_workers.run(SILENT, "open_socket", {}, tmp_path, Quiet())
    assert (ended.end, ended.signal_name) == (End.CRASHED, "SIGSYS")


def test_no_source_file_imports_the_tools_of_mnn() -> None:
    package = Path(workbench.__file__).parent
    imported = {name for file in package.rglob("*.py") for name in _imports(file)}
    assert "_tools" in imported
    assert not {name for name in imported if name.startswith("MNN.tools")}


def _imports(file: Path) -> set[str]:
    names: set[str] = set()
    for statement in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            names |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            names |= {statement.module, *(f"{statement.module}.{alias.name}" for alias in statement.names)}
    return names
