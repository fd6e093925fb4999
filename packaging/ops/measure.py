"""What the engine alone makes of a test: each path in memory that is filled, on the test's inputs and on hard ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import onnx

from tests.conformance.data_sets import Data, hard_data, own_data
from tests.conformance.engine import Engine
from tests.conformance.forms import FORMS
from tests.conformance.node_tests import NodeTest
from workbench.children.workers import Workers
from workbench.core.steps import Quiet
from workbench.engines.mnn.refused import STANDARD_DOMAINS
from workbench.engines.op_conditions import Place, conditions_of, constants_of
from workbench.engines.op_table import Known
from workbench.formats.onnx.importer import open_onnx

_PATHS: Final = ("module", "session")
RIGHT: Final = "right"


@dataclass(frozen=True, slots=True)
class Measured:
    """One test. ``outcome``: "right" or a word of ``Known``; ``detail``: what went wrong; ``holds``: its conditions."""

    name: str
    form: str
    op: str
    outcome: str
    detail: str
    holds: tuple[str, ...]


def measure(test: NodeTest, form: str, workers: Workers, engine: Engine) -> Measured | None:
    """None where the test's model holds other operators than the one that it is about, beside constants."""
    model, arrays = FORMS[form](test)
    about = [node for node in model.graph.node if node.op_type != "Constant"]
    if len(about) != 1:
        return None
    with TemporaryDirectory(prefix="op-table-") as name:
        folder = Path(name)
        source = folder / "model.onnx"
        onnx.save(model, source)
        graph = open_onnx(source, workers, Quiet()).graph
        node = next(node for node in graph.nodes if node.op != "Constant")
        holds = tuple(conditions_of(Place(node, graph, constants_of(graph)), _attributes(about[0], model)))
        outcome, detail = _outcome(test, model, own_data(model, arrays, test.outputs), arrays, source, engine)
    op = node.op if node.domain in STANDARD_DOMAINS else f"{node.domain}::{node.op}"
    return Measured(test.name, form, op, outcome, detail, holds)


def _attributes(node: onnx.NodeProto, model: onnx.ModelProto) -> tuple[str, ...]:
    """Every attribute that the operator has at the model's opset."""
    opset = next((entry.version for entry in model.opset_import if entry.domain == node.domain), 1)
    return tuple(sorted(onnx.defs.get_schema(node.op_type, opset, node.domain).attributes))


def _outcome(
    test: NodeTest, model: onnx.ModelProto, own: Data, arrays: tuple[object, ...], source: Path, engine: Engine
) -> tuple[str, str]:
    made = source.with_name("made.mnn")
    if fault := engine.convert(source, made):
        return _word(fault, rejected=Known.UNSUPPORTED), fault
    faults = {path: _fault(engine, made, own, path, test.tolerance) for path in _PATHS}
    right = [path for path, fault in faults.items() if not fault]
    if not right:
        first = faults[_PATHS[0]]
        return _word(first), first
    for data in hard_data(model, arrays, integers=False):
        if fault := _fault(engine, made, data, right[0], test.tolerance):
            return Known.VALUES, f"{data.label}: {fault}"
    if len(right) < len(_PATHS):
        other = next(path for path in _PATHS if path not in right)
        return Known.CONDITION, f"{other}: {faults[other]}"
    return RIGHT, ""


def _fault(engine: Engine, made: Path, data: Data, path: str, tolerance: float) -> str:
    return engine.wrong(made, data.inputs, data.outputs, path, tolerance, winograd=True)


def _word(fault: str, rejected: Known = Known.WRONG) -> str:
    if fault.startswith("crash"):
        return Known.CRASH
    if fault == "hang":
        return Known.HANG
    return rejected if fault == "rejected" else Known.WRONG


def read(file: Path) -> Iterator[Measured]:
    """What an earlier run measured; a last line that was cut off does not count."""
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        if line.endswith("}"):
            document = json.loads(line)
            yield Measured(**{**document, "holds": tuple(document["holds"])})


def measure_all(tests: Iterable[tuple[NodeTest, str]], file: Path) -> tuple[Measured, ...]:
    """Measure what ``file`` does not hold yet, and add it there."""
    known = {(row.name, row.form): row for row in read(file)}
    rows = []
    with Workers() as workers, Engine(filled=True) as engine, file.open("a", encoding="utf-8") as stream:
        for test, form in tests:
            row = known.get((test.name, form))
            if row is None and (row := measure(test, form, workers, engine)) is not None:
                stream.write(json.dumps(asdict(row)) + "\n")
                stream.flush()
            if row is not None:
                rows.append(row)
    return tuple(rows)
