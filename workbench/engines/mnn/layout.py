"""How MNN cuts an ONNX layer's weights into operators, and their rows into blocks.

A grouped convolution becomes an operator a group, a 3-D one an operator a depth of its kernel.
Standard library only: workers import this, and commands that must answer at once.
"""

from __future__ import annotations

from dataclasses import dataclass


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


def block_count(in_channels: int, block: int) -> int:
    """How many blocks MNN makes of one output channel's ``in_channels``: 1 where it ignores ``block``."""
    usable = block >= 16 and block % 16 == 0 and in_channels % block == 0
    return in_channels // block if usable else 1
