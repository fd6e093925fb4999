"""Conversion against the bare converter in a child, in interleaved pairs. Prints one JSON line.

``python -m tests.benchmarks.convert``. Bare: a fresh Python that imports the converter and calls it
with the same arguments. Ours: ``convert_model``, its answer read and its plan read back included,
once with a worker that has just started and once with a warm one, as in a session. ``cpu_ratio``:
processor time of both processes with a fresh worker, which a busy machine disturbs less.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.graph import Model
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted
from workbench.formats.onnx.importer import open_onnx

_PAIRS = 9
_STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))  # ResNet-50's: width of the bottleneck, blocks
_BARE = "import sys, _tools; _tools.mnnconvert(['MNNConvert', *sys.argv[1:]])"
_PLANS = {"float": QuantPlan(), "8 bit": QuantPlan(LayerQuant(8))}


def residual_network(path: Path) -> Path:
    """The shape of ResNet-50 without its first and last layer: 23 million parameters in 52 convolutions."""
    rng = np.random.default_rng(0)
    nodes: list[onnx.NodeProto] = []
    constants: dict[str, np.ndarray] = {}

    def convolution(source: str, inputs: int, outputs: int, kernel: int, stride: int) -> str:
        name = f"c{len(constants)}"
        scale = np.float32((inputs * kernel * kernel) ** -0.5)
        constants[f"{name}.w"] = rng.standard_normal((outputs, inputs, kernel, kernel), np.float32) * scale
        for key in "gbmv":
            constants[f"{name}.{key}"] = np.ones(outputs, np.float32)
        attributes = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [kernel // 2] * 4}
        nodes.append(helper.make_node("Conv", [source, f"{name}.w"], [name], **attributes))
        normal = [name, *(f"{name}.{key}" for key in "gbmv")]
        nodes.append(helper.make_node("BatchNormalization", normal, [f"{name}.n"], epsilon=1e-5))
        return f"{name}.n"

    def relu(source: str) -> str:
        nodes.append(helper.make_node("Relu", [source], [f"{source}.r"]))
        return f"{source}.r"

    value, channels = "x", 64
    for width, blocks in _STAGES:
        for block in range(blocks):
            stride = 2 if block == 0 and width != 64 else 1
            inner = relu(convolution(value, channels, width, 1, 1))
            inner = relu(convolution(inner, width, width, 3, stride))
            inner = convolution(inner, width, 4 * width, 1, 1)
            around = value if block else convolution(value, channels, 4 * width, 1, stride)
            nodes.append(helper.make_node("Add", [inner, around], [f"{inner}.s"]))
            value, channels = relu(f"{inner}.s"), 4 * width
    graph = helper.make_graph(
        nodes,
        "residual",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 64, 56, 56))],
        [helper.make_tensor_value_info(value, TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of wall time, and of processor time of this process and its children."""

    wall: float
    cpu: float


def cost(run: Callable[[], None]) -> Cost:
    began, before = time.perf_counter(), _cpu_seconds()
    run()
    return Cost(time.perf_counter() - began, _cpu_seconds() - before)


def _cpu_seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def bare(source: Path, options: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        arguments = [
            "-f",
            "ONNX",
            "--modelFile",
            str(source),
            "--MNNModel",
            f"{folder}/out.mnn",
            "--bizCode",
            "workbench",
        ]
        command = [sys.executable, "-c", _BARE, *arguments, *options]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        assert Path(folder, "out.mnn").stat().st_size > 1 << 20


def ours(model: Model, source: Path, plan: QuantPlan, workers: Workers) -> None:
    with scratch_folder() as folder:
        result = convert_model(model, source, plan, folder, workers, Quiet())
        assert isinstance(result, Converted), result


def ours_fresh(model: Model, source: Path, plan: QuantPlan) -> None:
    with Workers() as workers:
        ours(model, source, plan, workers)


def ratios(model: Model, source: Path, plan: QuantPlan, warm: Workers) -> dict[str, float]:
    """Medians over the pairs: ours against the bare converter, with a fresh worker and with a warm one."""
    options = () if plan.is_float else ("--weightQuantBits", str(plan.default.bits))
    rows = []
    for _ in range(_PAIRS):
        base = cost(lambda: bare(source, options))
        fresh = cost(lambda: ours_fresh(model, source, plan))
        again = cost(lambda: ours(model, source, plan, warm))
        rows.append((base.wall, fresh.wall / base.wall, fresh.cpu / base.cpu, again.wall / base.wall))
    names = ("bare_seconds", "fresh_ratio", "cpu_ratio", "warm_ratio")
    return {name: round(statistics.median(row[i] for row in rows), 3) for i, name in enumerate(names)}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Workers() as workers:
        source = residual_network(Path(folder, "residual.onnx"))
        model = open_onnx(source, workers, Quiet())
        ours(model, source, QuantPlan(), workers)  # the file is in the page cache for every pair
        figures = {name: ratios(model, source, plan, workers) for name, plan in _PLANS.items()}
        size = source.stat().st_size >> 20
    print(json.dumps({"benchmark": "convert", "model_mb": size, "pairs": _PAIRS, "limit": 1.05, **figures}))


if __name__ == "__main__":
    main()
