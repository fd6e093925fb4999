"""LSTM, GRU and RNN as MNN 3.6.1 cannot compute them: with states, lengths, fewer outputs, in branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.cells import Layer, State, Weights, first_state, layer_of, step, weights_of
from workbench.rewrites.facts import attributes_of, dims_of
from workbench.rewrites.rule import Replacement, Rule

_OUTPUTS: Final = {"LSTM": 3, "GRU": 2, "RNN": 2}
Weigh = Callable[[Layer, int, Build], Weights]
"""Gives the weights of a direction."""
_LONGEST: Final = 64
"""Steps that are written one after the other; more are a Loop."""


def _all_outputs(node: ir.Node, build: Build) -> Replacement:
    """MNN's converter reads the names of outputs that are not there."""
    count = _OUTPUTS[node.op_type]
    if len(node.outputs) == count and all(output.name for output in node.outputs):
        return None
    made = build.ops(node.op_type, node.inputs, count, **attributes_of(node))
    return made[: len(node.outputs)]


def _unrolled(node: ir.Node, build: Build) -> Replacement:
    layer = layer_of(node, build)
    return None if layer is None else unrolled(layer, weights_of, build)


def unrolled(layer: Layer, weigh: Weigh, build: Build) -> Replacement:
    """The layer step by step; None where the number of steps is not known, or too large."""
    dims = dims_of(layer.x)
    if dims is None or dims[0] is None or not 0 < dims[0] <= _LONGEST:
        return None
    hidden, finals = [], []
    for direction, backwards in enumerate(layer.directions):
        weights = weigh(layer, direction, build)
        state = first_state(layer, direction, build)
        seen: list[ir.Value] = []
        for time in reversed(range(dims[0])) if backwards else range(dims[0]):
            after = step(layer, direction, weights, build.at(weights.projected, time), state, build)
            state, shown = _masked(layer, build.constant(time, np.int64), after, state, build)
            seen.append(build.unsqueeze(shown, 0))
        rows = seen[::-1] if backwards else seen
        hidden.append(rows[0] if len(rows) == 1 else build.op("Concat", *rows, axis=0))
        finals.append(state)
    return _outputs(layer, hidden, finals, build)


def _masked(layer: Layer, time: ir.Value, after: State, before: State, build: Build) -> tuple[State, ir.Value]:
    """The state and what is shown of it: beyond a sequence's length the one stays and the other is 0."""
    if layer.lengths is None:
        return after, after.h
    lengths = build.cast(layer.lengths, ir.DataType.INT64)
    goes_on = build.unsqueeze(build.op("Greater", lengths, time), 1)
    shown = build.op("Where", goes_on, after.h, build.like(after.h, 0))
    h = build.op("Where", goes_on, after.h, before.h)
    c = None if after.c is None or before.c is None else build.op("Where", goes_on, after.c, before.c)
    return State(h, c), shown


def _looped(node: ir.Node, build: Build) -> Replacement:
    layer = layer_of(node, build)
    return None if layer is None else looped(layer, weights_of, build)


def looped(layer: Layer, weigh: Weigh, build: Build) -> Replacement:
    """The layer as one Loop for each direction."""
    hidden, finals = [], []
    for direction, backwards in enumerate(layer.directions):
        weights = weigh(layer, direction, build)
        shown, state = _loop(layer, direction, weights, backwards=backwards, build=build)
        hidden.append(build.reversed(shown, 0) if backwards else shown)
        finals.append(state)
    return _outputs(layer, hidden, finals, build)


def _loop(layer: Layer, direction: int, weights: Weights, *, backwards: bool, build: Build) -> tuple[ir.Value, State]:
    """Every step's hidden state, in the order of the steps, and the last state."""
    length = build.scalar(build.size(layer.x, 0))
    first = first_state(layer, direction, build)
    kind = first.h.dtype or ir.DataType.FLOAT
    inside = build.inside()
    number = inside.given("step", ir.DataType.INT64, ())
    goes_on = inside.given("condition", ir.DataType.BOOL, ())
    h = inside.given("h", kind, (None, layer.size))
    c = inside.given("c", kind, (None, layer.size)) if layer.has_cell else None
    last = inside.op("Sub", length, inside.constant(1, np.int64))
    time = inside.op("Sub", last, number) if backwards else number
    before = State(h, c)
    after = step(layer, direction, weights, inside.op("Gather", weights.projected, time, axis=0), before, inside)
    state, shown = _masked(layer, time, after, before, inside)
    carried = [state.h] if state.c is None else [state.h, state.c]
    results = [inside.op("Identity", value) for value in (goes_on, *carried, shown)]
    body = inside.body([number, goes_on, h, *([] if c is None else [c])], results)
    states = [value for value in (first.h, first.c) if value is not None]
    true = build.constant(np.array(True))
    *finals, rows = build.ops("Loop", [length, true, *states], len(states) + 1, body=body)
    for value, start in zip(finals, states, strict=True):
        build.shaped(value, dims_of(start) or (None, layer.size), kind)
    build.shaped(rows, (*(dims_of(layer.x) or (None,))[:1], None, layer.size), kind)
    return rows, State(finals[0], finals[1] if layer.has_cell else None)


def _outputs(layer: Layer, hidden: list[ir.Value], finals: list[State], build: Build) -> list[ir.Value | None]:
    """Y, Y_h and Y_c in the node's layout, as far as it has them."""
    axis = 1 if layer.batch_first else 0
    together = _stacked(hidden, 1, build)
    y = build.transpose(together, 2, 0, 1, 3) if layer.batch_first else together
    h = _stacked([state.h for state in finals], axis, build)
    results: list[ir.Value | None] = [y, h]
    cells = [state.c for state in finals if state.c is not None]
    if cells:
        results.append(_stacked(cells, axis, build))
    return results[: len(layer.node.outputs)]


def _stacked(values: list[ir.Value], axis: int, build: Build) -> ir.Value:
    parts = [build.unsqueeze(value, axis) for value in values]
    return parts[0] if len(parts) == 1 else build.op("Concat", *parts, axis=axis)


UNROLLED: Final = msg("Every step is a part of the graph of its own: the model is neither small nor fast")
LOOPED: Final = msg("Steps run one by one, through a Module alone; the layer's weights are no layers to quantize")
RULES: Final = (
    Rule(
        "recurrent/outputs",
        tuple(_OUTPUTS),
        msg("A recurrent layer has all its outputs, read or not"),
        _all_outputs,
    ),
    Rule(
        "recurrent/unrolled",
        tuple(_OUTPUTS),
        msg("A recurrent layer over a known number of steps is written step by step"),
        _unrolled,
        effect=UNROLLED,
    ),
    Rule(
        "recurrent/loop",
        tuple(_OUTPUTS),
        msg("A recurrent layer is written as a Loop that carries its state"),
        _looped,
        effect=LOOPED,
    ),
)
