"""How long a 2 GB model takes to open, and how much memory: external data, and inline.

Prints one JSON line. ``python -m tests.benchmarks.open_model``. The files are real on disk. Peak
resident memory counts the pages of the file that were touched.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
import psutil
from onnx import TensorProto, helper

from workbench.children.workers import Workers
from workbench.core.steps import Quiet
from workbench.formats.onnx.importer import IMPORTER
from workbench.formats.registry import open_model

_LAYERS = 30
_WIDTH = 4096  # 4096 x 4096 floats: 64 MiB a layer, 1.88 GiB in all, as near to protobuf's 2 GiB as whole layers go
_REPEATS = 5


def graph_of(weights: list[onnx.TensorProto]) -> onnx.ModelProto:
    nodes = []
    for index in range(_LAYERS):
        nodes += [
            helper.make_node("MatMul", [f"x{index}", f"w{index}"], [f"m{index}"], name=f"/layers.{index}/MatMul"),
            helper.make_node("Relu", [f"m{index}"], [f"x{index + 1}"], name=f"/layers.{index}/Relu"),
        ]
    graph = helper.make_graph(
        nodes,
        "large",
        [helper.make_tensor_value_info("x0", TensorProto.FLOAT, ["batch", _WIDTH])],
        [helper.make_tensor_value_info(f"x{_LAYERS}", TensorProto.FLOAT, ["batch", _WIDTH])],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def weight(index: int) -> onnx.TensorProto:
    return onnx.TensorProto(name=f"w{index}", data_type=TensorProto.FLOAT, dims=[_WIDTH, _WIDTH])


def write_external(folder: Path) -> Path:
    weights, block = [], np.full((_WIDTH, _WIDTH), 0.5, np.float32).tobytes()
    with (folder / "large.data").open("wb") as data:
        for index in range(_LAYERS):
            tensor = weight(index)
            tensor.data_location = TensorProto.EXTERNAL
            for key, value in (("location", "large.data"), ("offset", data.tell()), ("length", len(block))):
                tensor.external_data.add(key=key, value=str(value))
            weights.append(tensor)
            data.write(block)
    path = folder / "external.onnx"
    path.write_bytes(graph_of(weights).SerializeToString())
    return path


def write_inline(folder: Path) -> Path:
    """Written field by field, since protobuf would need three times the model's size in memory."""
    block = np.full((_WIDTH, _WIDTH), 0.5, np.float32).tobytes()
    model = graph_of([])
    graph = model.graph.SerializeToString()
    model.ClearField("graph")
    heads = []
    for index in range(_LAYERS):
        head = weight(index).SerializeToString() + _key(9) + _varint(len(block))
        heads.append(_key(5) + _varint(len(head) + len(block)) + head)
    size = len(graph) + sum(map(len, heads)) + _LAYERS * len(block)
    path = folder / "inline.onnx"
    with path.open("wb") as file:
        file.write(model.SerializeToString() + _key(7) + _varint(size) + graph)
        for head in heads:
            file.write(head)
            file.write(block)
    return path


def _key(number: int) -> bytes:
    return _varint(number << 3 | 2)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


def measure(path: Path) -> dict[str, float]:
    """Seconds of the first opening, in a cold child, and of later ones; memory of child (peak) and parent."""
    seconds = []
    with Workers() as workers:
        for _ in range(_REPEATS):
            began = time.perf_counter()
            model = open_model(path, (IMPORTER,), workers, Quiet())
            seconds.append(time.perf_counter() - began)
    assert len(model.graph.initializers) == _LAYERS
    return {
        "gb": round(model.bytes / 1e9, 3),
        "cold_s": round(seconds[0], 3),
        "warm_s": round(statistics.median(seconds[1:]), 4),
        "child_peak_rss_mb": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 1),
        "parent_rss_mb": round(psutil.Process().memory_info().rss / (1 << 20), 1),
    }


def main() -> None:
    if len(sys.argv) > 1:  # a process of its own: a child's peak begins with what its parent holds when it forks
        print(json.dumps(measure(Path(sys.argv[1]))))
        return
    figures = {"benchmark": "open_model"}
    for name, write in (("external", write_external), ("inline", write_inline)):
        with tempfile.TemporaryDirectory() as folder:
            argv = [sys.executable, "-m", "tests.benchmarks.open_model", str(write(Path(folder)))]
            measured = json.loads(subprocess.run(argv, check=True, stdout=subprocess.PIPE).stdout)
        figures |= {f"{name}_{key}": value for key, value in measured.items()}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
