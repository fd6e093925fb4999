from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import pytest

from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.graph import Model
from workbench.core.steps import Quiet
from workbench.formats.onnx.importer import IMPORTER
from workbench.formats.registry import open_model

Open = Callable[[Path], Model]
OpenProto = Callable[[onnx.ModelProto], Model]
Refused = Callable[[Path], BadInput]


@pytest.fixture
def opened(workers: Workers) -> Open:
    return lambda path: open_model(path, (IMPORTER,), workers, Quiet())


@pytest.fixture
def opened_proto(opened: Open, tmp_path: Path) -> OpenProto:
    def open_proto(proto: onnx.ModelProto) -> Model:
        path = tmp_path / "model.onnx"
        path.write_bytes(proto.SerializeToString())
        return opened(path)

    return open_proto


@pytest.fixture
def refused(opened: Open) -> Refused:
    """The refusal of a file, after what every refusal must be: one plain line with what, where and a hint."""

    def refuse(path: Path) -> BadInput:
        with pytest.raises(BadInput) as caught:
            opened(path)
        error = caught.value
        assert error.where == str(path)
        assert error.hint is not None
        assert "\n" not in str(error)
        assert "Traceback" not in str(error)
        return error

    return refuse
