"""A converted model with everything needed to make it again and to believe it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from workbench.core.messages import Message
from workbench.core.plan import QuantPlan
from workbench.core.verdict import Verification


@dataclass(frozen=True, slots=True)
class AppliedLayer:
    """What the converter wrote for one layer, read back from its output. ``bits``: 16 is fp16, 0 float32."""

    node: str
    op_name: str
    bits: int
    asymmetric: bool
    blocks: int


@dataclass(frozen=True, slots=True)
class OpNode:
    """The model's node that an operator of the engine belongs to: its id and its exporter's name."""

    id: str
    name: str


WHOLE_MODEL: Final = ""
"""``Rewrite.node`` of a rule that was applied to the model as a whole."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rule applied to one of the model's nodes. ``node``: its id; ``new``: ids of what stands there now.

    ``title``: what was done; ``exact``: the same numbers, up to rounding; ``effect``: on speed, or on what
    can be quantized, None where there is none.
    """

    rule: str
    node: str
    title: Message
    exact: bool = True
    effect: Message | None = None
    new: tuple[str, ...] = ()


def by_rule(rewrites: Iterable[Rewrite]) -> dict[tuple[Message, Message | None], tuple[str, ...]]:
    """The ids of the nodes that each rule was applied to, by its title and its effect."""
    found: dict[tuple[Message, Message | None], dict[str, None]] = {}
    for rewrite in rewrites:
        found.setdefault((rewrite.title, rewrite.effect), {})[rewrite.node] = None
    return {rule: tuple(nodes) for rule, nodes in found.items()}


@dataclass(frozen=True, slots=True)
class Artifact:
    """``files`` are names beside ``path`` that belong to it (external weights), with their sha256.

    ``conditions`` are engine settings without which the numbers are not right, as ``key=value``.
    ``op_nodes``: by every name that the engine may give to what it makes of a node; None in older records.
    """

    path: str
    sha256: str
    bytes: int
    source_sha256: str
    plan: QuantPlan
    engine_name: str
    engine_version: str
    argv: tuple[tuple[str, ...], ...]
    conditions: tuple[str, ...]
    layers_applied: tuple[AppliedLayer, ...]
    verification: Verification
    rewrites: tuple[Rewrite, ...] = ()
    files: Mapping[str, str] | None = None
    op_nodes: Mapping[str, OpNode] | None = None
