"""A model's layers as a CSV table: RFC 4180, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from workbench.core.graph import Graph, Model, Node, Shape
from workbench.core.verdict import Verdict
from workbench.formats.registry import Exporter
from workbench.plugins import hookimpl

COLUMNS: Final = (
    "id",
    "name",
    "op",
    "domain",
    "inputs",
    "outputs",
    "dtype",
    "shape",
    "parameters",
    "weight_bytes",
    "status",
    "reason",
    "fix",
)
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}",
                          "\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}")  # fmt: skip
"""Starts that make a spreadsheet run a cell (OWASP, CSV injection); Excel in Chinese takes the wide forms too."""


@hookimpl
def exporters() -> Sequence[Exporter]:
    return (Exporter("Layers as CSV", ".csv", write_layers),)


def write_layers(model: Model, verdicts: Mapping[str, Verdict] | None, path: Path) -> None:
    """Write one row a node. ``status``, ``reason`` and ``fix`` stay empty for a model that was not checked."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row in _rows(model.graph, verdicts or {}):
            writer.writerow([safe(cell) for cell in row])


def safe(cell: str | int) -> str | int:
    """``cell`` as a spreadsheet shows it instead of running it."""
    if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS):
        return f"'{cell}"
    return cell


def _rows(graph: Graph, verdicts: Mapping[str, Verdict]) -> Iterator[list[str | int]]:
    weights = {initializer.name: initializer for initializer in graph.initializers}
    for node in graph.nodes:
        held = [weights[name] for name in dict.fromkeys(node.inputs) if name in weights]
        tensor = next((graph.tensors[name] for name in node.outputs if name in graph.tensors), None)
        yield [
            node.id,
            node.name,
            node.op,
            node.domain,
            " ".join(node.inputs),
            " ".join(node.outputs),
            tensor.dtype if tensor else "",
            _shape(tensor.shape) if tensor else "",
            sum(initializer.elements for initializer in held),
            sum(initializer.nbytes for initializer in held),
            *_verdict(node, verdicts),
        ]
    for body in graph.subgraphs:
        yield from _rows(body.graph, verdicts)


def _verdict(node: Node, verdicts: Mapping[str, Verdict]) -> tuple[str, str, str]:
    verdict = verdicts.get(node.id)
    if verdict is None:
        return "", "", ""
    return verdict.status.value, str(verdict.reason or ""), str(verdict.fix or "")


def _shape(shape: Shape) -> str:
    """ "1x3x224x224", "?" for an unknown size; "" where not even the rank is known."""
    return "" if shape is None else "x".join("?" if dim is None else str(dim) for dim in shape)
