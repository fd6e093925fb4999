"""``make bench``: every benchmark in turn, each in a process of its own; one JSON line a figure."""

from __future__ import annotations

import subprocess
import sys

BENCHMARKS = (
    "start_up",
    "open_model",
    "static_check",
    "graph_view",
    "convert",
    "verify",
    "push_speed",
    "agent_overhead",
    "live_charts",
    "slots",
)

codes = [
    subprocess.run([sys.executable, "-m", f"tests.benchmarks.{name}"], check=False).returncode for name in BENCHMARKS
]
sys.exit(any(codes))
