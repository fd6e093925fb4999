"""Whatever the attributes: onnxruntime computes the same on the rewritten model as on the original."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnxruntime
from hypothesis import given, settings
from hypothesis import strategies as st
from onnxruntime.capi import onnxruntime_pybind11_state as faults

from tests.rewrites.proof import model
from workbench.children.serve import Job
from workbench.rewrites import catalogue, worker

EXAMPLES = settings(max_examples=25, deadline=None, derandomize=True, database=None)
Arrays = Mapping[str, np.ndarray]
Draw = st.DrawFn


def run(path: Path, feeds: Arrays) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, dict(feeds)))


def assert_same(graph: str, feeds: Arrays, weights: Arrays | None = None) -> None:
    """Both models give the same outputs. What the reference refuses shows nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = model(folder, graph, 19, weights)
        try:
            wanted = run(path, feeds)
        except (faults.Fail, faults.InvalidArgument, faults.InvalidGraph, faults.RuntimeException):
            return
        request = {"model": str(path), "rules": [rule.id for rule in catalogue.RULES], "out": "new.onnx"}
        with (folder / "channel").open("wb") as channel:
            worker.rewrite(request, Job(folder, channel))
        found = run(folder / "new.onnx", feeds)
    for got, want in zip(found, wanted, strict=True):
        assert got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def ints(values: list[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


def floats(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def each(rank: int, low: int, high: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(low, high), min_size=rank, max_size=rank)


def sizes_of(shape: tuple[int, ...], is_open: bool) -> str:
    """The shape as onnx writes it; ``is_open``: the axes from 2 on have names instead of sizes."""
    return ", ".join(f"D{axis}" if is_open and axis > 1 else str(size) for axis, size in enumerate(shape))


@EXAMPLES
@given(st.data())
def test_pools(data: st.DataObject) -> None:
    op = data.draw(st.sampled_from(["MaxPool", "AveragePool"]))
    rank = data.draw(st.integers(1, 3))
    kernel, strides, dilations = (data.draw(each(rank, 1, high)) for high in (3, 3, 2))
    words = [f"kernel_shape = {ints(kernel)}", f"strides = {ints(strides)}", f"dilations = {ints(dilations)}"]
    # onnxruntime does not dilate the kernel when it pads to the same size.
    if data.draw(st.booleans()) or max(dilations) > 1:
        pads = data.draw(each(2 * rank, 0, 2))
        words.append(f"pads = {ints([min(pad, size - 1) for pad, size in zip(pads, kernel * 2, strict=True)])}")
    else:
        words.append(f'auto_pad = "{data.draw(st.sampled_from(["SAME_UPPER", "SAME_LOWER", "VALID"]))}"')
    words.append(f"ceil_mode = {data.draw(st.integers(0, 1))}")
    if op == "AveragePool":
        words.append(f"count_include_pad = {data.draw(st.integers(0, 1))}")
    shape = (2, 2, *data.draw(each(rank, 5, 8)))
    result = ", ".join("ABCDE"[: rank + 2])
    assert_same(
        f"g (float[{sizes_of(shape, data.draw(st.booleans()))}] x) => (float[{result}] y) "
        f"{{ y = {op} <{', '.join(words)}> (x) }}",
        {"x": floats(*shape)},
    )


@EXAMPLES
@given(st.data())
def test_where_the_largest_values_of_a_pool_lie(data: st.DataObject) -> None:
    rank = data.draw(st.integers(1, 2))
    kernel = data.draw(each(rank, 1, 3))
    pads = [min(pad, size - 1) for pad, size in zip(data.draw(each(2 * rank, 0, 2)), kernel * 2, strict=True)]
    words = f"kernel_shape = {ints(kernel)}, strides = {ints(data.draw(each(rank, 1, 3)))}, pads = {ints(pads)}"
    shape = (2, 2, *data.draw(each(rank, 5, 7)))
    result = ", ".join("ABCD"[: rank + 2])
    assert_same(
        f"g (float[{sizes_of(shape, False)}] x) => (float[{result}] y, int64[{result}] i) "
        f"{{ y, i = MaxPool <{words}, dilations = {ints(data.draw(each(rank, 1, 2)))}> (x) }}",
        {"x": np.round(floats(*shape))},
    )


@EXAMPLES
@given(
    op=st.sampled_from(["ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax"]),
    axes=st.one_of(st.none(), st.sets(st.sampled_from([0, 1, -1])).map(sorted)),
    keepdims=st.integers(0, 1),
    noop=st.integers(0, 1),
)
def test_reductions(op: str, axes: list[int] | None, keepdims: int, noop: int) -> None:
    rank = 3 if keepdims or (not axes and noop) else 0 if not axes else 3 - len(axes)
    result = ", ".join("ABC"[:rank])
    read = "p" if axes is None else "p, a"
    assert_same(
        f"g (float[2, N, 3] x) => (float[{result}] y) "
        f"{{ p = Abs(x) y = {op} <keepdims = {keepdims}, noop_with_empty_axes = {noop}> ({read}) }}",
        {"x": floats(2, 5, 3)},
        None if axes is None else {"a": np.array(axes, np.int64)},
    )


@EXAMPLES
@given(
    pads=each(6, -2, 3),
    mode=st.sampled_from(["constant", "edge", "reflect", "wrap"]),
    axes=st.sampled_from([None, [0, 1, 2], [-1, 0, 1]]),
    is_open=st.booleans(),
)
def test_pads(pads: list[int], mode: str, axes: list[int] | None, is_open: bool) -> None:
    weights = {"p": np.array(pads)} | ({} if axes is None else {"a": np.array(axes)})
    assert_same(
        f"g (float[{sizes_of((5, 6, 7), is_open)}] x) => (float[A, B, C] y) "
        f'{{ y = Pad <mode = "{mode}"> (x, p{", , a" if axes is not None else ""}) }}',
        {"x": floats(5, 6, 7)},
        weights,
    )


@EXAMPLES
@given(shapes=st.lists(st.sampled_from(["2,3,4", "3,4", "1,4", "4", "2,1,1", "1", ""]), min_size=3, max_size=3))
def test_where(shapes: list[str]) -> None:
    tuples = [tuple(int(size) for size in shape.split(",") if size) for shape in shapes]
    result = ", ".join("ABC"[: max(map(len, tuples))])
    c, x, z = tuples
    assert_same(
        f"g (bool[{shapes[0]}] c, float[{shapes[1]}] x, float[{shapes[2]}] z) => (float[{result}] y) "
        "{ y = Where(c, x, z) }",
        {"c": np.asarray(floats(*c) > 0), "x": np.asarray(floats(*x, seed=1)), "z": np.asarray(floats(*z, seed=2))},
    )


@EXAMPLES
@given(st.data())
def test_recurrent_layers(data: st.DataObject) -> None:
    op, gates, outputs = data.draw(st.sampled_from([("LSTM", 4, 3), ("GRU", 3, 2), ("RNN", 1, 2)]))
    direction = data.draw(st.sampled_from(["forward", "reverse", "bidirectional"]))
    count = 2 if direction == "bidirectional" else 1
    time, batch, size = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3)), 3
    is_open, has_lengths, has_states = (data.draw(st.booleans()) for _ in range(3))
    words = [f"hidden_size = {size}", f'direction = "{direction}"']
    if op == "GRU":
        words.append(f"linear_before_reset = {data.draw(st.integers(0, 1))}")
    if data.draw(st.booleans()):
        words.append("clip = 0.5")
    lengths = data.draw(st.lists(st.integers(1, time), min_size=batch, max_size=batch))
    weights = {
        "w": floats(count, gates * size, 2, seed=1),
        "r": floats(count, gates * size, size, seed=2),
        "b": floats(count, 2 * gates * size, seed=3),
        "h": floats(count, batch, size, seed=4),
        "c": floats(count, batch, size, seed=5),
        "l": np.array(lengths, np.int32),
        "p": floats(count, 3 * size, seed=6),
    }
    read = ["w", "r", "b", "l" if has_lengths else "", "h" if has_states else ""]
    if op == "LSTM":
        read += ["c" if has_states else "", "p" if data.draw(st.booleans()) else ""]
    while not read[-1]:
        read.pop()
    names = ["y", "yh", "yc"][:outputs]
    shapes = ["float[A, B, C, D]", "float[E, F, G]", "float[H, I, J]"]
    results = ", ".join(f"{shape} {name}" for shape, name in zip(shapes, names, strict=False))
    steps = "T" if is_open else str(time)
    assert_same(
        f"g (float[{steps}, {batch}, 2] x) => ({results}) "
        f"{{ {', '.join(names)} = {op} <{', '.join(words)}> (x, {', '.join(read)}) }}",
        {"x": floats(time, batch, 2)},
        {name: array for name, array in weights.items() if name in read},
    )


@EXAMPLES
@given(
    select=st.integers(0, 1),
    axis=st.integers(-3, 2),
    keepdims=st.integers(0, 1),
    op=st.sampled_from(["ArgMax", "ArgMin"]),
)
def test_arguments_of_extremes(select: int, axis: int, keepdims: int, op: str) -> None:
    result = "A, B, C" if keepdims else "A, B"
    assert_same(
        f"g (float[2, N, 4] x) => (int64[{result}] y) "
        f"{{ y = {op} <axis = {axis}, keepdims = {keepdims}, select_last_index = {select}> (x) }}",
        {"x": np.round(floats(2, 5, 4))},
    )
