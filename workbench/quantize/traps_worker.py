"""The child that looks at weights: which channels the engine would destroy.

Standard library, numpy, onnx and our numpy-only modules only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx

from workbench.children.serve import Job
from workbench.engines.mnn.arithmetic import (
    STEP_THRESHOLD,
    dequantize,
    quantize_as_engine,
    quantize_as_planned,
    steps_of,
)
from workbench.engines.mnn.folding import find_scope, folded_weights, layout_of, scopes
from workbench.engines.mnn.layout import block_count
from workbench.engines.mnn.units import Floats, to_rows

_HALF_MAX: Final = 65504.0


def traps(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """What each of ``layers`` of the ONNX file ``model`` loses beyond rounding.

    A layer is as in ``dequantized.with_plan_weights``. Returns {"layers": [{"rows", "lost"}]}: for a
    quantized layer the scales in all and those whose row is destroyed, for a float one (``half_floats``)
    the output channels in all and those with a weight that fp16 cannot hold.
    """
    path = Path(request["model"])
    everywhere = scopes(onnx.load(path, load_external_data=False), path.parent)
    found = []
    for index, layer in enumerate(request["layers"]):
        job.progress(index / len(request["layers"]), layer["output"])
        rows = to_rows(folded_weights(find_scope(everywhere, layer), layer), layout_of(layer))
        found.append(_too_large(rows) if layer["bits"] == 0 else _destroyed(rows, layer))
    return {"layers": found}


def _destroyed(parts: list[Floats], layer: dict[str, Any]) -> dict[str, Any]:
    blocks = block_count(layout_of(layer).in_channels, layer["block"])
    rows = np.concatenate([part.reshape(len(part) * blocks, -1) for part in parts])
    steps = steps_of(rows, layer["bits"], symmetric=layer["symmetric"])
    small = rows[steps <= STEP_THRESHOLD]
    lost = 0
    if len(small):
        engine = dequantize(quantize_as_engine(small, layer["bits"], symmetric=layer["symmetric"]))
        planned = dequantize(quantize_as_planned(small, layer["bits"], symmetric=layer["symmetric"]))
        lost = int((engine != planned).any(axis=1).sum())  # a row of equal values keeps them
    return {"rows": len(rows), "lost": lost}


def _too_large(parts: list[Floats]) -> dict[str, Any]:
    over = np.concatenate([(np.abs(part) > _HALF_MAX).any(axis=1) for part in parts])
    return {"rows": len(over), "lost": int(over.sum())}


FUNCTIONS = {"traps": traps}
