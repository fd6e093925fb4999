"""An independent judge of a converted model: MNN run by this script alone, against ``expected.npz``.

    python judge.py MODEL.mnn CASE_FOLDER PATH WINOGRAD

Prints {"error": largest absolute error over the largest expected value, "l2": relative L2, "fault"}
over all outputs, the worst of each. It shares no code with the workbench.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np


def run_module(model: str, names: dict[str, list[str]], arrays: list[np.ndarray], winograd: bool) -> list[np.ndarray]:
    from MNN import expr, nn

    types = {expr.float: np.float32, expr.int: np.int32, expr.uint8: np.uint8}
    manager = nn.create_runtime_manager(({"backend": "CPU", "numThread": 1},))
    if not winograd:
        manager.set_hint(3, 0)
    module = nn.load_module_from_file(model, names["inputs"], names["outputs"], runtime_manager=manager)
    slots = module.get_info()["inputs"]
    feeds = []
    for array, slot in zip(arrays, slots, strict=True):
        values = np.ascontiguousarray(array.astype(types[slot.dtype]))
        feeds.append(expr.const(values, list(array.shape), expr.NCHW, slot.dtype))
    outputs = []
    for output in module.onForward(feeds):
        plain = expr.convert(output, expr.NCHW) if output.data_format == expr.NC4HW4 else output
        empty = 0 in plain.shape
        outputs.append(np.zeros(plain.shape) if empty else np.array(plain.read()).reshape(plain.shape))
    return outputs


def run_session(model: str, names: dict[str, list[str]], arrays: list[np.ndarray], winograd: bool) -> list[np.ndarray]:
    import MNN

    types = {MNN.Halide_Type_Float: np.float32, MNN.Halide_Type_Int: np.int32, MNN.Halide_Type_Uint8: np.uint8}
    interpreter = MNN.Interpreter(model)
    if not winograd:
        interpreter.setSessionHint(3, 0)
    session = interpreter.createSession({"numThread": 1})
    tensors = [interpreter.getSessionInput(session, name) for name in names["inputs"]]
    for tensor, array in zip(tensors, arrays, strict=True):
        interpreter.resizeTensor(tensor, array.shape)
    interpreter.resizeSession(session)
    for tensor, array in zip(tensors, arrays, strict=True):
        kind = tensor.getDataType()
        host = np.ascontiguousarray(array.astype(types[kind]))
        tensor.copyFrom(MNN.Tensor(array.shape, kind, host, MNN.Tensor_DimensionType_Caffe))
    interpreter.runSession(session)
    outputs = []
    for name in names["outputs"]:
        found = interpreter.getSessionOutput(session, name)
        shape, kind = found.getShape(), found.getDataType()
        host = MNN.Tensor(shape, kind, np.zeros(shape, types[kind]), MNN.Tensor_DimensionType_Caffe)
        found.copyToHostTensor(host)
        outputs.append(np.array(host.getNumpyData()).reshape(shape))
    return outputs


def judge(found: list[np.ndarray], expected: list[np.ndarray]) -> dict[str, object]:
    worst_error = worst_l2 = 0.0
    if len(found) != len(expected):
        return {"fault": f"{len(found)} outputs instead of {len(expected)}", "error": None, "l2": None}
    for got, want in zip(found, expected, strict=True):
        if got.shape != want.shape:
            return {"fault": f"shape {got.shape} instead of {want.shape}", "error": None, "l2": None}
        if want.size == 0:
            continue
        if want.dtype.kind in "iub":
            if not np.array_equal(got.astype(np.int64), want.astype(np.int64)):
                return {"fault": "integers differ", "error": None, "l2": None}
            continue
        a, b = got.astype(np.float64), want.astype(np.float64)
        if not np.array_equal(np.isfinite(a), np.isfinite(b)):
            return {"fault": "non-finite values differ", "error": None, "l2": None}
        finite = np.isfinite(b)
        difference = np.abs(a[finite] - b[finite])
        scale = float(np.abs(b[finite]).max(initial=0.0)) or 1.0
        norm = float(np.linalg.norm(b[finite])) or 1.0
        worst_error = max(worst_error, float(difference.max(initial=0.0)) / scale)
        worst_l2 = max(worst_l2, float(np.linalg.norm(difference)) / norm)
    return {"fault": "", "error": worst_error, "l2": worst_l2}


def main() -> None:
    model, folder, path, winograd = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4] == "True"
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # the engine prints on stdout
    names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
    with np.load(folder / "inputs.npz") as stored:
        arrays = [stored[f"in{number}"] for number in range(len(names["inputs"]))]
    with np.load(folder / "expected.npz") as stored:
        expected = [stored[f"out{number}"] for number in range(len(names["outputs"]))]
    run = run_session if path == "session" else run_module
    answers.write(json.dumps(judge(run(model, names, arrays, winograd), expected)))
    answers.close()


if __name__ == "__main__":
    main()
