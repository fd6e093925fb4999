"""The engine's Interpreter path: faster, without control flow. For children only: it imports MNN."""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import MNN
import numpy as np

from workbench.engines.mnn.loaded_model import (
    RELEASE,
    WINOGRAD_MEMORY_LEVEL,
    Array,
    EngineSettings,
    NotLoaded,
    OpTime,
    RunFailed,
    engine_array,
)

_RESIZE_DEFER: Final = 7  # MNN's SessionMode: made for the shapes that it is fed, not first for the model's own
_RESIZE_STATUS: Final = 3  # MNN's SessionInfoCode; 0 is a session that can run
_THREAD_NUMBER: Final = 4
_TYPES: Final[dict[Any, Any]] = {
    MNN.Halide_Type_Float: np.float32,
    MNN.Halide_Type_Int: np.int32,
    MNN.Halide_Type_Uint8: np.uint8,
}


class SessionModel:
    """Implements LoadedModel.

    Without names of ``inputs`` and ``outputs`` they are the model's own.
    """

    def __init__(self, model: str, inputs: Sequence[str], outputs: Sequence[str], settings: EngineSettings) -> None:
        try:
            self._interpreter = MNN.Interpreter(model)
        except Exception as no:
            if type(no) is not Exception:  # what MNN raises for a file that it cannot read is that and no more
                raise
            raise NotLoaded from no
        if settings.measured:
            self._interpreter.setSessionMode(RELEASE)
            self._interpreter.setSessionMode(_RESIZE_DEFER)
        if not settings.winograd:
            self._interpreter.setSessionHint(WINOGRAD_MEMORY_LEVEL, 0)
        self._session = self._interpreter.createSession(settings.config)
        known = self._interpreter.getSessionInputAll(self._session)
        self._inputs = {name: known[name] for name in inputs or known if name in known}  # unused ones are dropped
        self.inputs = {name: _TYPES.get(tensor.getDataType()) for name, tensor in self._inputs.items()}
        self.outputs = tuple(outputs or self._interpreter.getSessionOutputAll(self._session))
        self._fed: list[tuple[Any, Any]] = []
        self._fetched: list[tuple[Any, Any]] | None = None

    @property
    def threads(self) -> int:
        """An integer that the Python interface hands out as a float of the same bits."""
        bits = struct.pack("f", self._interpreter.getSessionInfo(self._session, _THREAD_NUMBER))
        (threads,) = struct.unpack("i", bits)
        return int(threads)

    def feed(self, arrays: Mapping[str, Array]) -> bool:
        for name, tensor in self._inputs.items():
            self._interpreter.resizeTensor(tensor, tuple(arrays[name].shape))
        self._interpreter.resizeSession(self._session)
        self._fed, self._fetched = [], None
        for name, tensor in self._inputs.items():
            values = engine_array(name, arrays[name], self.inputs[name])
            if values.size:
                self._fed.append((tensor, _host_tensor(values, tensor.getDataType())))
        return bool(self._interpreter.getSessionInfo(self._session, _RESIZE_STATUS) == 0)

    def infer(self) -> None:
        for tensor, host in self._fed:
            tensor.copyFrom(host)
        self._done(self._interpreter.runSession(self._session))
        if self._fetched is None:  # shapes that hang on values are known after the first run only
            self._fetched = [self._fetch(name) for name in self.outputs]
        for tensor, host in self._fetched:
            if host is not None:
                tensor.copyToHostTensor(host)

    def _fetch(self, name: str) -> tuple[Any, Any]:
        """An output and the host tensor it is copied to, None where it holds nothing."""
        found = self._interpreter.getSessionOutputAll(self._session).get(name)
        if found is None:
            raise RunFailed(f"There is no output {name}")
        kind = found.getDataType()
        values = np.zeros(tuple(found.getShape()), _TYPES.get(kind, np.float32))
        return found, _host_tensor(values, kind) if values.size else None

    def read(self) -> list[Array]:
        return [self._values(tensor, host) for tensor, host in self._fetched or ()]

    def _values(self, tensor: Any, host: Any) -> Array:
        shape = tuple(tensor.getShape())
        if host is None:
            return np.zeros(shape, _TYPES.get(tensor.getDataType(), np.float32))
        return np.array(host.getNumpyData()).reshape(shape)

    def time_ops(self) -> list[OpTime]:
        ops: list[OpTime] = []
        began = 0

        def before(_tensors: Any, _info: Any) -> bool:
            nonlocal began
            began = time.perf_counter_ns()
            return True

        def after(_tensors: Any, info: Any) -> bool:
            ns = time.perf_counter_ns() - began
            ops.append(OpTime(info.getName(), info.getType(), ns, info.getFlops()))
            return True

        for tensor, host in self._fed:
            tensor.copyFrom(host)
        self._done(self._interpreter.runSessionWithCallBackInfo(self._session, before, after))
        return ops

    def _done(self, code: int) -> None:
        if code != 0:
            raise RunFailed(f"The engine stopped with code {code}")


def _host_tensor(values: Array, kind: Any) -> Any:
    return MNN.Tensor(values.shape, kind, values, MNN.Tensor_DimensionType_Caffe)
