"""Where the model that is converted lies, and what else is converted at the same time."""

from __future__ import annotations

import threading
from pathlib import Path

import onnx

from tests.engines.mnn.onnx_models import node, save, weights
from workbench.children.workers import Workers
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted
from workbench.engines.mnn.mnn_file import MnnFile
from workbench.engines.mnn.source import engine_path
from workbench.engines.mnn.stored_values import stored_weights

INT8 = LayerQuant(8)


def test_a_model_under_a_foreign_name_with_external_weights_is_converted(converted, tmp_path: Path) -> None:
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    constants = {"w": weights(32, 32, 1, 1)}
    source = save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 32, 4, 4)}, {"y": (1, 32, 4, 4)})
    plain = converted(source)
    home = tmp_path / "模型 папка é"
    (home / "weights").mkdir(parents=True)
    onnx.save(
        onnx.load(source),
        home / "сеть.onnx",
        save_as_external_data=True,
        location="weights/все.bin",
        size_threshold=0,
    )
    strange = converted(home / "сеть.onnx")
    with MnnFile(plain.path) as one, MnnFile(strange.path) as other:
        for left, right in zip(one.ops(), other.ops(), strict=True):
            assert left.name == right.name
            if left.weights and right.weights:
                assert (stored_weights(one, left.weights) == stored_weights(other, right.weights)).all()


def test_two_conversions_at_once_do_not_mix_their_weights(workers: Workers, opened, tmp_path: Path) -> None:
    sources = []
    for seed in range(3):
        path = tmp_path / f"m{seed}.onnx"
        nodes = [node("MatMul", ["x", "w"], ["y"])]
        save(path, nodes, {"w": weights(512, 512, seed=seed)}, {"x": (1, 512)}, {"y": (1, 512)})
        sources.append(path)
    results: dict[int, Converted] = {}

    def run(seed: int) -> None:
        folder = tmp_path / f"conversion{seed}"
        folder.mkdir()
        result = convert_model(opened(sources[seed]), sources[seed], QuantPlan(INT8), folder, workers, Quiet())
        assert isinstance(result, Converted)
        results[seed] = result

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(3):
        with MnnFile(results[seed].path) as file:
            (written,) = [stored_weights(file, op.weights) for op in file.ops() if op.weights]
        assert abs(written.reshape(512, 512).T - weights(512, 512, seed=seed)).max() < 0.05


def test_a_plain_path_is_used_as_it_is_and_another_is_linked(tmp_path: Path) -> None:
    plain, odd = tmp_path / "model.onnx", tmp_path / "модель.onnx"
    for path in (plain, odd):
        path.write_bytes(b"x" * 10)
    folder = tmp_path / "conversion"
    folder.mkdir()
    assert engine_path(plain, (), folder) == plain
    assert list(folder.iterdir()) == []
    linked = engine_path(odd, (), folder)
    assert linked == folder / "in.onnx"
    assert linked.is_symlink()
    assert linked.read_bytes() == odd.read_bytes()
