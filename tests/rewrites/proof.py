"""The proof of a rule: the engine is not right on a model, and is right once the rule was applied."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
from onnx import numpy_helper

from workbench.children.workers import Workers
from workbench.core.artifact import Rewrite
from workbench.core.steps import Quiet
from workbench.engines.trial import Remedied, Task, try_model
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx
from workbench.rewrites.gate import remedy


def remedied(path: Path, folder: Path, workers: Workers, given: Path | None = None) -> Remedied | None:
    """What the gate finds for a model, which must not be right as it is."""
    model = open_onnx(path, workers, Quiet())
    task = Task(model, path, contracts_of(model), given=given)
    own = folder / "stock"
    own.mkdir()
    trial = try_model(task, own, workers, Quiet(), strict=True)
    assert not trial.answer.is_yes, "the engine is right as it is: this proves nothing"
    return remedy(task, trial, own, workers, Quiet())


def assert_remedied(path: Path, workers: Workers, *rules: str, given: Path | None = None) -> tuple[Rewrite, ...]:
    """Stock is not right, and rewritten it is; ``rules`` are all that were applied, in any order."""
    found = remedied(path, path.parent, workers, given)
    assert found is not None, "no rewritten model passes the gate"
    applied = {rewrite.rule for rewrite in found.rewrites}
    assert applied == set(rules), sorted(applied)
    return found.rewrites


def model(folder: Path, graph: str, opset: int = 18, weights: Mapping[str, Any] | None = None) -> Path:
    """A model from onnx's text form of a graph, such as ``g (float[N,3] x) => (float[N,3] y) { y = Neg(x) }``."""
    made = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": {opset}]> {graph}')
    made.graph.initializer.extend(numpy_helper.from_array(np.asarray(a), name) for name, a in (weights or {}).items())
    path = folder / "model.onnx"
    onnx.save(made, path)
    return path
