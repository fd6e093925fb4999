"""Waiting for a condition, in place of sleeping."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], what: str, *, timeout: float = 30.0) -> None:
    """Return as soon as ``condition`` holds; fail the test, naming ``what``, where it does not come true."""
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, f"waited {timeout:.0f} s for {what}"
        time.sleep(0.02)
