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
    "attributes",
    [
        'nearest_mode = "ceil"',
        'nearest_mode = "round_prefer_ceil", coordinate_transformation_mode = "asymmetric"',
        'nearest_mode = "floor", coordinate_transformation_mode = "align_corners"',
    ],
)
def test_the_nearest(attributes: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g (float[1,2,4,5] x) => (float[1,2,7,9] y) {{ y = Resize <{attributes}> (x, , , s) }}",
        weights={"s": np.array([1, 2, 7, 9])},
    )
    assert_remedied(path, workers, "resize/nearest")


@pytest.mark.parametrize(
    "attributes",
    [
        'mode = "linear", antialias = 1',
        'mode = "linear", coordinate_transformation_mode = "half_pixel_symmetric"',
        'mode = "cubic"',
        'mode = "cubic", cubic_coeff_a = -0.5, exclude_outside = 1',
    ],
)
def test_what_is_interpolated(attributes: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g (float[1,2,6,5] x) => (float[1,2,A,B] y) {{ y = Resize <{attributes}> (x, , s) }}",
        weights={"s": np.array([1, 1, 0.6, 2.4], np.float32)},
    )
    assert_remedied(path, workers, "resize/interpolated")


def test_what_is_cropped(workers: Workers, tmp_path: Path) -> None:
    attributes = 'mode = "linear", coordinate_transformation_mode = "tf_crop_and_resize", extrapolation_value = 10.0'
    path = model(
        tmp_path,
        f"g (float[1,1,4,4] x) => (float[1,1,3,3] y) {{ y = Resize <{attributes}> (x, r, , s) }}",
        weights={"r": np.array([0, 0, 0.4, 0.6, 1, 1, 1.2, 1.7], np.float32), "s": np.array([1, 1, 3, 3])},
    )
    assert_remedied(path, workers, "resize/interpolated")


def test_some_axes_in_proportion(workers: Workers, tmp_path: Path) -> None:
    attributes = 'axes = [2, 3], keep_aspect_ratio_policy = "not_larger"'
    path = model(
        tmp_path,
        f"g (float[1,N,2,4] x) => (float[1,N,A,B] y) {{ y = Resize <{attributes}> (x, , , s) }}",
        weights={"s": np.array([7, 8])},
    )
    assert_remedied(path, workers, "resize/nearest")


@EXAMPLES
@given(st.data())
def test_whatever_the_mode(data: st.DataObject) -> None:
    mode = data.draw(st.sampled_from(["nearest", "linear", "cubic"]))
    coordinates = data.draw(
        st.sampled_from(["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"])
    )
    words = [f'mode = "{mode}"', f'coordinate_transformation_mode = "{coordinates}"']
    if mode == "nearest":
        rounding = data.draw(st.sampled_from(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]))
        words.append(f'nearest_mode = "{rounding}"')
    shape = (1, 2, *data.draw(st.tuples(st.integers(2, 6), st.integers(2, 6))))
    graph = f"g (float[1,2,{shape[2]},{shape[3]}] x) => (float[1,2,A,B] y) {{ y = Resize <{', '.join(words)}>"
    if data.draw(st.booleans()):
        sizes = data.draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
        assert_same(f"{graph} (x, , , s) }}", {"x": floats(*shape)}, {"s": np.array([1, 2, *sizes])})
    else:
        scales = data.draw(st.tuples(*[st.sampled_from([0.5, 0.6, 1.0, 1.5, 2.0, 2.4])] * 2))
        assert_same(f"{graph} (x, , s) }}", {"x": floats(*shape)}, {"s": np.array([1, 1, *scales], np.float32)})
