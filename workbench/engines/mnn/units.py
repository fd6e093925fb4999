"""How MNN cuts an ONNX layer's weights into operators and rows: what one scale covers.

A grouped convolution becomes an operator a group, a 3-D one an operator a depth of its kernel.
Standard library and numpy only: workers import this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Layout:
    """An ONNX layer's weights: ``shape`` as the model has them.

    ``transposed``: a Gemm whose matrix has its outputs first (transB). ``group`` of a convolution.
    """

    op: str
    shape: tuple[int, ...]
    group: int = 1
    transposed: bool = False

    @property
    def out_channels(self) -> int:
        if self.op == "ConvTranspose":
            return self.shape[1] * self.group
        if self.op == "Conv" or self.transposed:
            return self.shape[0]
        return self.shape[1]

    @property
    def in_channels(self) -> int:
        """Input channels of one operator: what a block size must divide."""
        if self.op == "ConvTranspose":
            return self.shape[0] // self.group
        if self.op == "Conv" or self.transposed:
            return self.shape[1]
        return self.shape[0]

    @property
    def is_depthwise(self) -> bool:
        """One channel in and out a group: MNN keeps such a convolution as one operator."""
        return self.group > 1 and self.shape[1] == 1 and self.shape[0] == self.group

    @property
    def suffixes(self) -> tuple[str, ...]:
        """What MNN appends to the layer's name for each of its operators."""
        depths = [f"__{k}" for k in range(self.shape[2])] if len(self.shape) == 5 else [""]
        split = self.group > 1 and not self.is_depthwise
        groups = [f"__group__{k}" for k in range(self.group)] if split else [""]
        return tuple(depth + group for depth in depths for group in groups)


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
