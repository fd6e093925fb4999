"""The steps of an engine in a row, as ``check`` and ``convert`` take them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.children.workers import Workers
from workbench.core.graph import Model
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.attempts import Subject
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted
from workbench.engines.ort.reference import NoReference, Reference, run_reference
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx


@dataclass(frozen=True, slots=True)
class Opened:
    model: Model
    path: Path


def opened(path: Path, workers: Workers) -> Opened:
    return Opened(open_onnx(path, workers, Quiet()), path)


def referenced(
    what: Opened, folder: Path, workers: Workers, given: Path | None = None, **shapes: tuple[int, ...]
) -> Reference | NoReference:
    own = folder / "reference"
    own.mkdir()
    contracts = contracts_of(what.model)
    return run_reference(what.path, contracts, own, workers, Quiet(), given=given, shapes=shapes)


def subject(what: Opened, folder: Path, workers: Workers, plan: QuantPlan = QuantPlan()) -> Subject:
    """The model converted by ``plan``, and its reference."""
    reference = referenced(what, folder, workers)
    assert isinstance(reference, Reference)
    own = folder / "converted"
    own.mkdir()
    converted = convert_model(what.model, what.path, plan, own, workers, Quiet())
    assert isinstance(converted, Converted)
    return Subject(what.model.graph, what.path, converted, reference)
