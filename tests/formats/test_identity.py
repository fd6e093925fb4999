from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from workbench.core.errors import BadInput, Cancelled
from workbench.core.messages import Message
from workbench.core.steps import Quiet
from workbench.formats.identity import sha256_of


class Listening(Quiet):
    def __init__(self, stop_at: float = 2.0) -> None:
        self.fractions: list[float] = []
        self._stop_at = stop_at

    def progress(self, fraction: float | None, text: Message) -> None:
        assert fraction is not None
        self.fractions.append(fraction)
        if fraction >= self._stop_at:
            raise Cancelled


def test_the_hash_is_that_of_the_bytes_and_progress_rises_to_one(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    content = bytes(range(256)) * (80 << 10)
    path.write_bytes(content)
    ctx = Listening()
    assert sha256_of(path, ctx) == hashlib.sha256(content).hexdigest()
    assert ctx.fractions == sorted(ctx.fractions)
    assert len(ctx.fractions) == 3
    assert ctx.fractions[-1] == 1.0


def test_hashing_stops_when_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(bytes(20 << 20))
    ctx = Listening(stop_at=0.1)
    with pytest.raises(Cancelled):
        sha256_of(path, ctx)
    assert len(ctx.fractions) == 1


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        sha256_of(tmp_path / "absent", Quiet())
