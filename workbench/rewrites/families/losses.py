"""Losses over classes: MNN 3.6.1 lacks SoftmaxCrossEntropyLoss, and NegativeLogLikelihoodLoss ignores no label."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import input_at, is_float, rank_of
from workbench.rewrites.families.selection import along
from workbench.rewrites.rule import Replacement, Rule

_CLASSES: Final = 1
"""The axis of the classes."""


def _softmax_loss(node: ir.Node, build: Build) -> Replacement:
    scores = node.inputs[0]
    rank = rank_of(scores)
    if scores is None or rank is None or not is_float(scores):
        return None
    log_odds = build.op("LogSoftmax", scores, axis=_CLASSES)
    return (_loss(node, log_odds, rank, build), log_odds)[: len(node.outputs)]


def _likelihood_loss(node: ir.Node, build: Build) -> Replacement:
    log_odds = node.inputs[0]
    rank = rank_of(log_odds)
    if log_odds is None or rank is None or not is_float(log_odds):
        return None
    return _loss(node, log_odds, rank, build)


def _loss(node: ir.Node, log_odds: ir.Value, rank: int, build: Build) -> ir.Value:
    labels, weights = node.inputs[1], input_at(node, 2)
    assert labels is not None
    whole = build.cast(labels, ir.DataType.INT64)
    classes = along(build.range(build.size(log_odds, _CLASSES)), _CLASSES, rank, build)
    is_label = build.op("Equal", build.unsqueeze(whole, _CLASSES), classes)
    zero = build.like(log_odds, 0)
    chosen = build.reduce("ReduceSum", build.op("Where", is_label, log_odds, zero), (_CLASSES,), keepdims=False)
    each = build.like(log_odds, 1) if weights is None else along(weights, _CLASSES, rank, build)
    weight = build.reduce("ReduceSum", build.op("Where", is_label, each, zero), (_CLASSES,), keepdims=False)
    if "ignore_index" in node.attributes:
        ignored = build.op("Equal", whole, build.constant(node.attributes.get_int("ignore_index"), np.int64))
        weight = build.op("Where", ignored, zero, weight)
    return _reduced(build.op("Neg", build.op("Mul", chosen, weight)), weight, node, rank, build)


def _reduced(losses: ir.Value, weight: ir.Value, node: ir.Node, rank: int, build: Build) -> ir.Value:
    reduction = node.attributes.get_string("reduction", "mean")
    if reduction == "none":
        return losses
    axes = tuple(range(rank - 1))
    total = build.reduce("ReduceSum", losses, axes, keepdims=False)
    if reduction == "sum":
        return total
    return build.op("Div", total, build.reduce("ReduceSum", weight, axes, keepdims=False))


_TITLE: Final = msg("The loss is written with plain operators, its labels by comparison")

RULES: Final = (
    Rule("losses/softmax", ("SoftmaxCrossEntropyLoss",), _TITLE, _softmax_loss),
    Rule("losses/likelihood", ("NegativeLogLikelihoodLoss",), _TITLE, _likelihood_loss),
)
