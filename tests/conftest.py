"""What tests of several areas share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.app.services import Services
from workbench.children.workers import Workers
from workbench.core.errors import ExitCode

# Tests that compare with onnxruntime load it into this process: nothing may be sent from here either.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """Children that stay warm from test to test."""
    with Workers() as workers:
        yield workers


def _no_window(services: Services, path: Path | None, *, simulated: bool) -> ExitCode:
    raise AssertionError("a test opened the window by a command")


@pytest.fixture(scope="session")
def services() -> Iterator[Services]:
    """What commands need, without plugins; its children stay warm from test to test."""
    services = Services(_no_window, plugins_enabled=False)
    yield services
    services.close()
