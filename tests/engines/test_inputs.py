from __future__ import annotations

import numpy as np
import pytest

from workbench.engines import inputs
from workbench.engines.inputs import FLOAT_KINDS, INTEGER_KINDS, Spec, make


def made(spec: Spec, index: int = 0, highest: int = 100) -> list[np.ndarray]:
    kinds = INTEGER_KINDS if spec.is_integer else FLOAT_KINDS
    return [make(spec, index, n, np.random.default_rng((1, n)), highest=highest) for n in range(len(kinds))]


def test_float_inputs_are_of_their_shape_and_dtype_and_all_differ() -> None:
    arrays = made(Spec("x", "float16", (2, 3, 4)))
    assert {(a.shape, a.dtype.name) for a in arrays} == {((2, 3, 4), "float16")}
    assert len({a.tobytes() for a in arrays}) == len(arrays) >= 6


def test_some_float_input_has_ties_negative_halves_and_some_is_zero() -> None:
    arrays = dict(zip(FLOAT_KINDS, made(Spec("x", "float32", (64,))), strict=True))
    assert {-2.5, -0.5, 0.5, 1.5} <= set(arrays["halves"].tolist())
    assert not arrays["zeros"].any()
    assert arrays["pixels"].max() > 200


@pytest.mark.parametrize("dtype", ["int32", "int64", "int8", "uint16"])
def test_token_ids_stay_below_the_rows_of_their_table(dtype: str) -> None:
    arrays = made(Spec("ids", dtype, (3, 40), low=0, high=30))
    assert all(0 <= a.min() <= a.max() <= 30 for a in arrays)
    assert len(arrays) >= 10
    assert any((a == 30).all() for a in arrays)
    assert any((a == 0).all() for a in arrays)


def test_an_integer_that_nothing_bounds_also_gets_negative_values() -> None:
    assert any(a.min() < 0 for a in made(Spec("x", "int32", (50,))))


def test_a_switch_takes_the_values_that_the_graph_compares_it_with() -> None:
    values = {int(a) for a in made(Spec("sr", "int64", (), values=(16000, 8000)))}
    assert values == {16000, 8000}
    assert made(Spec("sr", "int64", (), values=(16000,)))[0].shape == ()


def test_a_mask_holds_ones_and_zeros_and_no_row_of_zeros() -> None:
    arrays = made(Spec("attention_mask", "int64", (4, 9)))
    assert all(set(np.unique(a)) <= {0, 1} and a.any(axis=-1).all() for a in arrays)
    assert any(not a.all() for a in arrays)


def test_a_length_is_at_least_one_and_no_longer_than_the_axis() -> None:
    arrays = made(Spec("x_lengths", "int64", (2,), longest=5))
    assert all(1 <= a.min() <= a.max() <= 5 for a in arrays)
    assert any(a.max() > 1 for a in arrays)


def test_a_length_is_no_higher_than_what_the_reference_accepts() -> None:
    spec = Spec("x_lengths", "int64", (40,), longest=5)
    assert make(spec, 0, 0, np.random.default_rng(1), highest=1).max() == 1


def test_a_state_is_zero_at_first_and_not_zero_later() -> None:
    arrays = made(Spec("state", "float32", (2, 8), state=True), index=1)
    assert not arrays[0].any()
    assert any(a.any() for a in arrays)


def test_booleans_are_mixed_then_all_true_then_all_false() -> None:
    arrays = [make(Spec("b", "bool", (40,)), 0, n, np.random.default_rng(n)) for n in range(3)]
    assert [bool(a.any()) for a in arrays] == [True, True, False]
    assert [bool(a.all()) for a in arrays] == [False, True, False]


def test_pixels_are_normalised_as_the_contract_says() -> None:
    spec = Spec("x", "float32", (1, 3, 8, 8), mean=(123.0, 116.0, 103.0), std=(58.0, 57.0, 57.0))
    pixels = dict(zip(FLOAT_KINDS, made(spec), strict=True))["pixels"]
    assert -2.2 < pixels.min() < -1.5
    assert 2.0 < pixels.max() < 2.7


def test_made_up_floats_do_not_dwarf_what_the_user_feeds() -> None:
    arrays = made(Spec("x", "float32", (100,), span=3.0))
    assert max(float(np.abs(a).max()) for a in arrays) <= inputs._BEYOND * 3.0
