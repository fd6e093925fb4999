from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.children.workers import Workers
from workbench.core.graph import Graph, Node
from workbench.core.steps import Quiet
from workbench.engines.mnn import op_list
from workbench.engines.mnn.op_list import engine_build, supported_ops, unsupported_nodes


class Log(Quiet):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def line(self, text: str) -> None:
        self.lines.append(text)


def test_the_list_is_the_converters_own(workers: Workers, tmp_path: Path) -> None:
    ops = supported_ops(workers, Quiet(), tmp_path)
    assert len(ops) == 169
    assert {"Conv", "Gelu", "Xor"} <= ops
    assert not {"IsNaN", "Mish", ""} & ops


def test_the_list_is_asked_once_for_a_build_of_the_engine(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supported_ops(workers, Quiet(), tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_text(json.dumps(["OnlyThis"]))
    assert supported_ops(workers, Quiet(), tmp_path) == {"OnlyThis"}
    monkeypatch.setattr(op_list, "engine_build", lambda: "another")
    assert len(supported_ops(workers, Quiet(), tmp_path)) == 169


@pytest.mark.parametrize("damage", ["", "[", "{}", "[]"])
def test_a_damaged_list_is_asked_anew(workers: Workers, tmp_path: Path, damage: str) -> None:
    (tmp_path / f"onnx-ops-{engine_build()}.json").write_text(damage)
    assert len(supported_ops(workers, Quiet(), tmp_path)) == 169


def test_a_cache_that_cannot_be_written_is_only_noted(workers: Workers, tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    log = Log()
    assert len(supported_ops(workers, log, in_the_way)) == 169
    assert len(log.lines) == 1


def test_nodes_that_the_converter_refuses_are_found_in_bodies_too() -> None:
    def graph(*nodes: Node) -> Graph:
        return Graph("g", "", nodes, (), (), (), {})

    def plain(op: str, domain: str = "") -> Node:
        return Node(op, "", op, domain, (), (op,))

    nodes = graph(plain("Relu"), plain("Mish"), plain("Relu", "my.domain"), plain("Conv", "ai.onnx"))
    assert [n.op + n.domain for n in unsupported_nodes(nodes, frozenset({"Relu", "Conv"}))] == ["Mish", "Relumy.domain"]
