from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rewrites.proof import assert_remedied, model
from tests.rewrites.test_properties import EXAMPLES, assert_same
from workbench.children.workers import Workers

# MNN adds and compares whole numbers in float32: those of 16 bits are exact.
SMALL = "l = Mod(a, k) r = Mod(b, k)"
LIMIT = {"k": np.array(30000, np.int32)}


@pytest.mark.parametrize("op", ["BitwiseAnd", "BitwiseOr", "BitwiseXor"])
def test_bits_together(op: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g (int32[3,4] a, int32[4] b) => (int32[3,4] y) {{ {SMALL} y = {op}(l, r) }}",
        weights=LIMIT,
    )
    assert_remedied(path, workers, "bits/together")


def test_bits_inverted(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (int32[N,4] a) => (int32[N,4] y) { y = BitwiseNot(a) }")
    assert_remedied(path, workers, "bits/not")


@EXAMPLES
@given(st.data())
def test_whatever_the_bits(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["int32", "int64", "uint8", "uint16"]))
    low, high = {"int32": (-(1 << 31), (1 << 31) - 1), "int64": (-(1 << 31), (1 << 31) - 1)}.get(
        kind, (0, np.iinfo(kind).max)
    )
    op = data.draw(st.sampled_from(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]))
    numbers = st.lists(st.integers(low, high), min_size=6, max_size=6)
    a, b = (np.array(data.draw(numbers), kind) for _ in range(2))
    assert_same(f"g ({kind}[6] a, {kind}[6] b) => ({kind}[6] y) {{ y = {op}(a, b) }}", {"a": a, "b": b})


@EXAMPLES
@given(st.data())
def test_whatever_is_shifted(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["uint8", "uint16"]))
    direction = data.draw(st.sampled_from(["LEFT", "RIGHT"]))
    a = np.array(data.draw(st.lists(st.integers(0, np.iinfo(kind).max), min_size=6, max_size=6)), kind)
    b = np.array(data.draw(st.lists(st.integers(0, 7), min_size=6, max_size=6)), kind)
    graph = f'g ({kind}[6] a, {kind}[6] b) => ({kind}[6] y) {{ y = BitShift <direction = "{direction}"> (a, b) }}'
    assert_same(graph, {"a": a, "b": b})
