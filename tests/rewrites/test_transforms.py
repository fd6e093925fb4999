from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rewrites.proof import assert_remedied, model
from tests.rewrites.test_properties import EXAMPLES, assert_same, floats
from workbench.children.workers import Workers


@pytest.mark.parametrize(
    ("attributes", "sizes"), [("axis = 1", "2"), ("axis = 1, onesided = 1", "1"), ("axis = 1, inverse = 1", "2")]
)
def test_dft(attributes: str, sizes: str, workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, f"g (float[N,8,{sizes}] x) => (float[N,A,2] y) {{ y = DFT <{attributes}> (x) }}")
    assert_remedied(path, workers, "transforms/dft")


@pytest.mark.parametrize("attributes", ["strides = [2, 1]", "pads = [1, 0, 1, 0], dilations = [1, 2]"])
def test_col2im(attributes: str, workers: Workers, tmp_path: Path) -> None:
    count = {"s": 8, "p": 18}[attributes[0]]
    path = model(
        tmp_path,
        f"g (float[N,12,{count}] x) => (float[N,3,A,B] y) {{ y = Col2Im <{attributes}> (x, i, b) }}",
        weights={"i": np.array([5, 5]), "b": np.array([2, 2])},
    )
    assert_remedied(path, workers, "transforms/col2im")


@EXAMPLES
@given(st.data())
def test_whatever_the_transform(data: st.DataObject) -> None:
    size, parts = data.draw(st.integers(2, 9)), data.draw(st.integers(1, 2))
    words = [f"axis = {data.draw(st.sampled_from([1, 2]))}"]
    words.append(f"inverse = {data.draw(st.integers(0, 1))}" if parts == 2 else "onesided = 1")
    graph = f"g (float[2,{size},{size + 1},{parts}] x) => (float[A,B,C,2] y) {{ y = DFT <{', '.join(words)}>"
    if data.draw(st.booleans()):
        length = np.array(data.draw(st.integers(2, 12)))
        assert_same(f"{graph} (x, n) }}", {"x": floats(2, size, size + 1, parts)}, {"n": length})
    else:
        assert_same(f"{graph} (x) }}", {"x": floats(2, size, size + 1, parts)})
