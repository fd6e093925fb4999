"""Runs of the sample on this computer: its budget, its operators' nodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.app import actions, artifacts
from workbench.app.run_answer import run_reply
from workbench.app.samples import digits
from workbench.app.services import Services
from workbench.core.budget import parse_budget
from workbench.core.errors import ExitCode, UsageError
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.run import RunConfig, RunSummary
from workbench.core.steps import Quiet


@pytest.fixture(scope="module")
def artifact(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out: Path = tmp_path_factory.mktemp("running") / "digits.mnn"
    opened = actions.open_model(digits().model, services, Quiet())
    plan = QuantPlan(LayerQuant(8))
    made = actions.convert_model(opened, plan, out, actions.Feed(), services, Quiet(), max_error=1.0)
    assert made.ok
    return out


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))


def run(artifact: Path, services: Services, config: RunConfig) -> RunSummary:
    return actions.run_artifact(artifact, "host", config, actions.Feed(), None, services, Quiet())


def test_a_run_is_held_to_its_budget(artifact: Path, services: Services) -> None:
    words = ("p50=60s", "p90=0.001us", "p99=60s", "memory=100GB")
    summary = run(artifact, services, RunConfig(iterations=40, budget=parse_budget(words)))
    reply = run_reply(summary)
    assert reply.exit_code == ExitCode.NO
    told = reply.document["budget"]  # type: ignore[index]
    assert [(v["name"], v["limit"], v["kept"]) for v in told] == [
        ("p50", 60_000.0, True),
        ("p90", 0.000001, False),
        ("p99", 60_000.0, False),
        ("memory", 100_000.0, True),
    ]
    assert told[0]["value"] == pytest.approx(summary.latency_ms.p50, abs=1e-6)  # type: ignore[union-attr]
    assert told[2]["value"] is None
    assert "368" in told[2]["reason"]
    assert summary.requested["budget"] == "p50=60000ms p90=0.000001ms p99=60000ms memory=100000MB"
    lines = [str(line) for line in reply.lines]
    assert sum("Budget p90" in line and "over" in line for line in lines) == 1
    assert sum("Budget p50" in line and "kept" in line for line in lines) == 1


def test_a_run_within_its_budget_is_a_yes(artifact: Path, services: Services) -> None:
    summary = run(artifact, services, RunConfig(iterations=10, budget=parse_budget(("p50=60s", "load=600s"))))
    assert run_reply(summary).exit_code == ExitCode.YES


def test_the_operators_of_a_run_name_their_nodes(artifact: Path, services: Services) -> None:
    summary = run(artifact, services, RunConfig(iterations=5, ops=True))
    nodes = {op.node: op.node_name for op in summary.ops if op.node is not None}
    graph = actions.open_model(digits().model, services, Quiet()).model.graph
    names = {node.id: node.name for node in graph.all_nodes()}
    assert nodes.items() <= names.items()
    layers = {node.id for node in graph.all_nodes() if node.op in ("Conv", "Gemm")}
    assert layers <= set(nodes)
    rows = run_reply(summary).document["ops"]  # type: ignore[index]
    assert all({"node", "node_name", "name"} <= set(row) for row in rows)


def test_operators_of_an_artifact_whose_record_tells_no_nodes_have_none(artifact: Path, services: Services) -> None:
    record = artifacts.record_path(artifact)
    kept = record.read_text()
    doc = json.loads(kept)
    del doc["op_nodes"]
    try:
        record.write_text(json.dumps(doc))
        summary = run(artifact, services, RunConfig(iterations=5, ops=True))
    finally:
        record.write_text(kept)
    assert summary.ops
    assert {op.node for op in summary.ops} == {None}


def test_what_no_run_takes_is_told_before_anything_is_looked_for(services: Services, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        run(tmp_path / "none.mnn", services, RunConfig(threads=10**9))
    assert caught.value.where == "--threads"
