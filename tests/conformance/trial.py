"""One node test put to Workbench and, apart from it, to the engine."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import onnx

from tests.conformance.conditions import PATHS, covers, paths, winograd
from tests.conformance.data_sets import Data, hard_data, own_data, permuted
from tests.conformance.engine import Engine
from tests.conformance.forms import FORMS
from tests.conformance.node_tests import NodeTest
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, EngineError
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.convert import convert
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx
from workbench.rewrites.gate import remedy

_STOCK: Final = "stock.mnn"
REFUSED: Final = "refused"
"""The verdict on a file that no engine should see."""


@dataclass(frozen=True, slots=True)
class Result:
    """What Workbench says of a test, and what is so.

    ``faults``: what the artifact gets wrong where Workbench says yes, by path and data set, within its
    conditions. ``steady``: false where a fault went away in a fresh process. ``stock``: after a no, what plain
    MNN does on the test's own inputs ("right", or the fault). ``elsewhere``: where that is right, what it gets wrong on
    other inputs of the same shapes and types.
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
    elsewhere: str
    seconds: float

    @property
    def is_lie(self) -> bool:
        return bool(self.faults)

    @property
    def is_alarm(self) -> bool:
        """A no where plain MNN gets the test right, and everything else that is tried here."""
        return not self.yes and self.stock == "right" and not self.elsewhere

    @property
    def is_right_by_luck(self) -> bool:
        """A no where plain MNN gets the test right, and other inputs wrong."""
        return not self.yes and self.stock == "right" and bool(self.elsewhere)


@dataclass(frozen=True, slots=True)
class Engines:
    """``plain`` runs what Workbench made. ``filled`` judges MNN itself, in memory that is never zero by chance."""

    plain: Engine
    filled: Engine


def put_to_test(test: NodeTest, form: str, workers: Workers, engines: Engines, *, rewrite: bool = False) -> Result:
    """Convert ``test`` in ``form`` as a user would, without inputs, and see whether the answer is true."""
    model, arrays = FORMS[form](test)
    own = own_data(model, arrays, test.outputs)
    with TemporaryDirectory(prefix="conformance-") as name:
        folder = Path(name)
        source, made = folder / "model.onnx", folder / "made.mnn"
        onnx.save(model, source)
        began = time.perf_counter()
        verdict, yes, conditions, reason = _answer(source, made, workers, rewrite=rewrite)
        seconds = time.perf_counter() - began
        faults: tuple[str, ...] = ()
        steady, stock, elsewhere = True, "", ""
        if yes:
            both = filter(None, (own, permuted(model, arrays)))
            sets = tuple(data for data in both if covers(conditions, data.inputs))
            faults = _faults(engines.plain, made, conditions, sets, test.tolerance)
            if faults:
                engines.plain.restart()
                steady = faults == _faults(engines.plain, made, conditions, sets, test.tolerance)
        else:
            stock = _stock(engines.filled, source, folder, own, test.tolerance)
        if stock == "right":
            elsewhere = _elsewhere(engines.filled, folder, hard_data(model, arrays, integers=True), test.tolerance)
    return Result(test.name, test.op, form, verdict, yes, conditions, reason, faults, steady, stock, elsewhere, seconds)


def _answer(source: Path, made: Path, workers: Workers, *, rewrite: bool) -> tuple[str, bool, tuple[str, ...], str]:
    try:
        model = open_onnx(source, workers, Quiet())
        report = convert(
            model, source, QuantPlan(), made, contracts_of(model), workers, Quiet(), remedy=remedy if rewrite else None
        )
    except (BadInput, EngineError) as no:
        return REFUSED, False, (), str(no)
    return str(report.verdict), report.ok, report.conditions, str(report.reason or "")


def _faults(
    engine: Engine, made: Path, conditions: tuple[str, ...], sets: tuple[Data, ...], tolerance: float
) -> tuple[str, ...]:
    """What the artifact gets wrong on each path that its conditions allow."""
    tried = (
        (
            data.label,
            path,
            engine.wrong(made, data.inputs, data.outputs, path, tolerance, winograd=winograd(conditions)),
        )
        for data in sets
        for path in paths(conditions)
    )
    return tuple(f"{label}, {path}: {wrong}" for label, path, wrong in tried if wrong)


def _stock(engine: Engine, source: Path, folder: Path, own: Data, tolerance: float) -> str:
    """What plain MNN does: "right" where one of its two paths is."""
    made = folder / _STOCK
    return engine.convert(source, made) or _best(engine, made, own, tolerance) or "right"


def _elsewhere(engine: Engine, folder: Path, sets: Iterable[Data], tolerance: float) -> str:
    """The first fault on other inputs; "" where all are right."""
    for data in sets:
        if fault := _best(engine, folder / _STOCK, data, tolerance):
            return f"{data.label}: {fault}"
    return ""


def _best(engine: Engine, made: Path, data: Data, tolerance: float) -> str:
    """ "" where one of the paths is right, else the fault of the first."""
    faults = []
    for path in PATHS:
        faults.append(engine.wrong(made, data.inputs, data.outputs, path, tolerance, winograd=True))
        if not faults[-1]:
            return ""
    return faults[0]
