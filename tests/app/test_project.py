from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.app import actions, project
from workbench.app.history import History
from workbench.app.samples import digits
from workbench.app.services import Services
from workbench.app.session import FinishedRun, State
from workbench.core import statistics
from workbench.core.budget import judge_budget, parse_budget
from workbench.core.device import Device, DeviceState
from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.run import RunConfig, RunSummary
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer, Status

DEVICE = Device("SIM1", "Phone", "x86_64", DeviceState.READY, simulated=True)
SUMMARY = RunSummary(1.5, 2.0, statistics.latency([3.0]), None, {"cpu": (30.0, 31.0, 31.5)}, (), None, {}, {}, 0, ())


@pytest.fixture
def state(services: Services, tmp_path: Path) -> State:
    events = tmp_path / "events.jsonl"
    events.write_text('{"ev":"sample"}\n')
    opened = actions.open_model(digits().model, services, Quiet())
    report = actions.check_model(opened, actions.Feed(), services, Quiet(), static=True)
    plan = QuantPlan(LayerQuant(8)).with_layer(opened.layers[0], LayerQuant(4))
    run = FinishedRun("r1", DEVICE, plan, SUMMARY, events)
    history = History().with_plan(msg("All to 8 bit"), plan)
    return State(
        opened.model, opened.contracts, opened.layers, report=report, history=history, runs=(run,), device="SIM1"
    )


def test_a_project_brings_everything_back(state: State, tmp_path: Path) -> None:
    folder = tmp_path / "digits.wb"
    project.save_project(folder, state, "0" * 64)
    found = project.read_project(folder)
    assert project.model_path(folder, found) == digits().model.resolve()
    back = project.restored_state(folder, found, State(state.model, state.contracts, state.layers))
    assert back.plan == state.plan
    assert back.contracts == state.contracts
    assert back.device == "SIM1"
    assert back.report is not None
    assert back.report == state.report  # its messages too, so they are read in the language of the day
    assert set(back.verdicts) == {node.id for node in state.model.graph.all_nodes()}  # type: ignore[union-attr]
    (run,) = back.runs
    assert run.summary.latency_ms is not None
    assert run.summary.latency_ms.p50 == 3.0
    assert run.events_file is not None
    assert run.events_file.read_text() == '{"ev":"sample"}\n'


def test_a_project_saved_again_keeps_its_runs(state: State, tmp_path: Path) -> None:
    folder = tmp_path / "digits.wb"
    project.save_project(folder, state, "0" * 64)
    back = project.restored_state(folder, project.read_project(folder), state)
    project.save_project(folder, back, "0" * 64)
    assert (folder / "runs" / "r1.jsonl").read_text() == '{"ev":"sample"}\n'


def test_a_project_keeps_whether_conversions_may_rewrite(state: State, tmp_path: Path) -> None:
    assert state.report is not None
    fixable = replace(state.report, verdict=Answer.REWRITABLE)
    fixable = replace(fixable, nodes=(replace(fixable.nodes[0], fix=msg("Written anew")), *fixable.nodes[1:]))
    on = replace(state, report=fixable, history=state.history.with_rewriting(msg("Fix all"), True))
    folder = tmp_path / "digits.wb"
    project.save_project(folder, on, "0" * 64)
    back = project.restored_state(folder, project.read_project(folder), state)
    assert back.is_rewriting
    assert back.plan == state.plan
    assert [node for node, one in back.verdicts.items() if one.status is Status.FIXED] == [fixable.nodes[0].node]


def test_a_project_from_before_rewrites_opens_without_them(state: State, tmp_path: Path) -> None:
    folder = tmp_path / "digits.wb"
    project.save_project(folder, state, "0" * 64)
    file = folder / "project.json"
    doc = json.loads(file.read_text())
    del doc["rewriting"]
    file.write_text(json.dumps(doc))
    assert not project.restored_state(folder, project.read_project(folder), state).is_rewriting


def test_a_project_moved_with_its_model_still_finds_it(state: State, tmp_path: Path) -> None:
    before = tmp_path / "before"
    before.mkdir()
    model = before / "m.onnx"
    model.write_bytes(b"model")
    moved = replace(state, model=replace(state.model, path=str(model)))  # type: ignore[type-var]
    project.save_project(before / "p.wb", moved, "0" * 64)
    after = before.rename(tmp_path / "after")
    folder = after / "p.wb"
    assert project.model_path(folder, project.read_project(folder)) == after / "m.onnx"


def test_a_model_that_is_gone_is_named(state: State, tmp_path: Path) -> None:
    gone = replace(state, model=replace(state.model, path=str(tmp_path / "gone.onnx")))  # type: ignore[type-var]
    project.save_project(tmp_path / "p.wb", gone, "0" * 64)
    with pytest.raises(BadInput, match="not there any more") as caught:
        project.model_path(tmp_path / "p.wb", project.read_project(tmp_path / "p.wb"))
    assert caught.value.where == str(tmp_path / "gone.onnx")


def test_a_folder_that_is_no_project_and_a_project_of_the_future_are_refused(state: State, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a project"):
        project.read_project(tmp_path)
    folder = tmp_path / "p.wb"
    project.save_project(folder, state, "0" * 64)
    file = folder / "project.json"
    doc = json.loads(file.read_text())
    file.write_text(json.dumps(doc | {"teleport": True}))
    with pytest.raises(BadInput, match="teleport"):
        project.read_project(folder)
    file.write_text(json.dumps(doc | {"schema": "workbench.project/99"}))
    with pytest.raises(BadInput, match="project/99"):
        project.read_project(folder)


def test_a_place_that_cannot_be_written_is_bad_input_and_loses_nothing(state: State, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("kept")
    with pytest.raises(BadInput) as caught:
        project.save_project(blocked / "p.wb", state, "0" * 64)
    assert str(blocked) in caught.value.where
    assert blocked.read_text() == "kept"


@pytest.mark.parametrize("field", ["id", "events"])
@pytest.mark.parametrize("name", ["../escaped", "/etc/passwd", "..", "a/b", "C:\\x"])
def test_a_run_whose_name_leads_out_of_the_project_is_refused(
    state: State, tmp_path: Path, field: str, name: str
) -> None:
    folder = tmp_path / "p.wb"
    project.save_project(folder, state, "0" * 64)
    file = folder / "project.json"
    doc = json.loads(file.read_text())
    doc["runs"][0][field] = name
    file.write_text(json.dumps(doc))
    with pytest.raises(BadInput, match="leads elsewhere"):
        project.read_project(folder)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"threads": 10**9}, "threads"),
        ({"threads": 0}, "threads"),
        ({"warmup": -1}, "warmup"),
        ({"iterations": 0}, "iterations"),
        ({"seconds": 1e12}, "seconds"),
        ({"seconds": None}, "seconds"),
        ({"precision": "huge"}, "precision"),
        ({"backend": "; reboot"}, "backend"),
        ({"budget": {"p90_ms": -5}}, "p90_ms"),
        ({"threads": "four"}, "threads"),
    ],
)
def test_a_run_setting_that_no_run_takes_is_refused(
    state: State, tmp_path: Path, setting: dict[str, object], told: str
) -> None:
    folder = tmp_path / "p.wb"
    project.save_project(folder, state, "0" * 64)
    file = folder / "project.json"
    doc = json.loads(file.read_text())
    doc["run_config"] |= setting
    file.write_text(json.dumps(doc))
    with pytest.raises(BadInput, match=told) as caught:
        project.read_project(folder)
    assert caught.value.where == str(file)
    assert caught.value.hint is not None


def test_a_budget_is_kept_in_the_project(state: State, tmp_path: Path) -> None:
    config = RunConfig(budget=parse_budget(("p90=20ms", "memory=200MB")))
    verdicts = judge_budget(config.budget, SUMMARY)
    run = replace(state.runs[0], summary=replace(SUMMARY, budget=verdicts))
    project.save_project(tmp_path / "p.wb", replace(state, run_config=config, runs=(run,)), "0" * 64)
    found = project.read_project(tmp_path / "p.wb")
    assert found.run_config == config
    assert [(verdict.name, verdict.kept) for verdict in found.runs[0].summary.budget] == [
        ("p90", False),
        ("memory", False),
    ]
