"""One step of LSTM, GRU and RNN in plain operators. Worker side.

Gates lie in ONNX's order: input, output, forget, cell; update, reset, hidden. Tensors of a step are
[batch, hidden]; the inputs are projected beforehand, for all steps at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.rewrites.build import Build, Size
from workbench.rewrites.facts import input_at, shape_of

_GATES: Final = {"LSTM": 4, "GRU": 3, "RNN": 1}
_ACTIVATIONS: Final = {"LSTM": ("Sigmoid", "Tanh", "Tanh"), "GRU": ("Sigmoid", "Tanh"), "RNN": ("Tanh",)}
_WITHOUT_PARAMETERS: Final = frozenset({"Sigmoid", "Tanh", "Relu", "Softsign", "Softplus"})
_UNSUPPORTED: Final = ("activation_alpha", "activation_beta", "input_forget")

Activation = Callable[[ir.Value], ir.Value]


@dataclass(frozen=True, slots=True)
class Layer:
    """A recurrent node's inputs, time first. ``size``: of the state. ``states``: h, and c of an LSTM, where given."""

    op: str
    x: ir.Value
    node: ir.Node
    size: int
    directions: tuple[bool, ...]
    lengths: ir.Value | None
    batch_first: bool

    @property
    def has_cell(self) -> bool:
        return self.op == "LSTM"


@dataclass(frozen=True, slots=True)
class State:
    """What one step hands to the next. ``c``: of an LSTM alone."""

    h: ir.Value
    c: ir.Value | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """One direction's: ``projected`` inputs [time, batch, gates x hidden]; ``r`` [hidden, gates x hidden].

    ``product``: of a state with ``r``, where that is not their MatMul.
    """

    projected: ir.Value
    r: ir.Value
    bias: ir.Value | None
    peepholes: tuple[ir.Value, ir.Value, ir.Value] | None
    product: Callable[[ir.Value, ir.Value, Build], ir.Value] | None = None


def layer_of(node: ir.Node, build: Build) -> Layer | None:
    """The layer, None where it has something that is not written out here."""
    x, r = node.inputs[0], shape_of(input_at(node, 2))
    attributes = node.attributes
    kinds = attributes.get_strings("activations", ())
    if x is None or x.shape is None or r is None or any(name in attributes for name in _UNSUPPORTED):
        return None
    if not set(kinds) <= _WITHOUT_PARAMETERS:
        return None
    direction = attributes.get_string("direction", "forward")
    backwards = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}[direction]
    batch_first = bool(attributes.get_int("layout", 0))
    if batch_first:
        x = build.transpose(x, 1, 0, 2)
    return Layer(node.op_type, x, node, r[-1], backwards, input_at(node, 4), batch_first)


def weights_of(layer: Layer, direction: int, build: Build) -> Weights:
    """The direction's weights, and its inputs projected."""
    node, size, gates = layer.node, layer.size, _GATES[layer.op]
    w, r, bias, peepholes = (input_at(node, position) for position in (1, 2, 3, 7))
    assert w is not None
    assert r is not None
    projected = build.op("MatMul", layer.x, build.transpose(build.at(w, direction), 1, 0))
    recurrent_bias = None
    if bias is not None:
        own = build.at(bias, direction)
        projected = build.op("Add", projected, build.slice(own, [0], [gates * size], [-1]))
        recurrent_bias = build.slice(own, [gates * size], [None], [-1])
    looks = None
    if peepholes is not None and layer.has_cell:
        own = build.at(peepholes, direction)
        looks = (part(own, 0, size, build), part(own, 1, size, build), part(own, 2, size, build))
    return Weights(projected, build.transpose(build.at(r, direction), 1, 0), recurrent_bias, looks)


def first_state(layer: Layer, direction: int, build: Build) -> State:
    """The state before the first step, zeros where none is given."""
    given = (input_at(layer.node, 5), input_at(layer.node, 6) if layer.has_cell else None)
    axis = 1 if layer.batch_first else 0
    states = [None if value is None else build.at(value, direction, axis) for value in given]
    if states[0] is None or (layer.has_cell and states[1] is None):
        zeros = _zeros(layer, build.size(layer.x, 1), build)
        states = [zeros if state is None else state for state in states]
    h, c = states
    assert h is not None
    return State(h, c if layer.has_cell else None)


def _zeros(layer: Layer, batch: Size, build: Build) -> ir.Value:
    assert layer.x.dtype is not None
    zero = ir.tensor(np.zeros(1, layer.x.dtype.numpy()))
    return build.op("ConstantOfShape", build.sizes([batch, layer.size]), value=zero)


def part(value: ir.Value, gate: int, size: int, build: Build, count: int = 1) -> ir.Value:
    """``count`` gates of a value that holds all of them on its last axis."""
    return build.slice(value, [gate * size], [(gate + count) * size], [-1])


def step(layer: Layer, direction: int, weights: Weights, x: ir.Value, state: State, build: Build) -> State:
    """The state after the step whose projected input is ``x``."""
    activations = _activations(layer, direction, build)
    if layer.op == "LSTM":
        return _lstm(layer, weights, x, state, activations, build)
    if layer.op == "GRU":
        return _gru(layer, weights, x, state, activations, build)
    return State(activations[0](_with_state(x, state.h, weights, build)))


def _activations(layer: Layer, direction: int, build: Build) -> list[Activation]:
    count = len(_ACTIVATIONS[layer.op])
    given = layer.node.attributes.get_strings("activations", ())
    kinds = given[direction * count : (direction + 1) * count] if given else _ACTIVATIONS[layer.op]
    limit = layer.node.attributes.get_float("clip", None)
    # onnxruntime clips what goes into the gates, and not the cell on its way to the hidden state.
    return [_activation(kind, None if place == 2 else limit, build) for place, kind in enumerate(kinds)]


def _activation(kind: str, limit: float | None, build: Build) -> Activation:
    def apply(value: ir.Value) -> ir.Value:
        if limit is not None:
            value = build.op("Clip", value, build.like(value, -limit), build.like(value, limit))
        return build.op(kind, value)

    return apply


def _with_state(x: ir.Value, h: ir.Value, weights: Weights, build: Build) -> ir.Value:
    product = build.op("MatMul", h, weights.r) if weights.product is None else weights.product(h, weights.r, build)
    total = build.op("Add", x, product)
    return total if weights.bias is None else build.op("Add", total, weights.bias)


def _lstm(
    layer: Layer, weights: Weights, x: ir.Value, state: State, activations: list[Activation], build: Build
) -> State:
    assert state.c is not None
    gates = _with_state(x, state.h, weights, build)
    i, o, f, g = (part(gates, gate, layer.size, build) for gate in range(4))
    squash, squash_cell, squash_hidden = activations
    if weights.peepholes is not None:
        i = build.op("Add", i, build.op("Mul", weights.peepholes[0], state.c))
        f = build.op("Add", f, build.op("Mul", weights.peepholes[2], state.c))
    c = build.op("Add", build.op("Mul", squash(f), state.c), build.op("Mul", squash(i), squash_cell(g)))
    if weights.peepholes is not None:
        o = build.op("Add", o, build.op("Mul", weights.peepholes[1], c))
    return State(build.op("Mul", squash(o), squash_hidden(c)), c)


def _gru(
    layer: Layer, weights: Weights, x: ir.Value, state: State, activations: list[Activation], build: Build
) -> State:
    size, (squash, squash_hidden) = layer.size, activations
    if layer.node.attributes.get_int("linear_before_reset", 0):
        turned = build.op("MatMul", state.h, weights.r)
        if weights.bias is not None:
            turned = build.op("Add", turned, weights.bias)
        both = build.op("Add", part(x, 0, size, build, 2), part(turned, 0, size, build, 2))
        update, reset = (part(squash(both), gate, size, build) for gate in range(2))
        recalled = build.op("Mul", reset, part(turned, 2, size, build))
    else:
        turned = build.op("MatMul", state.h, part(weights.r, 0, size, build, 2))
        if weights.bias is not None:
            turned = build.op("Add", turned, part(weights.bias, 0, size, build, 2))
        gates = squash(build.op("Add", part(x, 0, size, build, 2), turned))
        update, reset = (part(gates, gate, size, build) for gate in range(2))
        recalled = build.op("MatMul", build.op("Mul", reset, state.h), part(weights.r, 2, size, build))
        if weights.bias is not None:
            recalled = build.op("Add", recalled, part(weights.bias, 2, size, build))
    hidden = squash_hidden(build.op("Add", part(x, 2, size, build), recalled))
    kept = build.op("Mul", update, state.h)
    return State(build.op("Add", build.op("Mul", build.op("Sub", build.like(update, 1), update), hidden), kept))
