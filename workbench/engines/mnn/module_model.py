"""The engine's Express path: what control flow needs. For children only: it imports MNN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from MNN import expr, nn

from workbench.engines.mnn.loaded_model import (
    RELEASE,
    UNKNOWN,
    WINOGRAD_MEMORY_LEVEL,
    Array,
    EngineSettings,
    NotLoaded,
    RunFailed,
    engine_array,
)

_TYPES: Final[dict[Any, Any]] = {
    expr.float: np.float32,
    expr.int: np.int32,
    expr.uint8: np.uint8,
    expr.int8: np.int8,
}


class ModuleModel:
    """Implements LoadedModel.

    Without names of ``inputs`` and ``outputs`` they are the model's own.
    """

    def __init__(self, model: str, inputs: Sequence[str], outputs: Sequence[str], settings: EngineSettings) -> None:
        manager = nn.create_runtime_manager((settings.config,))
        if settings.measured:
            manager.set_mode(RELEASE)
        if not settings.winograd:
            manager.set_hint(WINOGRAD_MEMORY_LEVEL, 0)
        try:
            self._module = nn.load_module_from_file(model, list(inputs), list(outputs), runtime_manager=manager)
        except SystemError as no:  # the reason is on the engine's stdout: the outcome's lines
            raise NotLoaded from no
        if self._module is None:
            raise NotLoaded
        self._manager = manager  # the module keeps no reference of its own
        info = self._module.get_info()
        self._slots = dict(zip(inputs or info["inputNames"], info["inputs"], strict=True))
        self.inputs = {name: _TYPES.get(slot.dtype) for name, slot in self._slots.items()}
        self.outputs = tuple(outputs or info["outputNames"])
        self._feeds: list[tuple[Array, Any]] = []
        self._read: list[Array] = []

    @property
    def threads(self) -> int:
        """MNN's Python interface does not tell a Module's threads."""
        return UNKNOWN

    def feed(self, arrays: Mapping[str, Array]) -> bool:
        self._feeds = [
            (engine_array(name, arrays[name], self.inputs[name]), slot.dtype) for name, slot in self._slots.items()
        ]
        return True

    def infer(self) -> None:
        outputs = self._module.onForward([_variable(values, dtype) for values, dtype in self._feeds])
        if len(outputs) != len(self.outputs):  # no exception is raised
            raise RunFailed("The engine computed nothing")
        self._read = [_values(output) for output in outputs]

    def read(self) -> list[Array]:
        return self._read

    def time_ops(self) -> None:
        return None  # MNN's Python interface has no call-backs for a Module


def _variable(values: Array, dtype: Any) -> Any:
    shape = list(values.shape)
    if values.size == 0:
        return expr.placeholder(shape, expr.NCHW, dtype)
    if values.dtype == np.int8:  # const() takes no int8
        variable = expr.placeholder(shape, expr.NCHW, dtype)
        variable.write(values)
        return variable
    return expr.const(values, shape, expr.NCHW, dtype)


def _values(variable: Any) -> Array:
    try:
        if variable.data_format == expr.NC4HW4:
            variable = expr.convert(variable, expr.NCHW)
        shape = tuple(variable.shape)
        if 0 in shape:
            return np.zeros(shape, _TYPES.get(variable.dtype, np.float32))
        return np.array(variable.read()).reshape(shape)
    except (SystemError, ValueError) as no:  # read() of a variable that could not be computed
        raise RunFailed(f"An output cannot be read: {no}") from no
