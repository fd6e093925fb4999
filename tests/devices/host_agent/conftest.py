from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent import models, running
from tests.devices.host_agent.steps import MODELS, Converted, images
from workbench.core.protocol import AgentOptions


@pytest.fixture(scope="session")
def converted(tmp_path_factory) -> Converted:
    """The path of a model of MODELS, converted when first asked for."""
    made: dict[str, Path] = {}

    def of(name: str) -> Path:
        if name not in made:
            made[name] = models.convert(MODELS[name](), tmp_path_factory.mktemp(name))
        return made[name]

    return of


@pytest.fixture(scope="session")
def phones_agent(tmp_path_factory) -> Path:
    return running.install(tmp_path_factory.mktemp("runtime"))


@pytest.fixture
def options(converted: Converted, tmp_path: Path) -> AgentOptions:
    return running.prepare(tmp_path, converted("digits"), {"image": images()})
