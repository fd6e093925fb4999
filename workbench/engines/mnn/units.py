"""A layer's weights as the rows of MNN's operators: what one scale covers, and back.

Standard library and numpy only: workers import this.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.engines.mnn.layout import Layout

Floats = NDArray[np.float32]


def to_rows(weights: Floats, layout: Layout) -> list[Floats]:
    """The weights as MNN's operators have them: one array (output channels, row length) for each suffix.

    A row of a ConvTranspose is not one output channel: MNN cuts the flat (in, out, y, x) weights
    into as many pieces as there are output channels.
    """
    if layout.op in ("Gemm", "MatMul"):
        return [np.ascontiguousarray(weights if layout.transposed else weights.T)]
    depths = (
        [np.ascontiguousarray(weights[:, :, k]) for k in range(layout.shape[2])] if weights.ndim == 5 else [weights]
    )
    pieces = max(1, len(layout.suffixes) // len(depths))
    rows = layout.out_channels // pieces
    return [part.reshape(rows, -1) for depth in depths for part in np.split(depth, pieces)]


def from_rows(rows: Sequence[Floats], layout: Layout) -> Floats:
    """The inverse of ``to_rows``."""
    if layout.op in ("Gemm", "MatMul"):
        return rows[0] if layout.transposed else np.ascontiguousarray(rows[0].T)
    if len(layout.shape) < 5:
        return np.concatenate([part.ravel() for part in rows]).reshape(layout.shape)
    flat_shape = (*layout.shape[:2], *layout.shape[3:])
    pieces = len(rows) // layout.shape[2]
    depths = [
        np.concatenate([part.ravel() for part in rows[k * pieces : (k + 1) * pieces]]).reshape(flat_shape)
        for k in range(layout.shape[2])
    ]
    return np.stack(depths, axis=2)


def channel_axis_scaled(weights: Floats, factors: Floats, layout: Layout) -> Floats:
    """``weights`` of a convolution times ``factors`` (out_channels,), each on its output channel."""
    if layout.op == "Conv":
        return np.asarray(weights * factors.reshape(-1, *[1] * (weights.ndim - 1)), np.float32)
    per_input = np.repeat(factors.reshape(layout.group, -1), layout.shape[0] // layout.group, axis=0)
    return np.asarray(weights * per_input.reshape(*per_input.shape, *[1] * (weights.ndim - 2)), np.float32)
