"""The agent's median latency against a bare C++ loop on the same engine, in interleaved pairs.

    python -m tests.benchmarks.agent_overhead

All run on one core, which the agent's own threads share. Prints one JSON line: ``ratio`` is the
median over the pairs of the agent's p50 over the loop's, ``upper`` the upper bound of its 95 %
interval.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.agent import models, running
from workbench.core.protocol import AgentOptions, Sample
from workbench.core.statistics import median_interval

PAIRS = 20
TURNS = 4
ITERATIONS = 250
WARMUP = 20
TARGET = 1.01
_HERE = Path(__file__).parent
_FLAGS = ("-std=c++17", "-O2", "-D_GLIBCXX_USE_CXX11_ABI=0", "-Wl,--unresolved-symbols=ignore-in-shared-libs")


def build_loop(program: Path) -> Path:
    """The loop, beside the agent and linked as it is."""
    loop = program.parent / "bare_loop"
    headers = _HERE.parents[1] / "workbench" / "agent"
    libraries = (f"-L{program.parent}", "-lmnnengine", "-Wl,--no-as-needed", "-lpystub")
    rpath = ("-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN")
    argv = ["g++", *_FLAGS, f"-I{headers}", str(_HERE / "bare_loop.cpp"), "-o", str(loop), *libraries, *rpath]
    subprocess.run(argv, check=True)
    return loop


def agent_times(program: Path, folder: Path, options: AgentOptions) -> list[float]:
    """Milliseconds of each steady run."""
    return [s.ms for s in running.run(program, folder, options).of(Sample) if s.phase == "steady"]


def loop_times(loop: Path, folder: Path) -> list[float]:
    """Milliseconds of each run."""
    argv = [loop, "model.mnn", "in0.raw", str(ITERATIONS), "times.txt"]
    subprocess.run(argv, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return [int(line) / 1e6 for line in (folder / "times.txt").read_text().split()]


def measure() -> dict[str, object]:
    """One conv net of about 0.3 ms, far below a time slice of the scheduler: what else runs hits few of the runs.

    The two of a pair take turns, so a clock that changes changes for both.
    """
    with tempfile.TemporaryDirectory(prefix="workbench-bench-") as name:
        root, folder = Path(name), Path(name) / "run"
        program = running.install(root / "runtime")
        loop = build_loop(program)
        model = models.convert(models.conv_net(layers=4, channels=32, size=24), root / "model")
        options = running.prepare(folder, model, {"x": models.noise(1, 32, 24, 24)})
        options = AgentOptions(options.model, options.manifest, path="session", warmup=WARMUP, iterations=ITERATIONS)
        ratios, loops = [], []
        for _ in range(PAIRS):
            agent: list[float] = []
            bare: list[float] = []
            for turn in range(TURNS):
                if turn % 2:
                    bare += loop_times(loop, folder)
                agent += agent_times(program, folder, options)
                if not turn % 2:
                    bare += loop_times(loop, folder)
            ratios.append(statistics.median(agent) / statistics.median(bare))
            loops.append(statistics.median(bare))
    interval = median_interval(sorted(ratios))
    assert interval is not None
    return {
        "benchmark": "agent_overhead",
        "ratio": round(statistics.median(ratios), 4),
        "lower": round(interval[0], 4),
        "upper": round(interval[1], 4),
        "target": TARGET,
        "pairs": PAIRS,
        "loop_p50_ms": round(statistics.median(loops), 4),
    }


def main() -> int:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        result = measure()
    finally:
        os.sched_setaffinity(0, allowed)
    print(json.dumps(result))
    return 0 if float(str(result["upper"])) <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
