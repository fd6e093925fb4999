from __future__ import annotations

from collections.abc import Iterator

import pytest

from workbench.children.workers import Workers


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    with Workers() as workers:
        yield workers
