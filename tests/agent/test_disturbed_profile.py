"""Times of operators that do not make up the run are told as such."""

from __future__ import annotations

import pytest

from workbench.core.op import Op
from workbench.core.protocol import Event, Sample
from workbench.core.run import RunOutputs
from workbench.core.summary import summarise

P50_MS = 2.0


def run_of(*ops_ms: float) -> list[Event]:
    """Ten steady runs of 2 ms, then operators."""
    steady = [Sample("steady", i, i * 2_000_000, P50_MS) for i in range(10)]
    return [*steady, *(Op(f"op{k}", "Convolution", ms, 30) for k, ms in enumerate(ops_ms))]


def warnings(events: list[Event], outputs: RunOutputs | None = None) -> list[str]:
    return [str(warning) for warning in summarise(events, outputs, requested={}).warnings]


@pytest.mark.parametrize(("ops_ms", "total"), [((1.0, 0.45), "1.45"), ((2.6,), "2.60"), ((10.0, 20.0), "30.0")])
def test_a_sum_more_than_a_quarter_off_the_run_is_told(ops_ms: tuple[float, ...], total: str) -> None:
    (warning,) = warnings(run_of(*ops_ms))
    assert warning == f"The operators' times add up to {total} ms, the runs took 2.00 ms: the profile was disturbed"


@pytest.mark.parametrize("ops_ms", [(), (1.0, 0.5), (1.9,), (2.5,)])
def test_a_sum_within_a_quarter_and_no_operators_at_all_are_no_matter(ops_ms: tuple[float, ...]) -> None:
    assert warnings(run_of(*ops_ms)) == []


def test_a_run_with_wrong_outputs_has_no_profile_to_doubt() -> None:
    assert warnings(run_of(20.0), RunOutputs(1.0, right=False)) == []


def test_one_slow_run_among_the_steady_ones_does_not_raise_the_warning() -> None:
    assert warnings([*run_of(1.9), Sample("steady", 10, 30_000_000, 500.0)]) == []
