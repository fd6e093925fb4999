"""A rule: which usage of an operator it looks for, and the form that it writes in its place.

Worker side: stdlib, numpy, onnx and onnx_ir alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import onnx_ir as ir

from workbench.core.messages import Message
from workbench.rewrites.build import Build

Replacement: TypeAlias = ir.Value | Sequence[ir.Value | None] | None
"""What stands for a node's outputs: one value, or one for each output (None where nothing uses it).
None alone: the node stays as it is."""


@dataclass(frozen=True, slots=True)
class Rule:
    """``id``: "family/what". ``ops``: operators it looks at, "Op" or "domain::Op".

    ``title``: what it does, in one sentence. ``exact``: computes the same numbers, up to rounding.
    ``effect``: what it costs in speed or in layers that can be quantized; None where nothing.
    ``apply`` looks at one node and makes nodes with ``build``; it changes nothing else.
    """

    id: str
    ops: tuple[str, ...]
    title: Message
    apply: Callable[[ir.Node, Build], Replacement]
    exact: bool = True
    effect: Message | None = None

    @property
    def family(self) -> str:
        return self.id.partition("/")[0]


def whole_model(node: ir.Node, build: Build) -> Replacement:
    """The ``apply`` of a rule that the pass carries out on the model as a whole."""
    return None


def operator(node: ir.Node) -> str:
    """The node's operator as rules name it."""
    return node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}::{node.op_type}"
