from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.children.workers import Workers
from workbench.core.graph import Model
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted, ConvertResult
from workbench.formats.onnx.importer import open_onnx


@pytest.fixture
def opened(workers: Workers) -> Callable[[Path], Model]:
    return lambda path: open_onnx(path, workers, Quiet())


@pytest.fixture
def convert(workers: Workers, tmp_path: Path) -> Callable[[Path, QuantPlan], ConvertResult]:
    def run(path: Path, plan: QuantPlan = QuantPlan()) -> ConvertResult:
        folder = tmp_path / "conversion"
        folder.mkdir(exist_ok=True)
        return convert_model(open_onnx(path, workers, Quiet()), path, plan, folder, workers, Quiet())

    return run


@pytest.fixture
def converted(convert) -> Callable[[Path, QuantPlan], Converted]:
    def run(path: Path, plan: QuantPlan = QuantPlan()) -> Converted:
        result = convert(path, plan)
        assert isinstance(result, Converted), result
        return result

    return run
