from __future__ import annotations

from pathlib import Path

import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize("kind", ["float16", "double"])
def test_floats_of_other_sizes(kind: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g ({kind}[N,3] x, {kind}[N,3] z) => (bool[N,3] y, {kind}[N,3] s) {{ y = Less(x, z) s = Add(x, z) }}",
    )
    assert_remedied(path, workers, "compare/less", "types/floats")


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16"])
def test_integers_of_other_sizes(kind: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path, f"g ({kind}[N,3] x) => (bool[N,3] y, {kind}[3,N] s) {{ y = Cast <to = 9> (x) s = Transpose(x) }}"
    )
    assert_remedied(path, workers, "compare/to-bool", "types/integers")


@pytest.mark.parametrize(("kind", "to"), [("int32", "uint8"), ("uint8", "int8")])
def test_a_cast_that_wraps_around(kind: str, to: str, workers: Workers, tmp_path: Path) -> None:
    number = {"uint8": 2, "int8": 3}[to]
    path = model(tmp_path, f"g ({kind}[2,N] x) => ({to}[2,N] y) {{ y = Cast <to = {number}> (x) }}")
    assert_remedied(path, workers, "types/wrapped", "types/integers")
