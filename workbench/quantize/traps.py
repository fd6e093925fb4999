"""Layers that a plan destroys, told before converting: what no rounding error explains."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.children.outcome import Limits
from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.errors import InternalError
from workbench.core.graph import Model
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.core.steps import Context
from workbench.engines.mnn.names import quantizable_layers
from workbench.engines.mnn.plan_weights import layer_request

_WORKER: Final = "workbench.quantize.traps_worker"
_LIMITS: Final = Limits(seconds=600.0, rss_bytes=16 << 30)


@dataclass(frozen=True, slots=True)
class Trap:
    """A layer that loses ``lost`` of its ``rows`` scales, or of its output channels where it becomes fp16."""

    node_id: str
    title: str
    rows: int
    lost: int
    what: Message
    hint: Message

    @property
    def warning(self) -> Message:
        """What is lost and what to do, in one line."""
        return msg("{what}. {hint}", what=self.what, hint=self.hint)


def find_traps(model: Model, plan: QuantPlan, workers: Workers, ctx: Context) -> tuple[Trap, ...]:
    """The layers of ``model`` that ``plan`` would destroy, in graph order. Reads every planned layer's weights.

    HQQ keeps small steps: with it only fp16 layers are looked at. Raises InternalError where the
    weights cannot be read, Cancelled.
    """
    layers = [
        layer
        for layer in quantizable_layers(model.graph)
        if (plan.half_floats if plan.of(layer.node_id).is_float else not plan.hqq)
    ]
    if not layers:
        return ()
    requests = [layer_request(layer, plan.of(layer.node_id), layer.normalization) for layer in layers]
    with scratch_folder() as folder:
        request = {"model": str(Path(model.path).absolute()), "layers": requests}
        outcome = workers.run(_WORKER, "traps", request, folder, ctx, _LIMITS)
    if not outcome.ok:
        raise InternalError(msg("The weights could not be read: {reason}", reason=outcome.reason), where=model.path)
    found = zip(layers, outcome.result["layers"], strict=True)
    return tuple(
        _trap(layer.node_id, layer.title, row["rows"], row["lost"], is_half=plan.of(layer.node_id).is_float)
        for layer, row in found
        if row["lost"]
    )


def _trap(node_id: str, title: str, rows: int, lost: int, *, is_half: bool) -> Trap:
    if is_half:
        what = msg(
            "{layer}: {lost} of {rows} channels have weights that fp16 cannot hold", layer=title, lost=lost, rows=rows
        )
        return Trap(node_id, title, rows, lost, what, msg("Keep the model in float32."))
    text = "{layer}: the engine destroys {lost} of {rows} channels, whose values differ by less than it can tell"
    return Trap(
        node_id,
        title,
        rows,
        lost,
        msg(text, layer=title, lost=lost, rows=rows),
        msg("Use HQQ, or keep this layer in float."),
    )
