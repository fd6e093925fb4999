from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from workbench.engines.compare import compare
from workbench.engines.comparison import EXACT, NONFINITE, SHAPE

FLOATS = st.floats(-1e6, 1e6, width=32)
SHAPES = array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)


@given(arrays(np.float32, SHAPES, elements=st.floats(width=32)))
@settings(max_examples=60, deadline=None)
def test_an_output_is_equal_to_itself(array) -> None:
    found = compare(array.copy(), array)
    assert (found.fault, found.max_abs, found.relative_l2) == ("", 0.0, 0.0)
    assert found.cosine == pytest.approx(1.0)


@given(arrays(np.float32, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=FLOATS), st.data())
@settings(max_examples=60, deadline=None)
def test_one_moved_value_is_the_largest_error(array, data) -> None:
    position = data.draw(st.integers(0, array.size - 1))
    got = array.astype(np.float64)
    got.reshape(-1)[position] += 3.0
    found = compare(got, array)
    assert found.max_abs == pytest.approx(3.0)
    assert found.largest == pytest.approx(float(np.abs(array).max()))
    assert found.fault == ""


@given(arrays(np.float32, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=FLOATS), st.data())
@settings(max_examples=60, deadline=None)
def test_a_nonfinite_value_at_one_side_only_is_a_fault(array, data) -> None:
    position = data.draw(st.integers(0, array.size - 1))
    odd = data.draw(st.sampled_from([np.nan, np.inf, -np.inf]))
    other = array.copy()
    other.reshape(-1)[position] = odd
    assert compare(other, array).fault == NONFINITE
    assert compare(array, other).fault == NONFINITE
    assert compare(other, other.copy()).fault == ""
    flipped = other.copy()
    flipped.reshape(-1)[position] = -np.inf if odd == np.inf else np.inf
    assert compare(flipped, other).fault == NONFINITE


@given(arrays(np.float32, SHAPES, elements=FLOATS))
@settings(max_examples=60, deadline=None)
def test_an_axis_too_many_is_a_fault_even_of_size_one(array) -> None:
    assert compare(array[None], array).fault == SHAPE


def test_a_scalar_and_an_array_of_one_value_differ() -> None:
    assert compare(np.zeros(1, np.float32), np.zeros((), np.float32)).fault == SHAPE


def test_empty_outputs_of_one_shape_are_equal_and_of_two_are_not() -> None:
    assert compare(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32)).fault == ""
    assert compare(np.zeros((0, 5), np.float32), np.zeros((0, 3), np.float32)).fault == SHAPE


@given(arrays(np.int64, array_shapes(min_dims=1, max_dims=2, max_side=6), elements=st.integers(-(2**31), 2**31 - 1)))
@settings(max_examples=60, deadline=None)
def test_integers_that_travelled_as_int32_are_equal_and_one_off_is_a_fault(array) -> None:
    got = array.astype(np.int32)
    assert compare(got, array).fault == ""
    assert compare(got.astype(np.float64), array).fault == ""
    wrong = array.copy()
    wrong.reshape(-1)[0] += 1
    assert compare(got, wrong).fault == EXACT


def test_an_integer_that_wrapped_at_32_bits_is_a_fault() -> None:
    want = np.array([2**33 + 7], np.int64)
    assert compare(want.astype(np.int32), want).fault == EXACT


def test_neighbours_above_the_precision_of_a_double_are_told_apart() -> None:
    assert compare(np.array([2**53], np.int64), np.array([2**53 + 1], np.int64)).fault == EXACT
    assert compare(np.array([-1], np.int32), np.array([2**64 - 1], np.uint64)).fault == EXACT


def test_a_true_that_comes_back_as_five_is_a_fault() -> None:
    want = np.array([True, False])
    assert compare(np.array([1, 0], np.int32), want).fault == ""
    assert compare(np.array([5, 0], np.int32), want).fault == EXACT


def test_zeros_against_zeros_are_equal_and_against_ones_are_not() -> None:
    zeros, ones = np.zeros(4, np.float32), np.ones(4, np.float32)
    same = compare(zeros, zeros)
    assert (same.relative_l2, same.cosine, same.largest) == (0.0, 1.0, 0.0)
    found = compare(ones, zeros)
    assert (found.max_abs, found.relative_l2, found.cosine) == (1.0, 1.0, 0.0)


def test_doubles_near_the_largest_float_do_not_overflow_the_figures() -> None:
    want = np.array([1e200, -2e200])
    found = compare(want * 1.1, want)
    assert found.relative_l2 == pytest.approx(0.1)
    assert found.cosine == pytest.approx(1.0)
