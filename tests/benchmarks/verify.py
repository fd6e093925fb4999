"""What a verification costs, against one load and one run per engine, input and size.

    python -m tests.benchmarks.verify

Both sides start their own processes: the steps with fresh workers, and two bare scripts (one for
onnxruntime, one for MNN) that load the model once and run the very same inputs. Prints one JSON
line: ``ratio`` is the median over interleaved pairs.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.engines.models import FLOAT, node, write
from workbench.children.workers import Workers
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.attempts import Subject
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted
from workbench.engines.ort.reference import Reference, run_reference
from workbench.engines.verify import verify
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx

PAIRS = 7
TARGET = 1.2
CHANNELS = 64
BLOCKS = 10

_ORT = """
import json, sys
import numpy as np, onnxruntime
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
for case in json.load(open(sys.argv[2])):
    session.run(None, {name: np.load(file) for name, file in case.items()})
"""
_MNN = """
import json, sys
import numpy as np
from MNN import expr, nn
cases = json.load(open(sys.argv[2]))
manager = nn.create_runtime_manager(({"backend": "CPU", "numThread": 1},))
module = nn.load_module_from_file(sys.argv[1], list(cases[0]), ["y"], runtime_manager=manager)
for case in cases:
    feeds = []
    for file in case.values():
        array = np.load(file)
        feeds.append(expr.const(array, list(array.shape), expr.NCHW, expr.float))
    for output in module.onForward(feeds):
        output.read()
"""


def network(path: Path) -> Path:
    """Ten 3x3 convolutions of 64 channels with shortcuts: 1.5 MB of weights, image and batch open."""
    random = np.random.default_rng(3)
    weights = {"w": (random.standard_normal((CHANNELS, 3, 3, 3)) * 0.2).astype(np.float32)}
    nodes = [node("Conv", ["x", "w"], ["t0"], "stem", pads=[1, 1, 1, 1], strides=[2, 2])]
    for block in range(BLOCKS):
        scale = (2.0 / (CHANNELS * 9)) ** 0.5
        filters = random.standard_normal((CHANNELS, CHANNELS, 3, 3)) * scale
        weights[f"w{block}"] = filters.astype(np.float32)
        nodes += [
            node("Conv", [f"t{block}", f"w{block}"], [f"c{block}"], f"conv{block}", pads=[1, 1, 1, 1]),
            node("Relu", [f"c{block}"], [f"r{block}"], f"relu{block}"),
            node("Add", [f"r{block}", f"t{block}"], [f"t{block + 1}"], f"add{block}"),
        ]
    nodes.append(node("GlobalAveragePool", [f"t{BLOCKS}"], ["y"], "pool"))
    return write(path, nodes, [("x", FLOAT, ["n", 3, "h", "w"])], [("y", FLOAT, None)], weights)


def steps(source: Path, converted: Converted, folder: Path) -> tuple[float, Reference]:
    """Seconds of the reference and the verification with workers of their own."""
    folder.mkdir()
    for name in ("reference", "verified"):
        (folder / name).mkdir()
    with Workers() as readers:
        model = open_onnx(source, readers, Quiet())
    with Workers() as workers:
        began = time.perf_counter()
        reference = run_reference(source, contracts_of(model), folder / "reference", workers, Quiet())
        assert isinstance(reference, Reference)
        subject = Subject(model.graph, source, converted, reference)
        verified = verify(subject, folder / "verified", workers, Quiet())
        seconds = time.perf_counter() - began
    assert verified.answer.is_yes
    return seconds, reference


def bare(source: Path, converted: Converted, reference: Reference, folder: Path) -> float:
    """Seconds of the two scripts on the same inputs."""
    cases = folder / "cases.json"
    cases.write_text(json.dumps([dict(case.inputs) for case in reference.cases]))
    began = time.perf_counter()
    for script, model in ((_ORT, source), (_MNN, converted.path)):
        argv = [sys.executable, "-c", script, str(model), str(cases)]
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def measure() -> dict[str, object]:
    with tempfile.TemporaryDirectory(prefix="workbench-bench-") as name:
        root = Path(name)
        source = network(root / "m.onnx")
        (root / "converted").mkdir()
        with Workers() as workers:
            model = open_onnx(source, workers, Quiet())
            converted = convert_model(model, source, QuantPlan(), root / "converted", workers, Quiet())
        assert isinstance(converted, Converted)
        ratios, seconds = [], []
        for pair in range(PAIRS):
            ours, reference = steps(source, converted, root / f"pair{pair}")
            theirs = bare(source, converted, reference, root / f"pair{pair}")
            ratios.append(ours / theirs)
            seconds.append(ours)
        inputs, sizes = len(reference.cases), len(reference.sizes)
    return {
        "benchmark": "verify",
        "ratio": round(statistics.median(ratios), 3),
        "target": TARGET,
        "seconds": round(statistics.median(seconds), 3),
        "inputs": inputs,
        "sizes": sizes,
        "pairs": PAIRS,
    }


if __name__ == "__main__":
    print(json.dumps(measure()))
