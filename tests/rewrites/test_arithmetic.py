from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


def test_halves_are_rounded_to_even(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[2,8] x) => (float[2,8] y)
        { two = Constant <value_float = 2.0> () d = Mul(x, two) f = Floor(d) h = Div(f, two) y = Round(h) }""",
    )
    assert_remedied(path, workers, "arithmetic/round")


def test_mod_of_negative_numbers(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,8] x, float[8] d) => (float[2,8] y) { y = Mod <fmod = 1> (x, d) }")
    assert_remedied(path, workers, "arithmetic/mod", "compare/equal")


def test_mod_of_floats_with_the_divisors_sign(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,8] x, float[8] d) => (float[2,8] y) { y = Mod(x, d) }", opset=28)
    assert_remedied(path, workers, "arithmetic/mod", "compare/equal")


def test_the_exponential_of_large_numbers(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,N] x) => (float[2,N] y) { y = Exp(x) }")
    assert_remedied(path, workers, "arithmetic/exp")


def test_softplus_of_large_numbers(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,N] x) => (float[2,N] y) { y = Softplus(x) }")
    assert_remedied(path, workers, "arithmetic/softplus")


def test_clip_with_its_bounds_crossed(workers: Workers, tmp_path: Path) -> None:
    bounds = {"low": np.float32(0.5), "high": np.float32(-0.5)}
    path = model(tmp_path, "g (float[2,8] x) => (float[2,8] y) { y = Clip(x, low, high) }", weights=bounds)
    assert_remedied(path, workers, "arithmetic/clip")


def test_a_float_to_the_power_of_integers(workers: Workers, tmp_path: Path) -> None:
    graph = """g (float[2,8] x, int64[8] n) => (float[2,8] y)
        { three = Constant <value_int = 3> () k = Mod(n, three) y = Pow(x, k) }"""
    assert_remedied(model(tmp_path, graph), workers, "arithmetic/pow")


def test_an_integer_to_the_power_of_whole_floats(workers: Workers, tmp_path: Path) -> None:
    exponents = np.array([0, 1, 2, 3], np.float32)
    path = model(tmp_path, "g (int32[2,4] x) => (int32[2,4] y) { y = Pow(x, n) }", weights={"n": exponents})
    assert_remedied(path, workers, "arithmetic/pow")


def test_prelu_with_a_slope_for_the_last_axis(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[1,3,4,5] x) => (float[1,3,4,5] y) { y = PRelu(x, s) }",
        weights={"s": np.linspace(-1, 1, 5, dtype=np.float32)},
    )
    assert_remedied(path, workers, "arithmetic/prelu")


@pytest.mark.parametrize("op", ["Sum", "Mean", "Max", "Min"])
def test_an_operator_over_three_inputs(op: str, workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, f"g (float[2,3] a, float[2,3] b, float[3] c) => (float[2,3] y) {{ y = {op}(a, b, c) }}")
    assert_remedied(path, workers, "arithmetic/of-many")


def test_gelu_is_not_replaced_by_an_approximation(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[2,64] x) => (float[2,64] y) {
        d = Mul(x, root) e = Erf(d) b = Add(e, one) p = Mul(x, b) h = Mul(p, half) r = Relu(x) y = Sub(h, r) }""",
        weights={"root": np.float32(0.5**0.5), "one": np.float32(1), "half": np.float32(0.5)},
    )
    assert_remedied(path, workers, "arithmetic/gelu-of-erf")


def test_gelu(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,64] x) => (float[2,64] y) { g = Gelu(x) r = Relu(x) y = Sub(g, r) }", opset=20)
    assert_remedied(path, workers, "arithmetic/gelu")
