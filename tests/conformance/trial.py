"""One node test put to Workbench and, apart from it, to the engine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import onnx

from tests.conformance.arrays import Array, is_float
from tests.conformance.engine import Engine
from tests.conformance.forms import FORMS
from tests.conformance.node_tests import NodeTest, expected
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, EngineError
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.convert import convert
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx

_SEED: Final = 5
_PATHS: Final = ("module", "session")
REFUSED: Final = "refused"
"""The verdict on a file that no engine should see."""


@dataclass(frozen=True, slots=True)
class Result:
    """What Workbench says of a test, and what is so.

    ``faults``: what the artifact gets wrong where Workbench says yes, by path and data set. ``steady``:
    false where a fault went away in a fresh process. ``stock``: after a no, what plain MNN does on the
    test's own inputs ("right", or the fault), and ``stock_again`` on the second data set.
    """

    name: str
    op: str
    form: str
    verdict: str
    yes: bool
    conditions: tuple[str, ...]
    reason: str
    faults: tuple[str, ...]
    steady: bool
    stock: str
    stock_again: str
    seconds: float

    @property
    def is_lie(self) -> bool:
        return bool(self.faults)

    @property
    def is_alarm(self) -> bool:
        """A no where plain MNN gets the test right."""
        return not self.yes and self.stock == "right"


@dataclass(frozen=True, slots=True)
class _Data:
    """Inputs with the outputs that are right for them."""

    label: str
    inputs: dict[str, Array]
    outputs: dict[str, Array]


def put_to_test(test: NodeTest, form: str, workers: Workers, engine: Engine) -> Result:
    """Convert ``test`` in ``form`` as a user would, without inputs, and see whether the answer is true."""
    model, arrays = FORMS[form](test)
    own, again = _own_data(test, model, arrays), _permuted(model, arrays)
    with TemporaryDirectory(prefix="conformance-") as name:
        folder = Path(name)
        source, made = folder / "model.onnx", folder / "made.mnn"
        onnx.save(model, source)
        began = time.perf_counter()
        verdict, yes, conditions, reason = _answer(source, made, workers)
        seconds = time.perf_counter() - began
        faults: tuple[str, ...] = ()
        steady, stock, stock_again = True, "", ""
        if yes:
            faults = _faults(engine, made, conditions, (own, again), test.tolerance)
            if faults:
                engine.restart()
                steady = faults == _faults(engine, made, conditions, (own, again), test.tolerance)
        else:
            stock, stock_again = _stock(engine, source, folder, (own, again), test.tolerance)
    return Result(
        test.name, test.op, form, verdict, yes, conditions, reason, faults, steady, stock, stock_again, seconds
    )


def _answer(source: Path, made: Path, workers: Workers) -> tuple[str, bool, tuple[str, ...], str]:
    try:
        model = open_onnx(source, workers, Quiet())
        report = convert(model, source, QuantPlan(), made, contracts_of(model), workers, Quiet())
    except (BadInput, EngineError) as no:
        return REFUSED, False, (), str(no)
    return str(report.verdict), report.ok, report.conditions, str(report.reason or "")


def _own_data(test: NodeTest, model: Any, arrays: tuple[Array, ...]) -> _Data:
    return _data("own", model, arrays, test.outputs)


def _permuted(model: Any, arrays: tuple[Array, ...]) -> _Data | None:
    """The same floats at other places; None where that changes nothing, or where nothing tells what is right."""
    random = np.random.default_rng(_SEED)
    moved = tuple(
        random.permutation(array.ravel()).reshape(array.shape) if is_float(array) else array for array in arrays
    )
    if all(np.array_equal(one, other, equal_nan=True) for one, other in zip(moved, arrays, strict=True)):
        return None
    outputs = expected(model, moved)
    return None if outputs is None else _data("permuted", model, moved, outputs)


def _data(label: str, model: Any, arrays: tuple[Array, ...], outputs: tuple[Array, ...]) -> _Data:
    inputs = [value.name for value in model.graph.input]
    named = [value.name for value in model.graph.output]
    return _Data(label, dict(zip(inputs, arrays, strict=True)), dict(zip(named, outputs, strict=True)))


def _faults(
    engine: Engine, made: Path, conditions: tuple[str, ...], sets: tuple[_Data | None, ...], tolerance: float
) -> tuple[str, ...]:
    """What the artifact gets wrong on each path that its conditions allow."""
    told = dict(condition.split("=", 1) for condition in conditions)
    paths = (told["path"],) if "path" in told else _PATHS
    found = []
    for data in filter(None, sets):
        for path in paths:
            wrong = engine.wrong(
                made, data.inputs, data.outputs, path, tolerance, winograd=told.get("winograd") != "off"
            )
            if wrong:
                found.append(f"{data.label}, {path}: {wrong}")
    return tuple(found)


def _stock(
    engine: Engine, source: Path, folder: Path, sets: tuple[_Data, _Data | None], tolerance: float
) -> tuple[str, str]:
    """What plain MNN does on both data sets: the better of its two paths."""
    made = folder / "stock.mnn"
    if rejected := engine.convert(source, made):
        return rejected, ""
    own, again = sets
    first = _best(engine, made, own, tolerance)
    return first, "" if again is None or first != "right" else _best(engine, made, again, tolerance)


def _best(engine: Engine, made: Path, data: _Data, tolerance: float) -> str:
    faults = []
    for path in _PATHS:
        fault = engine.wrong(made, data.inputs, data.outputs, path, tolerance, winograd=True)
        if not fault:
            return "right"
        faults.append(fault)
    return faults[0]
