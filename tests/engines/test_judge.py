from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.engines.compare import compare
from workbench.engines.comparison import EXACT, SHAPE, Comparison, Slices
from workbench.engines.judge import TOLERANCE, Change, engine_figure, judge, price_figure
from workbench.engines.mnn.run import Failure, Row


def row(case: int, max_abs: float, largest: float = 1.0, output: str = "y", l2: float = 0.0, fault: str = "") -> Row:
    return Row(case, output, Comparison(fault, "", max_abs, largest, l2, 1.0 - l2))


@pytest.mark.parametrize(("error", "right"), [(1.9e-3, True), (2.1e-3, False)])
def test_the_tolerance_is_two_thousandths_of_the_largest_value(error: float, right: bool) -> None:
    (judged,) = judge([row(0, 50 * error, 50.0)])
    assert judged.right is right


def test_each_input_is_held_to_its_own_largest_value() -> None:
    judged = judge([row(0, 0.01, 100.0), row(1, 0.01, 1.0)])
    assert [j.right for j in judged] == [True, False]


def test_noise_of_the_reference_raises_the_tolerance_fourfold_and_no_further() -> None:
    rows = [row(0, 0.039), row(1, 0.041)]
    judged = judge(rows, {(0, "y"): Change(0.01), (1, "y"): Change(0.01)})
    assert [j.right for j in judged] == [True, False]


def test_a_reference_that_is_not_determined_by_its_weights_excuses_no_more_than_a_quarter() -> None:
    rows = [row(0, 0.24), row(1, 0.26)]
    judged = judge(rows, {(0, "y"): Change(1.0), (1, "y"): Change(1.0)})
    assert [j.right for j in judged] == [True, False]


def test_noise_below_the_default_does_not_tighten_it() -> None:
    (judged,) = judge([row(0, 1.9e-3)], {(0, "y"): Change(1e-9)})
    assert judged.right


def test_an_all_zero_reference_is_held_to_float_resolution_of_the_range() -> None:
    rows = [row(0, 1e-4, 1.0), row(1, 1e-8, 0.0), row(2, 1e-6, 0.0)]
    assert [j.right for j in judge(rows)] == [True, True, False]


def test_an_output_that_is_zero_for_every_input_is_held_to_float_resolution() -> None:
    assert [j.right for j in judge([row(0, 1e-8, 0.0), row(1, 1e-5, 0.0)])] == [True, False]


def test_a_fault_is_wrong_whatever_the_noise() -> None:
    (judged,) = judge([row(0, 0.0, fault=EXACT)], {(0, "y"): Change(1e9)})
    assert not judged.right


def test_a_right_figure_tells_the_worst_row_of_those_held_to_the_default() -> None:
    rows = [row(0, 1e-4), row(1, 1.5e-3), row(2, 0.2)]
    figure = engine_figure(judge(rows, {(2, "y"): Change(0.1)}), [], 3, 1)
    assert figure.right
    assert (figure.max_rel_error, figure.tolerance) == (1.5e-3, TOLERANCE)


def test_a_wrong_figure_tells_the_worst_row() -> None:
    figure = engine_figure(judge([row(0, 0.5), row(1, 0.7)]), [], 2, 1)
    assert (figure.right, figure.max_rel_error) == (False, 0.7)


def test_a_shape_fault_and_a_missing_result_have_no_finite_error() -> None:
    assert engine_figure(judge([row(0, 0.0, fault=SHAPE)]), [], 1, 1).max_rel_error == math.inf
    figure = engine_figure(judge([row(0, 0.0)]), [Failure(1, "nothing")], 2, 1)
    assert (figure.right, figure.max_rel_error, figure.exact_failures) == (False, math.inf, 1)


def test_nothing_compared_is_not_right() -> None:
    assert not engine_figure((), [], 0, 0).right
    assert not price_figure((), [], 0, 0, 0.2).right


def test_the_price_is_the_worst_inputs_relative_l2_against_its_limit() -> None:
    rows = [row(0, 0.1, l2=0.05), row(1, 0.1, l2=0.19)]
    assert price_figure(rows, [], 2, 1, 0.2).right
    figure = price_figure(rows, [], 2, 1, 0.1)
    assert (figure.right, figure.relative_l2, figure.tolerance) == (False, 0.19, 0.1)


def test_an_input_on_which_the_output_is_nothing_does_not_set_the_price() -> None:
    rows = [row(0, 0.1, 1.0, l2=0.05), row(1, 1e-5, 1e-5, l2=0.9)]
    assert price_figure(rows, [], 2, 1, 0.2).relative_l2 == 0.05


def test_a_moved_class_counts_in_the_price_and_a_changed_shape_is_a_no() -> None:
    assert price_figure([row(0, 1.0, fault=EXACT, l2=0.1)], [], 1, 1, 0.2).right
    assert not price_figure([row(0, 1.0, fault=SHAPE, l2=0.0)], [], 1, 1, 0.2).right


def cut(
    case: int, errors: tuple[float, ...], largest: tuple[float, ...], count: int = 8, *, whole: bool = False
) -> Row:
    slices = (Slices(1, count, errors, largest, (whole,) * len(errors)),)
    return Row(case, "y", Comparison("", "", max(errors), max(largest), slices=slices))


def test_a_slice_is_held_to_a_tenth_of_what_it_holds() -> None:
    (right,) = judge([cut(0, (0.0, 0.09), (640.0, 1.0))])
    (wrong,) = judge([cut(0, (0.0, 0.11), (640.0, 1.0))])
    assert (right.right, right.place) == (True, None)
    assert (wrong.right, wrong.place) == (False, (1, 1))
    assert wrong.error == pytest.approx(0.11)


def test_a_slice_is_measured_by_what_it_holds_on_any_ordinary_input() -> None:
    rows = [cut(0, (0.0, 0.09), (640.0, 0.01)), cut(1, (0.0, 0.0), (640.0, 1.0))]
    assert all(judged.right for judged in judge(rows))


def test_a_slice_that_is_nothing_beside_the_others_is_rounding() -> None:
    (judged,) = judge([cut(0, (0.0, 5e-4), (640.0, 1e-3))])
    assert judged.right


def test_a_slice_that_the_reference_moves_as_far_is_excused() -> None:
    (judged,) = judge([cut(0, (0.0, 0.11), (640.0, 1.0))], {(0, "y"): Change(0.03, {1: (0.0, 0.03)})})
    assert judged.right


def test_a_slice_of_indices_may_not_be_off_by_one() -> None:
    (judged,) = judge([cut(0, (0.0, 1.0), (640.0, 79.0), whole=True)])
    assert not judged.right


def test_a_slice_of_whole_numbers_that_others_are_between_holds_no_indices() -> None:
    rows = [cut(0, (0.0, 1.0), (640.0, 79.0), whole=True), cut(1, (0.0, 0.0), (640.0, 79.0))]
    assert all(judged.right for judged in judge(rows))


def test_a_slice_of_one_value_may_be_small_by_chance() -> None:
    (judged,) = judge([cut(0, (0.0, 0.11), (640.0, 1.0), count=1)])
    assert judged.right


def test_an_axis_that_the_inputs_size_is_not_cut() -> None:
    rows = [cut(0, (0.0, 0.11), (640.0, 1.0)), cut(1, (0.0, 0.0, 0.0), (640.0, 1.0, 1.0))]
    assert all(judged.right for judged in judge(rows))


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((1, 84, 8400), [1]),
        ((1, 25200, 85), [2]),
        ((1, 64, 56, 56), [1]),
        ((1, 56, 56, 64), [3]),
        ((1, 3, 80, 80, 85), [1, 4]),
        ((1, 1, 224, 320), []),
        ((16,), [0]),
    ],
)
def test_channels_and_attributes_are_cut_and_places_are_not(shape: tuple[int, ...], axes: list[int]) -> None:
    assert [found.axis for found in compare(np.zeros(shape), np.ones(shape)).slices] == axes
