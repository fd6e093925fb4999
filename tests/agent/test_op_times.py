"""One interrupted run does not decide the table of operators, in either agent."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from workbench.engines.mnn.host_agent.op_times import OpTimes
from workbench.engines.mnn.loaded_model import OpTime

AGENT = Path(__file__).resolve().parents[2] / "workbench" / "agent"

RUNS: dict[str, tuple[list[list[int]], float]] = {
    "one interrupted run": ([[190], [200], [180], [9_000_000], [210]], 200e-6),
    "the middle of an even number": ([[400], [100], [300], [200]], 250e-6),
    "one run": ([[250]], 250e-6),
    "a loop's passes are summed": ([[100, 50], [100, 60], [100, 70]], 160e-6),
    "runs without the operator": ([[300], [], [], [300], []], 0.0),
    "a last run without the operator": ([[300], [200], []], 200e-6),
}
"""Nanoseconds of each pass of each profiled run, and the median in milliseconds."""

_PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include "op_time.h"

int main(int, char** words) {
  workbench::OpTime op{"conv", "Convolution"};
  const size_t runs = std::strtoul(words[1], nullptr, 10);
  for (char** word = words + 2; *word != nullptr; word += 2) {
    op.add(std::strtoul(word[0], nullptr, 10), std::strtoll(word[1], nullptr, 10));
  }
  std::printf("%.9f", op.median_ms(runs));
}
"""
"""Takes the number of runs, then pairs of a run and the nanoseconds of one pass."""


@pytest.fixture(scope="module")
def median_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("median")
    (folder / "main.cc").write_text(_PROGRAM)
    subprocess.run(["g++", "-std=c++17", f"-I{AGENT}", "main.cc", "-o", "median"], cwd=folder, check=True)
    return folder / "median"


def pairs(runs: Sequence[Sequence[int]]) -> list[str]:
    return [str(number) for run, passes in enumerate(runs) for ns in passes for number in (run, ns)]


@pytest.mark.parametrize("name", RUNS)
def test_an_operator_of_the_phones_agent_has_its_median_time(name: str, median_program: Path) -> None:
    runs, median_ms = RUNS[name]
    argv = [str(median_program), str(len(runs)), *pairs(runs)]
    told = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
    assert float(told) == pytest.approx(median_ms, abs=1e-12)


@pytest.mark.parametrize("name", RUNS)
def test_an_operator_of_the_computers_agent_has_its_median_time(name: str) -> None:
    runs, median_ms = RUNS[name]
    times = OpTimes()
    for passes in runs:
        times.add([OpTime("conv", "Convolution", ns, 1.5) for ns in passes])
    (figures,) = times.figures()
    passed = sum(map(len, runs))
    assert figures == {
        "name": "conv",
        "type": "Convolution",
        "ms": pytest.approx(median_ms, abs=1e-12),
        "n": len(runs),
        "mflops": pytest.approx(1.5 * passed / len(runs), abs=1e-6),
    }


def test_operators_keep_the_engines_order_and_are_told_apart_by_name_and_type() -> None:
    order = [("b", "Raster"), ("a", "Convolution"), ("b", "Pooling")]
    times = OpTimes()
    for _ in range(3):
        times.add([OpTime(name, kind, ns, 0.0) for ns, (name, kind) in enumerate(order, 1)])
    told = [(figures["name"], figures["type"], figures["ms"]) for figures in times.figures()]
    assert told == [(*key, ns / 1e6) for ns, key in enumerate(order, 1)]
