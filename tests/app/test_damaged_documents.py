"""Plans, records and projects that were damaged or edited: taken, or refused with file, place and way out."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from workbench.app import actions, artifacts, documents, project
from workbench.app.report import write_report
from workbench.app.run_answer import run_reply
from workbench.app.session import FinishedRun, State
from workbench.core import codec, statistics
from workbench.core.artifact import AppliedLayer, Artifact, OpNode
from workbench.core.budget import judge_budget, parse_budget
from workbench.core.contract import InputContract
from workbench.core.device import Device, DeviceState
from workbench.core.errors import BadInput
from workbench.core.graph import Graph, Model
from workbench.core.messages import msg
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.run import ProfiledOp, RunConfig, RunMemory, RunOutputs, RunSummary
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer, CheckReport, Figure, Status, Verdict, Verification
from workbench.engines.mnn.run import Setting
from workbench.formats.identity import sha256_of

VALUES: tuple[Any, ...] = (
    None, -1, 10**30, 1e308, "x", "", [], {}, [[]], True, 0, "\ud800", "../../x", {"x": {}}, ["x"], "a\0b",
)  # fmt: skip
PLAN = QuantPlan(LayerQuant(8), {"conv": LayerQuant(4, symmetric=True, block=32)})
FIGURE = Figure(1e-6, 1e-6, 1.0, 9, 2, 2e-3, right=True)
SUMMARY = RunSummary(
    1.5,
    2.0,
    statistics.latency([3.0] * 50),
    RunMemory(1000, 2000),
    {"cpu": (30.0, 31.0, 31.5)},
    (ProfiledOp("conv", "Convolution", 0.5, 30, 1.0, "conv", "Conv_1"),),
    RunOutputs(1e-6, right=True),
    {"threads": 1},
    {"inputs": "x=1x3"},
    0,
    (msg("throttled"),),
)


def read_plan(file: Path) -> None:
    actions.read_plan(file, half_floats=False, hqq=False)


def read_record(file: Path) -> None:
    found = artifacts.find(file.with_suffix(""), Quiet())
    assert found.record is not None
    Setting.kept(found.record.conditions)


def read_project(file: Path) -> None:
    found = project.read_project(file.parent)
    state = project.restored_state(
        file.parent, found, State(Model("m", "", 1, "", {}, Graph("", "", (), (), (), (), {})))
    )
    for run in state.runs:
        run_reply(run.summary)
    if next(TURNS) % 8:  # these take a tenth of a second
        return
    write_report(state, (), file.parent.parent / "r.html")
    project.save_project(file.parent.parent / "again.wb", state, found.model_sha256)


@dataclass(frozen=True)
class Kind:
    """A document: where it lies, how it is written, how it is read with all that follows."""

    file: str
    write: Callable[[Path], None]
    read: Callable[[Path], None]


def artifact_beside(file: Path) -> Artifact:
    model = file.with_suffix("")
    model.write_bytes(b"model")
    return Artifact(
        str(model), sha256_of(model, Quiet()), 5, "0" * 64, PLAN, "MNN", "3.6.1", (("MNNConvert",),),
        ("winograd=off",), (AppliedLayer("conv", "conv", 8, asymmetric=True, blocks=1),), Verification(FIGURE, FIGURE),
        (), None, {"conv": OpNode("conv", "Conv_1")},
    )  # fmt: skip


def write_project(file: Path) -> None:
    report = CheckReport(
        Answer.WRONG, {"x": (1, 3)}, (Verdict("conv", "Conv_1", "Conv", Status.WRONG, msg("wrong"), {"error": 0.5}),),
        "conv", Verification(FIGURE), "MNN", "3.6.1", msg("wrong"), ("path=module",),
    )  # fmt: skip
    events = file.parent.parent / "events.jsonl"
    events.write_bytes(b"")
    budget = parse_budget(("p90=20ms", "memory=200MB"))
    summary = replace(SUMMARY, budget=judge_budget(budget, SUMMARY))
    state = State(
        Model("m.onnx", "", 1, "", {}, Graph("", "", (), (), (), (), {})),
        (InputContract("x", (1, "n", None), "float32", "NC", (0.5,), (0.5,)),),
        report=report,
        artifact=artifact_beside(file.parent.parent / "a.mnn.json"),
        device="SIM1",
        run_config=RunConfig(budget=budget),
        runs=(FinishedRun("r1", Device("SIM1", "P", "x86_64", DeviceState.READY), PLAN, summary, events),),
    )
    project.save_project(file.parent, state, "0" * 64)


TURNS = itertools.count()
KINDS = {
    "plan": Kind(
        "p.json", lambda file: file.write_text(codec.dumps(documents.plan_document(PLAN))) and None, read_plan
    ),
    "record": Kind("a.mnn.json", lambda file: artifacts.write_record(artifact_beside(file)), read_record),
    "project": Kind("p.wb/project.json", write_project, read_project),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture
def file(kind: Kind, tmp_path: Path) -> Path:
    """The document as it was written; reading it does not fail."""
    path = tmp_path / kind.file
    kind.write(path)
    kind.read(path)
    return path


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries = (
        document.items() if isinstance(document, Mapping) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in entries:
        yield (*at, key)
        yield from places(value, (*at, key))


def changed(document: Any, at: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(document)
    holder = made
    for key in at[:-1]:
        holder = holder[key]
    holder[at[-1]] = value
    return made


def assert_taken_or_refused(kind: Kind, file: Path, content: bytes) -> bool:
    """Whether it was refused. It is as it was in either case."""
    file.write_bytes(content)
    refusal = None
    try:
        kind.read(file)
    except BadInput as error:
        refusal = error
    assert file.read_bytes() == content
    if refusal is None:
        return False
    assert refusal.where.startswith(str(file.parent)), refusal
    assert refusal.hint is not None, refusal
    assert "\n" not in str(refusal)
    return True


def test_a_field_that_holds_something_else_is_taken_or_refused(kind: Kind, file: Path) -> None:
    document = json.loads(file.read_text())
    values = itertools.cycle(VALUES)
    tried = [
        assert_taken_or_refused(kind, file, json.dumps(changed(document, at, next(values))).encode())
        for at in places(document)
        for _ in range(2)
    ]
    assert any(tried)


def test_a_field_that_is_missing_is_taken_or_refused(kind: Kind, file: Path) -> None:
    document = json.loads(file.read_text())
    for at in places(document):
        made = copy.deepcopy(document)
        holder = made
        for key in at[:-1]:
            holder = holder[key]
        del holder[at[-1]]
        assert_taken_or_refused(kind, file, json.dumps(made).encode())


def test_a_document_that_is_cut_off_or_is_none_is_refused(kind: Kind, file: Path) -> None:
    whole = file.read_bytes().rstrip()
    cuts = [whole[: len(whole) * part // 20] for part in range(20)]
    zeros = whole[:50] + bytes(50) + whole[100:]
    others = (bytes(range(256)), zeros, b"[" * 100_000, b'{"a":' * 100_000, b"null", b"[]", b"{}", whole + b"x")
    for content in (*cuts, *others, whole.decode().encode("utf-16")):
        assert assert_taken_or_refused(kind, file, content), content[:80]
