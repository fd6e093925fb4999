from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
OUTPUTS = {"LSTM": "y, h, c", "GRU": "y, h", "RNN": "y, h"}
SIZE = 4


def layer(
    folder: Path,
    op: str,
    time: str,
    *,
    attributes: str = "",
    inputs: str = "x, w, r, b",
    outputs: str = "",
    given: str = "",
    batch: str = "2",
    directions: int = 1,
    batch_first: bool = False,
) -> Path:
    """A model of one layer over ``time`` steps of three features."""
    random = np.random.default_rng(1)
    rows = GATES[op] * SIZE
    weights = {
        "w": random.standard_normal((directions, rows, 3)),
        "r": random.standard_normal((directions, rows, SIZE)) / 2,
        "b": random.standard_normal((directions, 2 * rows)),
        "p": random.standard_normal((directions, 3 * SIZE)),
    }
    read = {
        name: array.astype(np.float32)
        for name, array in weights.items()
        if f" {name}" in f" {inputs},".replace(",", " ")
    }
    if "l" in inputs.replace(" ", "").split(","):
        read["l"] = np.array([2, 5], np.int32)
    names = outputs or OUTPUTS[op]
    sides = f"{batch},{time}" if batch_first else f"{time},{batch}"
    shapes = {
        "y": f"{batch},{time},{directions},{SIZE}" if batch_first else f"{time},{directions},{batch},{SIZE}",
        "h": f"{batch},{directions},{SIZE}" if batch_first else f"{directions},{batch},{SIZE}",
    }
    shapes["c"] = shapes["h"]
    results = ", ".join(f"float[{shapes[name]}] {name}" for name in names.replace(" ", "").split(","))
    states = "".join(f", float[{shapes['h']}] {name}" for name in given.split())
    layout = ", layout = 1" if batch_first else ""
    return model(
        folder,
        f"g (float[{sides},3] x{states}) => ({results}) "
        f"{{ {names} = {op} <hidden_size = {SIZE}{layout}{attributes}> ({inputs}) }}",
        weights=read,
    )


def test_an_lstm_with_one_output(workers: Workers, tmp_path: Path) -> None:
    path = layer(tmp_path, "LSTM", "6", outputs="y")
    assert_remedied(path, workers, "recurrent/outputs")


def test_a_bidirectional_lstm_without_its_last_cell(workers: Workers, tmp_path: Path) -> None:
    path = layer(tmp_path, "LSTM", "6", outputs="y, h", attributes=', direction = "bidirectional"', directions=2)
    assert_remedied(path, workers, "recurrent/outputs")


@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_an_lstm_with_states_over_any_number_of_steps(direction: str, workers: Workers, tmp_path: Path) -> None:
    path = layer(
        tmp_path,
        "LSTM",
        "T",
        inputs="x, w, r, b, , h0, c0",
        given="h0 c0",
        batch="1",
        attributes=f', direction = "{direction}"',
    )
    assert_remedied(path, workers, "recurrent/loop")


@pytest.mark.parametrize(("time", "rule"), [("6", "unrolled"), ("T", "loop")])
@pytest.mark.parametrize("reset", [0, 1])
def test_a_gru(time: str, rule: str, reset: int, workers: Workers, tmp_path: Path) -> None:
    path = layer(
        tmp_path,
        "GRU",
        time,
        inputs="x, w, r, b, , h0",
        given="h0",
        attributes=f', linear_before_reset = {reset}, direction = "reverse"',
    )
    assert_remedied(path, workers, f"recurrent/{rule}")


@pytest.mark.parametrize("op", ["LSTM", "GRU", "RNN"])
def test_sequences_of_different_lengths(op: str, workers: Workers, tmp_path: Path) -> None:
    path = layer(tmp_path, op, "5", inputs="x, w, r, b, l", attributes=', direction = "bidirectional"', directions=2)
    assert_remedied(path, workers, "recurrent/unrolled", "compare/where")


@pytest.mark.parametrize(("time", "rule"), [("6", "unrolled"), ("T", "loop")])
def test_an_rnn_with_other_activations_and_a_limit(time: str, rule: str, workers: Workers, tmp_path: Path) -> None:
    attributes = ', direction = "bidirectional", clip = 0.7, activations = ["Relu", "Tanh"]'
    path = layer(tmp_path, "RNN", time, attributes=attributes, directions=2)
    assert_remedied(path, workers, f"recurrent/{rule}")


@pytest.mark.parametrize(("time", "rule"), [("6", "unrolled"), ("T", "loop")])
def test_an_lstm_with_peepholes_and_the_batch_first(time: str, rule: str, workers: Workers, tmp_path: Path) -> None:
    path = layer(tmp_path, "LSTM", time, inputs="x, w, r, b, , , , p", batch_first=True)
    assert_remedied(path, workers, f"recurrent/{rule}")
