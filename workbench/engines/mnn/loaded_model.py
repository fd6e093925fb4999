"""A converted model in the engine's hands: what a Module and a Session have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

UNKNOWN: Final = -1
WINOGRAD_MEMORY_LEVEL: Final = 3
"""MNN's Interpreter::HintMode; level 0 uses Winograd least."""
RELEASE: Final = 1
"""MNN's Interpreter::SessionMode: operators have no call-backs."""
_INT32: Final = np.iinfo(np.int32)


class NotLoaded(Exception):
    """The engine does not take the model file; the reason is on its stdout."""


class RunFailed(Exception):
    """There are no outputs; the text says why."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How the engine shall run. ``winograd`` False: as little of it as the engine can.

    ``memory`` and ``power`` are MNN's numbers (0 normal, 1 high, 2 low): its Python interface ignores
    words there. ``measured``: as a measurement is made, without call-backs for operators.
    """

    winograd: bool = True
    threads: int = 1
    precision: str = "normal"
    memory: int = 0
    power: int = 0
    measured: bool = False

    @property
    def config(self) -> dict[str, Any]:
        """As MNN's Python interface takes it."""
        return {
            "backend": "CPU",
            "numThread": self.threads,
            "precision": self.precision,
            "memory": self.memory,
            "power": self.power,
        }


@dataclass(frozen=True, slots=True)
class OpTime:
    """One operator of one inference. ``mflops``: floating-point operations, in millions, as MNN counts them."""

    name: str
    type: str
    ns: int
    mflops: float


class LoadedModel(Protocol):
    """A model that can run once it was fed."""

    @property
    def inputs(self) -> Mapping[str, type[np.generic] | None]:
        """What the engine takes, by name; None for a type that it cannot be fed."""

    @property
    def outputs(self) -> Sequence[str]:
        """Their names, in the order in which ``read`` gives them."""

    @property
    def threads(self) -> int:
        """What really runs; UNKNOWN where the engine does not tell."""

    def feed(self, arrays: Mapping[str, Array]) -> bool:
        """Take shapes and values of the inputs; False where the engine cannot tell the shapes that follow."""

    def infer(self) -> None:
        """What is timed: inputs to the engine, the run, outputs in host memory. Raises RunFailed."""

    def read(self) -> list[Array]:
        """The outputs of the last inference, in the order of ``outputs``."""

    def time_ops(self) -> list[OpTime] | None:
        """One inference's operators in the engine's order, None where it does not tell. Raises RunFailed."""


def run(model: LoadedModel, arrays: Mapping[str, Array]) -> list[Array]:
    """One inference from inputs to outputs. Raises RunFailed."""
    model.feed(arrays)
    model.infer()
    return model.read()


def engine_array(name: str, array: Array, dtype: type[np.generic] | None) -> Array:
    """``array`` in the type that the engine takes: int64 and bool travel as int32, halves and doubles as float."""
    if dtype is None:
        raise RunFailed(f"Input {name} has a type that the engine cannot be fed")
    outside = array.dtype.kind in "iu" and array.size and (array.min() < _INT32.min or array.max() > _INT32.max)
    if outside and dtype is np.int32:
        raise RunFailed(f"Input {name} holds integers above 32 bits, which is all that the engine takes")
    with np.errstate(over="ignore"):  # a double above float's range is infinite there: the comparison tells
        return np.ascontiguousarray(array.astype(dtype)).reshape(array.shape)
