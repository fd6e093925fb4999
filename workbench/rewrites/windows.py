"""Windows over the places of an input: their number, their pads, and their elements as strided slices. Worker side."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import onnx_ir as ir

from workbench.rewrites.build import Build
from workbench.rewrites.facts import dims_of

SAME: Final = ("SAME_UPPER", "SAME_LOWER")


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows over the axes from 2 on. ``before``, ``after``: pads; ``beyond``: what rounding up adds to the end."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    beyond: tuple[int, ...]

    @property
    def reach(self) -> tuple[int, ...]:
        """How many places a window covers."""
        return tuple((k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations, strict=True))

    @property
    def is_padded(self) -> bool:
        return any((*self.before, *self.after, *self.beyond))


def windows_of(node: ir.Node) -> Windows | None:
    """What the attributes ask for; None where that depends on a size that is open."""
    attributes = node.attributes
    kernel = tuple(attributes.get_ints("kernel_shape", ()))
    rank = len(kernel)
    strides = tuple(attributes.get_ints("strides", (1,) * rank))
    dilations = tuple(attributes.get_ints("dilations", (1,) * rank))
    pads = tuple(attributes.get_ints("pads", (0,) * (2 * rank)))
    dims = dims_of(node.inputs[0])
    sizes: Sequence[int | None] = (None,) * rank if dims is None else dims[2:]
    auto_pad = attributes.get_string("auto_pad", "NOTSET")
    plain = Windows(kernel, strides, dilations, pads[:rank], pads[rank:], (0,) * rank)
    if auto_pad in SAME:
        return _padded_to_same(plain, sizes, auto_pad)
    if auto_pad == "VALID":
        plain = replace(plain, before=(0,) * rank, after=(0,) * rank)
    return _rounded_up(plain, sizes) if attributes.get_int("ceil_mode", 0) else plain


def _padded_to_same(plain: Windows, sizes: Sequence[int | None], auto_pad: str) -> Windows | None:
    before, after = [], []
    for size, stride, reach in zip(sizes, plain.strides, plain.reach, strict=True):
        if size is None and stride != 1:
            return None
        total = reach - 1 if size is None else max((-(-size // stride) - 1) * stride + reach - size, 0)
        first = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
        before.append(first)
        after.append(total - first)
    return replace(plain, before=tuple(before), after=tuple(after))


def _rounded_up(plain: Windows, sizes: Sequence[int | None]) -> Windows | None:
    """A last window that ends outside counts, if it begins inside or in the pad before."""
    beyond = []
    axes = zip(sizes, plain.strides, plain.reach, plain.before, plain.after, strict=True)
    for size, stride, reach, before, after in axes:
        if size is not None:
            span = size + before + after
            count = -(-(span - reach) // stride) + 1
            if (count - 1) * stride >= size + before:
                count -= 1
            beyond.append((count - 1) * stride + reach - span)
        elif after == 0 and stride <= reach:
            beyond.append(stride - 1)  # the last window begins inside whatever the size is
        else:
            return None
    return replace(plain, beyond=tuple(beyond))


def slices(x: ir.Value, windows: Windows, build: Build) -> list[ir.Value]:
    """The k-th elements of all windows, for every k. ``x`` is padded already."""
    rank = len(windows.kernel)
    axes = build.ints(*range(2, 2 + rank))
    steps = build.ints(*windows.strides)
    found = []
    for place in itertools.product(*map(range, windows.kernel)):
        starts = [p * d for p, d in zip(place, windows.dilations, strict=True)]
        ends = [start + 1 - reach for start, reach in zip(starts, windows.reach, strict=True)]
        stops = build.ints(*((1 << 31) - 1 if end == 0 else end for end in ends))
        found.append(build.op("Slice", x, build.ints(*starts), stops, axes, steps))
    return found


def padded(x: ir.Value, windows: Windows, value: ir.Value, build: Build, *, beyond: bool = True) -> ir.Value:
    """``x`` with ``value`` around it."""
    after = [a + (b if beyond else 0) for a, b in zip(windows.after, windows.beyond, strict=True)]
    if not any((*windows.before, *after)):
        return x
    return build.op("Pad", x, build.ints(0, 0, *windows.before, 0, 0, *after), value)


def trimmed(x: ir.Value, windows: Windows, build: Build) -> ir.Value:
    """``x`` without the places at its end that no window covers, where rounding up takes less than the pads."""
    cut = [min(b, 0) for b in windows.beyond]
    if not any(cut):
        return x
    axes = [axis for axis, amount in enumerate(cut) if amount]
    return build.slice(x, [0] * len(axes), [cut[axis] for axis in axes], [axis + 2 for axis in axes])


def without_cuts(windows: Windows) -> Windows:
    """The same, with nothing taken from the end where rounding up takes less than the pads."""
    return replace(windows, beyond=tuple(max(b, 0) for b in windows.beyond))
