"""MNN by itself: converts and runs what it is told to. It shares no code with Workbench.

    python engine_process.py

Reads one JSON object a line and answers one a line:
    {"do": "convert", "model": FILE.onnx, "made": FILE.mnn}   -> {"made": true or false}
    {"do": "run", "model": FILE.mnn, "path": "module" or "session", "winograd": bool,
     "inputs": {name: FILE.npy}, "outputs": {name: FILE.npy to write}}   -> {} or {"fault": text}
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import tempfile

import numpy as np


def convert(task: dict) -> dict:
    import _tools

    os.chdir(tempfile.mkdtemp(dir=os.path.dirname(task["made"])))  # the converter leaves files where it runs
    _tools.mnnconvert(
        ["MNNConvert", "-f", "ONNX", "--modelFile", task["model"], "--MNNModel", task["made"], "--bizCode", "test"]
    )
    os.chdir("/")
    return {"made": os.path.isfile(task["made"])}


def run(task: dict) -> dict:
    arrays = {name: np.load(file) for name, file in task["inputs"].items()}
    try:
        found = _PATHS[task["path"]](task["model"], arrays, list(task["outputs"]), task["winograd"])
    except Exception as no:  # noqa: BLE001 - MNN raises that very class
        return {"fault": f"{type(no).__name__}: {no}"}
    for values, file in zip(found, task["outputs"].values(), strict=True):
        np.save(file, values)
    return {}


def through_module(model: str, arrays: dict, outputs: list, winograd: bool) -> list:
    from MNN import expr, nn

    types = {expr.float: np.float32, expr.int: np.int32, expr.uint8: np.uint8, expr.int8: np.int8}
    manager = nn.create_runtime_manager(({"backend": "CPU", "numThread": 1},))
    if not winograd:
        manager.set_hint(3, 0)
    module = nn.load_module_from_file(model, list(arrays), outputs, runtime_manager=manager)
    feeds = []
    for array, slot in zip(arrays.values(), module.get_info()["inputs"], strict=True):
        values = np.ascontiguousarray(array.astype(types[slot.dtype])).reshape(array.shape)
        if values.size and slot.dtype != expr.int8:
            feeds.append(expr.const(values, list(array.shape), expr.NCHW, slot.dtype))
            continue
        feeds.append(expr.placeholder(list(array.shape), expr.NCHW, slot.dtype))
        if values.size:
            feeds[-1].write(values)
    found = []
    for output in module.onForward(feeds):
        plain = expr.convert(output, expr.NCHW) if output.data_format == expr.NC4HW4 else output
        empty = 0 in plain.shape
        found.append(np.zeros(plain.shape) if empty else np.array(plain.read()).reshape(plain.shape))
    if len(found) != len(outputs):
        raise RuntimeError(f"{len(found)} outputs of {len(outputs)}")
    return found


def through_session(model: str, arrays: dict, outputs: list, winograd: bool) -> list:
    import MNN

    types = {MNN.Halide_Type_Float: np.float32, MNN.Halide_Type_Int: np.int32, MNN.Halide_Type_Uint8: np.uint8}
    interpreter = MNN.Interpreter(model)
    if not winograd:
        interpreter.setSessionHint(3, 0)
    session = interpreter.createSession({"numThread": 1})
    known = interpreter.getSessionInputAll(session)
    used = {name: known[name] for name in arrays if name in known}
    for name, tensor in used.items():
        interpreter.resizeTensor(tensor, arrays[name].shape)
    interpreter.resizeSession(session)
    for name, tensor in used.items():
        kind, array = tensor.getDataType(), arrays[name]
        if array.size:
            host = np.ascontiguousarray(array.astype(types[kind])).reshape(array.shape)
            tensor.copyFrom(MNN.Tensor(array.shape, kind, host, MNN.Tensor_DimensionType_Caffe))
    interpreter.runSession(session)
    made = interpreter.getSessionOutputAll(session)
    return [fetched(made[name], types) for name in outputs]


def fetched(tensor: object, types: dict) -> np.ndarray:
    import MNN

    shape, kind = tuple(tensor.getShape()), tensor.getDataType()
    values = np.zeros(shape, types[kind])
    if not values.size:
        return values
    host = MNN.Tensor(shape, kind, values, MNN.Tensor_DimensionType_Caffe)
    tensor.copyToHostTensor(host)
    return np.array(host.getNumpyData()).reshape(shape)


_PR_SET_PDEATHSIG = 1
_MOST_MEMORY = 8 << 30
_PATHS = {"module": through_module, "session": through_session}
_TASKS = {"convert": convert, "run": run}


def main() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # a model that never ends outlives nobody
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))  # some models grow without end
    answers = os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)  # the engine prints on stdout
    os.dup2(null, 2)
    for line in sys.stdin:
        task = json.loads(line)
        answers.write(json.dumps(_TASKS[task["do"]](task)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
