"""The agent's outputs are the reference's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from tests.agent import models, running
from workbench.core.protocol import Finished, Loaded

Converted = Callable[[str], Path]


def reference(model: Path, inputs: dict[str, running.Array]) -> dict[str, running.Array]:
    session = onnxruntime.InferenceSession(model.with_suffix(".onnx"), providers=["CPUExecutionProvider"])
    wide = {i.name for i in session.get_inputs() if i.type == "tensor(int64)"}
    feeds = {name: array.astype(np.int64) if name in wide else array for name, array in inputs.items()}
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds), strict=True))


def agent(program: Path, folder: Path, model: Path, inputs: dict[str, running.Array], **changes: object) -> running.Ran:
    options = running.prepare(folder, model, inputs)
    return running.run(program, folder, options, warmup=0, iterations=2, **changes)


CASES: dict[str, tuple[str, dict[str, running.Array]]] = {
    "one image": ("conv", {"x": models.noise(1, 16, 32, 32)}),
    "three images": ("conv", {"x": models.noise(3, 16, 32, 32)}),
    "token ids and bytes": ("embedding", dict(models.embedding_inputs())),
    "positive branch": ("branch", {"x": np.array([[1, 2, 3, 4]], np.float32)}),
    "negative branch": ("branch", {"x": np.array([[-1, -2, -3, 4]], np.float32)}),
}


@pytest.mark.parametrize("path", ["auto", "module"])
@pytest.mark.parametrize("name", CASES)
def test_outputs_are_the_references(name: str, path: str, program: Path, converted: Converted, tmp_path: Path) -> None:
    model, inputs = CASES[name]
    ran = agent(program, tmp_path, converted(model), inputs, path=path)
    found = running.outputs(ran, tmp_path)
    wanted = reference(converted(model), inputs)
    assert found.keys() == wanted.keys()
    for output, array in wanted.items():
        assert found[output].shape == array.shape
        assert found[output].dtype == array.dtype
        np.testing.assert_allclose(found[output], array, atol=1e-4 * float(np.abs(array).max()), rtol=0)


@pytest.mark.parametrize("path", ["session", "module"])
def test_inputs_are_packed_where_the_model_takes_them_packed(path: str, program: Path, tmp_path: Path) -> None:
    """A module takes NCHW for NC4HW4 without a word, and computes something else."""
    network = models.conv_net()
    network.graph.node.append(onnx.helper.make_node("Softmax", ["y"], ["shares"], axis=1))
    network.graph.output.append(onnx.helper.make_tensor_value_info("shares", onnx.TensorProto.FLOAT, None))
    model = models.convert(network, tmp_path / "model", "--keepInputFormat=0")
    inputs: dict[str, running.Array] = {"x": models.noise(2, 16, 32, 32)}
    found = running.outputs(agent(program, tmp_path / "run", model, inputs, path=path), tmp_path / "run")
    for name, array in reference(model, inputs).items():
        np.testing.assert_allclose(found[name], array, atol=1e-4)


@pytest.mark.parametrize("path", ["session", "module"])
def test_two_threads_give_the_numbers_of_one(path: str, program: Path, converted: Converted, tmp_path: Path) -> None:
    inputs: dict[str, running.Array] = {"x": models.noise(1, 16, 32, 32)}
    one = agent(program, tmp_path / "1", converted("conv"), inputs, path=path, threads=1)
    two = agent(program, tmp_path / "2", converted("conv"), inputs, path=path, threads=2)
    assert two.of(Loaded)[0].threads == 2
    for name, array in running.outputs(one, tmp_path / "1").items():
        np.testing.assert_allclose(running.outputs(two, tmp_path / "2")[name], array, atol=1e-4)


@pytest.mark.parametrize("path", ["session", "module"])
def test_without_winograd_the_numbers_are_nearer(path: str, program: Path, tmp_path: Path) -> None:
    inputs: dict[str, running.Array] = {"x": models.noise(1, 64, 56, 56)}
    model = models.convert(models.conv_net(layers=4, channels=64, size=56), tmp_path / "model")
    wanted = reference(model, inputs)["map3"]
    error = {}
    for winograd in (True, False):
        folder = tmp_path / str(winograd)
        ran = agent(program, folder, model, inputs, path=path, winograd=winograd)
        error[winograd] = float(np.abs(running.outputs(ran, folder)["map3"] - wanted).max())
    assert error[False] < 0.1 * error[True]


def test_the_profiled_runs_do_not_change_the_outputs(program: Path, converted: Converted, tmp_path: Path) -> None:
    inputs: dict[str, running.Array] = {"x": models.noise(1, 16, 32, 32)}
    plain = agent(program, tmp_path / "plain", converted("conv"), inputs)
    profiled = agent(program, tmp_path / "ops", converted("conv"), inputs, ops=True)
    for name, array in running.outputs(plain, tmp_path / "plain").items():
        np.testing.assert_array_equal(running.outputs(profiled, tmp_path / "ops")[name], array)


def test_an_input_that_the_engine_left_out_may_be_given(program: Path, converted: Converted, tmp_path: Path) -> None:
    inputs: dict[str, running.Array] = {"x": models.noise(1, 4), "unused": models.noise(2, 2)}
    ran = agent(program, tmp_path, converted("branch"), inputs)
    assert isinstance(ran.last, Finished)
