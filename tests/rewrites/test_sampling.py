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
    ("attributes", "points", "rules"),
    [
        ('mode = "nearest"', "Sign", ["arithmetic/round", "compare/where"]),  # in the middle between two places
        ('mode = "cubic", align_corners = 1', "Tanh", ["compare/where"]),
        ('padding_mode = "reflection"', "Tanh", []),
    ],
)
def test_grids(attributes: str, points: str, rules: list[str], workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[1,2,6,6] x, float[1,3,3,2] g) => (float[1,2,3,3] y)
        {{ t = {points}(g) w = Mul(t, k) y = GridSample <{attributes}> (x, w) }}""",
        opset=20,
        weights={"k": np.array(1.3 if points == "Tanh" else 1.0, np.float32)},
    )
    assert_remedied(path, workers, "sampling/grid", "indices/gather-elements", *rules)


@pytest.mark.parametrize("attributes", ["offset_group = 2", "pads = [1, 0, 1, 0], strides = [2, 1]"])
def test_deformed_convolutions(attributes: str, workers: Workers, tmp_path: Path) -> None:
    groups, sizes = (2, "4,4") if "group" in attributes else (1, "3,4")
    path = model(
        tmp_path,
        f"""g (float[1,4,5,5] x, float[1,{8 * groups},{sizes}] o) => (float[1,3,{sizes}] y)
        {{ t = Tanh(o) y = DeformConv <kernel_shape = [2, 2], {attributes}> (x, w, t, b) }}""",
        opset=19,
        weights={"w": np.random.default_rng(0).standard_normal((3, 4, 2, 2), np.float32), "b": np.ones(3, np.float32)},
    )
    assert_remedied(path, workers, "sampling/deformed", "indices/gather-elements", "compare/where")


@EXAMPLES
@given(st.data())
def test_whatever_the_grid(data: st.DataObject) -> None:
    mode = data.draw(st.sampled_from(["nearest", "linear", "cubic"]))
    padding = data.draw(st.sampled_from(["zeros", "border", "reflection"]))
    words = f'mode = "{mode}", padding_mode = "{padding}", align_corners = {data.draw(st.integers(0, 1))}'
    height, width = data.draw(st.integers(2, 6)), data.draw(st.integers(2, 6))
    graph = f"g (float[2,3,{height},{width}] x, float[2,4,5,2] g) => (float[2,3,4,5] y)"
    feeds = {"x": floats(2, 3, height, width), "g": floats(2, 4, 5, 2, seed=data.draw(st.integers(0, 99)))}
    assert_same(f"{graph} {{ y = GridSample <{words}> (x, g) }}", feeds)
