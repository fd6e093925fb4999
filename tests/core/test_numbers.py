from __future__ import annotations

import pytest

from workbench.core.numbers import decimals_of, three_digits

WORDS = {
    0.0: "0.0",
    0.00123: "0.00123",
    0.0184: "0.0184",
    0.1: "0.100",
    0.9996: "1.00",
    1.42: "1.42",
    9.996: "10.0",
    18.44: "18.4",
    99.96: "100",
    276.4: "276",
    1234.5: "1234",
    -0.3: "-0.300",
}


@pytest.mark.parametrize("value", WORDS)
def test_a_number_has_three_digits_and_no_exponent(value: float) -> None:
    assert three_digits(value) == WORDS[value]


def test_a_number_below_all_decimals_has_five_of_them() -> None:
    assert three_digits(1.234e-7) == "0.00000"


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_what_is_no_number_has_no_digits_to_count(value: float) -> None:
    assert decimals_of(value) == 1
