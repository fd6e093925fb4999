from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


def test_the_branch_of_a_constant_condition(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[N,3] x) => (float[N,3] y) {
            y = If (c) <then_branch = t () => (float[N,3] a) { a = Round(x) },
                        else_branch = e () => (float[N,3] b) { b = Neg(x) }>
        }""",
        weights={"c": np.array(True)},
    )
    assert_remedied(path, workers, "control/branch", "arithmetic/round")


def test_a_scan_over_a_known_number_of_steps(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[2] h, float[4,2] x, float[2,4] r) => (float[2] last, float[4,2] all) {
            last, all = Scan <num_scan_inputs = 2, scan_input_axes = [0, 1], scan_input_directions = [0, 1],
                scan_output_directions = [1],
                body = b (float[2] before, float[2] now, float[2] other) => (float[2] after, float[2] seen) {
                    sum = Add(before, now)
                    after = Tanh(sum)
                    seen = Mul(after, other)
                }> (h, x, r)
        }""",
    )
    assert_remedied(path, workers, "control/scan")
