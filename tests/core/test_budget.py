from __future__ import annotations

from dataclasses import fields, replace

import pytest

from workbench.core import statistics
from workbench.core.budget import NAMES, budget_words, judge_budget, parse_budget
from workbench.core.errors import ErrorKind, UsageError
from workbench.core.run import Budget, RunConfig, RunMemory, RunOutputs, RunSummary
from workbench.core.run_limits import RANGES, misfit

SUMMARY = RunSummary(
    load_ms=10.0,
    first_ms=12.0,
    latency_ms=statistics.latency([float(n) for n in range(1, 401)]),
    memory=RunMemory(10_000, 205_312),
    temperature={"cpu-0": (30.0, 44.0, 45.5), "battery": (29.0, 60.0, 60.0)},
    ops=(),
    outputs=RunOutputs(1e-6, right=True),
    requested={},
    actual={},
    dropped=0,
)


def kept(summary: RunSummary, *words: str) -> list[bool]:
    return [verdict.kept for verdict in judge_budget(parse_budget(words), summary)]


@pytest.mark.parametrize(
    ("word", "field", "value"),
    [
        ("load=1s", "load_ms", 1000.0),
        ("p50=20ms", "p50_ms", 20.0),
        ("p90=1.5 ms", "p90_ms", 1.5),
        ("p99=250us", "p99_ms", 0.25),
        ("memory=200MB", "peak_kb", 195_312.5),
        ("memory=1MiB", "peak_kb", 1024.0),
        ("temperature=45C", "temperature_c", 45.0),
        ("temperature=45°C", "temperature_c", 45.0),
        ("heating=8K", "heating_c", 8.0),
    ],
)
def test_a_limit_is_a_name_a_number_and_a_unit(word: str, field: str, value: float) -> None:
    assert parse_budget((word,)) == replace(Budget(), **{field: value})


@pytest.mark.parametrize(
    "word",
    ["", "p90", "p90=", "p90=20", "p90=ms", "p90=20MB", "p90=-1ms", "p90=0ms", "p90=nanms", "p90=infms", "p90=1e3ms",
     "p95=20ms", "memory=200ms", "temperature=45", "=20ms", "p90=20ms=3", "p90=" + "9" * 400 + "ms"],
)  # fmt: skip
def test_what_is_no_limit_is_one_line_with_a_way_out(word: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_budget((word,))
    assert raised.value.kind is ErrorKind.USAGE
    assert raised.value.where == "--budget"
    assert raised.value.hint is not None
    assert "\n" not in str(raised.value)


def test_two_limits_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="two limits"):
        parse_budget(("p90=20ms", "p90=30ms"))


def test_a_budget_in_words_is_the_same_budget() -> None:
    words = ("load=1000ms", "p50=20ms", "p90=1.5ms", "p99=0.25ms", "memory=200MB", "temperature=45C", "heating=8K")
    assert budget_words(parse_budget(words)) == words
    assert len(words) == len(NAMES) == len(fields(Budget))


def test_each_limit_is_held_against_its_own_figure() -> None:
    assert kept(SUMMARY, "load=10ms", "p50=200.5ms", "p90=361ms", "p99=397ms") == [True] * 4
    assert kept(SUMMARY, "load=9ms", "p50=200ms", "p90=360ms", "p99=396ms") == [False] * 4
    assert kept(SUMMARY, "memory=200MB", "temperature=45.5C", "heating=15.5K") == [True] * 3
    assert kept(SUMMARY, "memory=199.9MB", "temperature=45C", "heating=15K") == [False] * 3


def test_a_verdict_tells_limit_and_value_in_one_unit() -> None:
    (verdict,) = judge_budget(parse_budget(("memory=1GB",)), SUMMARY)
    assert (verdict.name, verdict.limit, verdict.unit, verdict.value) == ("memory", 1000.0, "MB", 199.999488)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"load_ms": None, "latency_ms": None, "memory": None, "temperature": {}}, "not"),
        ({"outputs": RunOutputs(0.5, right=False), "load_ms": None, "memory": None, "temperature": {}}, "wrong"),
    ],
)
def test_what_was_not_measured_is_not_kept(changes: dict[str, object], told: str) -> None:
    words = ("load=9s", "p50=9s", "p90=9s", "p99=9s", "memory=9GB", "temperature=99C", "heating=99K")
    verdicts = judge_budget(parse_budget(words), replace(SUMMARY, **changes))  # type: ignore[arg-type]
    assert [verdict.name for verdict in verdicts] == list(NAMES)
    assert all(verdict.value is None and not verdict.kept and verdict.reason for verdict in verdicts)
    assert told in str(verdicts[1].reason)


@pytest.mark.parametrize(("name", "least"), [("p50", 6), ("p90", 36), ("p99", 368)])
def test_a_percentile_of_too_few_runs_is_not_measured(name: str, least: int) -> None:
    few = replace(SUMMARY, latency_ms=statistics.latency([1.0] * (least - 1)))
    (verdict,) = judge_budget(parse_budget((f"{name}=9s",)), few)
    assert (verdict.value, verdict.kept) == (None, False)
    assert str(least) in str(verdict.reason)
    assert kept(replace(SUMMARY, latency_ms=statistics.latency([1.0] * least)), f"{name}=9s") == [True]


def test_the_made_up_temperatures_of_a_simulated_phone_keep_no_budget() -> None:
    assert kept(replace(SUMMARY, simulated=True), "temperature=99C", "heating=99K", "p50=9s") == [True, False, False]


@pytest.mark.parametrize("name", list(RANGES))
def test_a_number_outside_of_its_range_is_named(name: str) -> None:
    assert misfit(RunConfig()) is None
    low, high = RANGES[name]
    for value in (low - 1, high + 1, float("nan"), 10**30):
        found = misfit(replace(RunConfig(), **{name: value}))  # type: ignore[arg-type]
        assert found is not None
        assert found[0] == name


@pytest.mark.parametrize("name", ["backend", "precision", "memory"])
def test_a_word_that_no_agent_knows_is_named(name: str) -> None:
    found = misfit(replace(RunConfig(), **{name: "huge"}))  # type: ignore[arg-type]
    assert found is not None
    assert found[0] == name
    assert "normal" in str(found[2]) or "cpu" in str(found[2])


@pytest.mark.parametrize("limit", [0.0, -1.0, float("nan"), float("inf")])
def test_a_limit_that_cannot_be_is_named(limit: float) -> None:
    found = misfit(RunConfig(budget=Budget(p90_ms=limit)))
    assert found is not None
    assert found[0] == "budget.p90_ms"
