"""Control flow that is known ahead: the branch of a constant condition, and a Scan of which the number of steps is.

A Loop stays: MNN runs it, through a Module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.cloning import inlined
from workbench.rewrites.facts import array_of, dims_of
from workbench.rewrites.rule import Replacement, Rule

_MOST_NODES: Final = 4000
"""Of all steps together; a longer loop stays one."""


def _known_branch(node: ir.Node, build: Build) -> Replacement:
    condition = array_of(node.inputs[0])
    if condition is None:
        return None
    name = "then_branch" if condition.ravel()[0] else "else_branch"
    return inlined(node.attributes[name].as_graph(), (), build)


def _scan(node: ir.Node, build: Build) -> Replacement:
    body = node.attributes["body"].as_graph()
    scanned = node.attributes.get_int("num_scan_inputs", 0)
    given = [value for value in node.inputs if value is not None]
    states, sequences = given[: len(given) - scanned], given[len(given) - scanned :]
    axes = _each(node, "scan_input_axes", scanned)
    steps = _steps(sequences, axes)
    if len(given) < len(node.inputs) or steps is None or not 0 < steps * len(body) <= _MOST_NODES:
        return None
    backwards = _each(node, "scan_input_directions", scanned)
    rows: list[list[ir.Value]] = []
    for step in range(steps):
        parts = [
            build.at(sequence, steps - 1 - step if back else step, axis)
            for sequence, axis, back in zip(sequences, axes, backwards, strict=True)
        ]
        made = inlined(body, [*states, *parts], build)
        states, row = made[: len(states)], made[len(states) :]
        rows.append(row)
    columns = [list(column) for column in zip(*rows, strict=True)]
    out_axes = _each(node, "scan_output_axes", len(columns))
    out_backwards = _each(node, "scan_output_directions", len(columns))
    stacked = [
        _stacked(column[::-1] if back else column, axis, build)
        for column, axis, back in zip(columns, out_axes, out_backwards, strict=True)
    ]
    return [*states, *stacked]


def _each(node: ir.Node, name: str, count: int) -> Sequence[int]:
    return node.attributes.get_ints(name, (0,) * count)


def _steps(sequences: Sequence[ir.Value], axes: Sequence[int]) -> int | None:
    for sequence, axis in zip(sequences, axes, strict=True):
        dims = dims_of(sequence)
        if dims is not None and dims[axis] is not None:
            return dims[axis]
    return None


def _stacked(values: Sequence[ir.Value], axis: int, build: Build) -> ir.Value:
    parts = [build.unsqueeze(value, axis) for value in values]
    return parts[0] if len(parts) == 1 else build.op("Concat", *parts, axis=axis)


RULES: Final = (
    Rule("control/branch", ("If",), msg("An If whose condition is known is replaced by its branch"), _known_branch),
    Rule(
        "control/scan",
        ("Scan",),
        msg("Scan over a known number of steps is written step by step"),
        _scan,
        effect=msg("Every step is a part of the graph of its own: the model grows"),
    ),
)
