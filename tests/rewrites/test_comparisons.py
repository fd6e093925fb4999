from __future__ import annotations

from pathlib import Path

import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


def test_is_nan(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[N,3] x) => (bool[N,3] y) { s = Sqrt(x) y = IsNaN(s) }")
    assert_remedied(path, workers, "compare/is-nan")


@pytest.mark.parametrize(("positive", "negative"), [(1, 1), (1, 0), (0, 1), (0, 0)])
def test_is_inf(positive: int, negative: int, workers: Workers, tmp_path: Path) -> None:
    attributes = f"<detect_positive = {positive}, detect_negative = {negative}>"
    path = model(
        tmp_path, f"g (float[2,3] x) => (bool[2,3] y) {{ z = Floor(x) r = Div(x, z) y = IsInf {attributes} (r) }}"
    )
    equal = {"compare/equal"} if positive or negative else set()
    assert_remedied(path, workers, "compare/is-inf", *equal)


def test_a_nan_does_not_equal_itself(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,3] x) => (bool[2,3] y) { s = Sqrt(x) y = Equal(s, s) }")
    assert_remedied(path, workers, "compare/equal")


def test_less_of_negative_numbers(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,3] a, float[2,3] b) => (bool[2,3] y) { y = Less(a, b) }")
    assert_remedied(path, workers, "compare/less")


@pytest.mark.parametrize("kind", ["float", "int32", "int64"])
def test_a_cast_to_bool(kind: str, workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, f"g ({kind}[2,3] x) => (bool[2,3] y) {{ y = Cast <to = 9> (x) }}")
    assert_remedied(path, workers, "compare/to-bool", *(["compare/equal"] if kind == "float" else []))


@pytest.mark.parametrize("sizes", ["2,3,4", "N,3,M"])
def test_where_with_an_operand_to_be_broadcast(sizes: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[{sizes}] x, float[3,1] z) => (float[{sizes}] y)
        {{ zero = Constant <value_float = 0.0> () c = Greater(x, zero) y = Where(c, x, z) }}""",
    )
    assert_remedied(path, workers, "compare/where")


def test_constant_of_shape_without_a_value(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[N,3] x) => (float[N,3] y) { s = Shape(x) z = ConstantOfShape(s) y = Add(x, z) }",
    )
    assert_remedied(path, workers, "compare/constant-of-shape")
