from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.children.workers import Workers
from workbench.core.graph import Model
from workbench.core.steps import Quiet
from workbench.formats.onnx.importer import open_onnx


@pytest.fixture
def opened(workers: Workers) -> Callable[[Path], Model]:
    return lambda path: open_onnx(path, workers, Quiet())
