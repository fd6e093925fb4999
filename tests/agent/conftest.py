from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import pytest

from tests.agent import models, running

_MODELS: dict[str, Callable[[], onnx.ModelProto]] = {
    "conv": models.conv_net,
    "embedding": models.embedding,
    "branch": models.branch,
    "endless": models.endless,
}


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped agent, installed as on a phone."""
    return running.install(tmp_path_factory.mktemp("runtime"))


@pytest.fixture(scope="session")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Path of one of the models, converted when first asked for."""
    made: dict[str, Path] = {}

    def of(name: str) -> Path:
        if name not in made:
            made[name] = models.convert(_MODELS[name](), tmp_path_factory.mktemp(name))
        return made[name]

    return of
