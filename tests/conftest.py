"""What tests of several areas share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from workbench.children.workers import Workers

# Tests that compare with onnxruntime load it into this process: nothing may be sent from here either.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """Children that stay warm from test to test."""
    with Workers() as workers:
        yield workers
