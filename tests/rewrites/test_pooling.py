from __future__ import annotations

from pathlib import Path

import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers

PLAIN = [
    ("MaxPool", "1,2,N,M", "kernel_shape = [2, 2]"),
    ("AveragePool", "1,2,8,8", "kernel_shape = [2, 2]"),
    ("LpPool", "1,2,N", "kernel_shape = [3]"),
    ("MaxPool", "1,2,6,6,6", "kernel_shape = [2, 2, 2]"),
    ("AveragePool", "1,2,6,7", 'kernel_shape = [3, 3], strides = [2, 2], auto_pad = "SAME_LOWER"'),
    ("AveragePool", "1,2,N,M", 'kernel_shape = [3, 3], auto_pad = "SAME_LOWER", count_include_pad = 1'),
]
PADDED = [
    ("MaxPool", "1,2,6,7,6", 'strides = [2, 2, 2], auto_pad = "SAME_UPPER"'),
    ("MaxPool", "1,2,6,N,6", "strides = [2, 2, 2], ceil_mode = 1"),
    ("MaxPool", "1,2,6,N,6", "strides = [1, 1, 1], pads = [1, 0, 1, 0, 1, 0]"),
    ("AveragePool", "1,2,6,N,6", "strides = [2, 2, 2], pads = [1, 1, 1, 1, 1, 1]"),
    (
        "AveragePool",
        "1,2,6,7,6",
        "strides = [2, 2, 2], pads = [1, 0, 1, 1, 1, 1], count_include_pad = 1, ceil_mode = 1",
    ),
]
SLICED = [
    ("MaxPool", "1,2,N,M", "kernel_shape = [3, 2], dilations = [2, 2], strides = [2, 1], pads = [1, 0, 1, 1]"),
    ("MaxPool", "1,2,9", "kernel_shape = [3], strides = [2], dilations = [2], ceil_mode = 1"),
    ("MaxPool", "1,2,6,7", "kernel_shape = [1, 1], strides = [2, 2], ceil_mode = 1"),
    ("AveragePool", "1,2,N,M", "kernel_shape = [3, 3], dilations = [2, 1]"),
    ("LpPool", "1,2,6,6,6", "kernel_shape = [3, 3, 3], strides = [2, 2, 2], p = 3"),
    ("LpPool", "1,2,9,7", "kernel_shape = [3, 3], strides = [2, 2], dilations = [2, 1], p = 1"),
]
RULES = {"MaxPool": "pooling/max", "AveragePool": "pooling/average", "LpPool": "pooling/lp"}


def graph(op: str, sizes: str, attributes: str) -> str:
    result = ",".join(["1", "2", "A", "B", "C"][: sizes.count(",") + 1])
    return f"g (float[{sizes}] x) => (float[{result}] y) {{ y = {op} <{attributes}> (x) }}"


@pytest.mark.parametrize(("op", "sizes", "attributes"), PLAIN)
def test_strides_and_pads_as_numbers(op: str, sizes: str, attributes: str, workers: Workers, tmp_path: Path) -> None:
    assert_remedied(model(tmp_path, graph(op, sizes, attributes), opset=19), workers, "pooling/attributes")


@pytest.mark.parametrize(("op", "sizes", "attributes"), PADDED)
def test_a_pool_over_three_axes_is_padded_beforehand(
    op: str, sizes: str, attributes: str, workers: Workers, tmp_path: Path
) -> None:
    path = model(tmp_path, graph(op, sizes, f"kernel_shape = [3, 3, 3], {attributes}"), opset=19)
    written = set() if "pads" in attributes else {"pooling/attributes"}
    assert_remedied(path, workers, "pooling/padded-beforehand", *written)


@pytest.mark.parametrize(("op", "sizes", "attributes"), SLICED)
def test_a_pool_of_slices(op: str, sizes: str, attributes: str, workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, graph(op, sizes, attributes), opset=19)
    rewrites = assert_remedied(
        path, workers, *{RULES[op], *(["pooling/attributes"] if "pads" not in attributes else [])}
    )
    assert any(rewrite.effect is not None for rewrite in rewrites)


@pytest.mark.parametrize("order", [0, 1])
def test_where_the_largest_values_lie(order: int, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[2,2,7,8] x) => (float[2,2,A,B] y, int64[2,2,A,B] i) {{ r = Floor(x)
        y, i = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1], storage_order = {order}> (r)
        }}""",
    )
    assert_remedied(path, workers, "pooling/max", "compare/equal")


@pytest.mark.parametrize("kind", ["int8", "uint8"])
def test_a_pool_of_integers(kind: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g ({kind}[1,2,6,7] x) => ({kind}[1,2,A,B] y)
        {{ y = MaxPool <kernel_shape = [2, 2], strides = [2, 2], pads = [1, 1, 1, 1]> (x) }}""",
    )
    assert_remedied(path, workers, "pooling/max", "types/integers")
