"""The child that runs a converted model and compares its outputs where they are made."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Protocol

import MNN
import numpy as np
from MNN import expr, nn
from numpy.typing import NDArray

from workbench.children.serve import Job, Refusal
from workbench.engines.compare import MISSING, Comparison, compare

Array = NDArray[Any]

AT: Final = "case.txt"
_NOT_LOADED: Final = "not_loaded"
_WINOGRAD_MEMORY_LEVEL: Final = 3  # MNN's Interpreter::HintMode; level 0 uses Winograd least
_INT32: Final = np.iinfo(np.int32)
_MODULE_TYPES: Final[dict[Any, Any]] = {
    expr.float: np.float32,
    expr.int: np.int32,
    expr.uint8: np.uint8,
    expr.int8: np.int8,
}
_SESSION_TYPES: Final[dict[Any, Any]] = {
    MNN.Halide_Type_Float: np.float32,
    MNN.Halide_Type_Int: np.int32,
    MNN.Halide_Type_Uint8: np.uint8,
}


class _Failed(Exception):
    """This case has no outputs; the text says why."""


class _Loaded(Protocol):
    def run(self, feeds: Mapping[str, Array]) -> list[Array]:
        """The outputs in the order they were asked for. Raises _Failed."""


def run(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Load ``model`` and run ``cases``; each output is compared with its file in ``want`` (and in ``price``).

    ``path``: "module" or "session"; ``winograd`` False: as little of it as the engine can.
    Cases hold absolute file names. Returns {"load_ms", "rows", "price_rows", "failures"}.
    Refuses with "not_loaded".
    """
    began = time.perf_counter()
    open_path = PATHS[request["path"]]
    loaded = open_path(request["model"], request["inputs"], request["outputs"], request["winograd"], request["threads"])
    load_ms = (time.perf_counter() - began) * 1000.0
    rows: list[dict[str, Any]] = []
    price_rows: list[dict[str, Any]] = []
    failures: list[dict[str, Any]] = []
    for number, case in enumerate(request["cases"]):
        Path(AT).write_text(str(number))
        feeds = {name: np.load(file) for name, file in case["inputs"].items()}
        try:
            outputs = loaded.run(feeds)
        except _Failed as no:
            failures.append({"case": number, "text": str(no)})
            continue
        by_name = dict(zip(request["outputs"], outputs, strict=True))
        inner = frozenset(case["inner"])
        rows += _compared(number, by_name, case["want"], inner)
        price_rows += _compared(number, by_name, case["price"], inner)
    return {"load_ms": load_ms, "rows": rows, "price_rows": price_rows, "failures": failures}


def _compared(
    number: int, outputs: Mapping[str, Array], want: Mapping[str, str], inner: frozenset[str]
) -> list[dict[str, Any]]:
    rows = []
    for name, file in want.items():
        right = np.load(file)
        found = outputs.get(name)
        if found is not None and name in inner:
            found = _without_added_axes(found, right.shape)
        row = Comparison(MISSING, "no such output") if found is None else compare(found, right)
        rows.append({"case": number, "output": name, **asdict(row)})
    return rows


def _without_added_axes(found: Array, shape: tuple[int, ...]) -> Array:
    """MNN computes a 1-D convolution as a 2-D one, and shows it where that is the last operator."""
    added = found.shape[len(shape) :]
    if found.shape[: len(shape)] == shape and all(size == 1 for size in added):
        return found.reshape(shape)
    return found


class _Module:
    """The Express path: what control flow needs, and what the agent uses."""

    def __init__(self, model: str, inputs: Sequence[str], outputs: Sequence[str], winograd: bool, threads: int) -> None:
        manager = nn.create_runtime_manager(({"backend": "CPU", "numThread": threads, "precision": "normal"},))
        if not winograd:
            manager.set_hint(_WINOGRAD_MEMORY_LEVEL, 0)
        try:
            self._module = nn.load_module_from_file(model, list(inputs), list(outputs), runtime_manager=manager)
        except SystemError as no:  # the reason is on the engine's stdout: the outcome's lines
            raise Refusal(_NOT_LOADED, "The engine does not load the converted model") from no
        if self._module is None:
            raise Refusal(_NOT_LOADED, "The engine does not load the converted model")
        self._manager = manager  # the module keeps no reference of its own
        self._inputs = list(zip(inputs, self._module.get_info()["inputs"], strict=True))
        self._count = len(outputs)

    def run(self, feeds: Mapping[str, Array]) -> list[Array]:
        variables = [_variable(name, feeds[name], slot.dtype) for name, slot in self._inputs]
        outputs = self._module.onForward(variables)
        if len(outputs) != self._count:  # no exception is raised
            raise _Failed("The engine computed nothing")
        return [_read(output) for output in outputs]


def _variable(name: str, array: Array, dtype: Any) -> Any:
    values = _engine_array(name, array, _MODULE_TYPES.get(dtype))
    shape = list(values.shape)
    if values.size == 0:
        return expr.placeholder(shape, expr.NCHW, dtype)
    return expr.const(values, shape, expr.NCHW, dtype)


def _read(variable: Any) -> Array:
    try:
        if variable.data_format == expr.NC4HW4:
            variable = expr.convert(variable, expr.NCHW)
        shape = tuple(variable.shape)
        if 0 in shape:
            return np.zeros(shape, _MODULE_TYPES.get(variable.dtype, np.float32))
        return np.array(variable.read()).reshape(shape)
    except (SystemError, ValueError) as no:  # read() of a variable that could not be computed
        raise _Failed(f"An output cannot be read: {no}") from no


class _Session:
    """The Interpreter path: faster, without control flow."""

    def __init__(self, model: str, inputs: Sequence[str], outputs: Sequence[str], winograd: bool, threads: int) -> None:
        try:
            self._interpreter = MNN.Interpreter(model)
        except (SystemError, ValueError, RuntimeError) as no:
            raise Refusal(_NOT_LOADED, "The engine does not load the converted model") from no
        if not winograd:
            self._interpreter.setSessionHint(_WINOGRAD_MEMORY_LEVEL, 0)
        settings = {"backend": "CPU", "numThread": threads, "precision": "normal"}
        self._session = self._interpreter.createSession(settings)
        known = self._interpreter.getSessionInputAll(self._session)
        self._inputs = {name: known[name] for name in inputs if name in known}  # unused ones are dropped
        self._outputs = list(outputs)

    def run(self, feeds: Mapping[str, Array]) -> list[Array]:
        for name, tensor in self._inputs.items():
            self._interpreter.resizeTensor(tensor, tuple(feeds[name].shape))
        self._interpreter.resizeSession(self._session)
        for name, tensor in self._inputs.items():
            kind = tensor.getDataType()
            values = _engine_array(name, feeds[name], _SESSION_TYPES.get(kind))
            if values.size:
                tensor.copyFrom(MNN.Tensor(values.shape, kind, values, MNN.Tensor_DimensionType_Caffe))
        code = self._interpreter.runSession(self._session)
        if code != 0:
            raise _Failed(f"The engine stopped with code {code}")
        return [self._output(name) for name in self._outputs]

    def _output(self, name: str) -> Array:
        found = self._interpreter.getSessionOutputAll(self._session).get(name)
        if found is None:
            raise _Failed(f"There is no output {name}")
        shape, kind = tuple(found.getShape()), found.getDataType()
        values = np.zeros(shape, _SESSION_TYPES.get(kind, np.float32))
        if values.size == 0:
            return values
        host = MNN.Tensor(shape, kind, values, MNN.Tensor_DimensionType_Caffe)
        found.copyToHostTensor(host)
        return np.array(host.getNumpyData()).reshape(shape)


def _engine_array(name: str, array: Array, dtype: Any) -> Array:
    """``array`` in the type that the engine takes: int64 and bool travel as int32, halves and doubles as float."""
    if dtype is None:
        raise _Failed(f"Input {name} has a type that the engine cannot be fed")
    outside = array.dtype.kind in "iu" and array.size and (array.min() < _INT32.min or array.max() > _INT32.max)
    if outside and dtype == np.int32:
        raise _Failed(f"Input {name} holds integers above 32 bits, which is all that the engine takes")
    with np.errstate(over="ignore"):  # a double above float's range is infinite there: the comparison tells
        return np.ascontiguousarray(array.astype(dtype)).reshape(array.shape)


PATHS: Final[dict[str, Callable[[str, Sequence[str], Sequence[str], bool, int], _Loaded]]] = {
    "module": _Module,
    "session": _Session,
}
FUNCTIONS = {"run": run}
