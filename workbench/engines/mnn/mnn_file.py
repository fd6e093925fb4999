"""What a .mnn file holds: its operators, and how each one's weights are stored.

The layout is MNN 3.6.1's schema (schema/default/MNN.fbs, CaffeOp.fbs), told by field numbers.
Standard library and our readers of files only: workers import this.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

from workbench.engines.mnn.flatbuffer import BadTable, Buffer, Table
from workbench.engines.mnn.weights_file import weights_path

_OPS, _TENSOR_NAMES, _SUBGRAPHS = 3, 7, 10  # of Net
_SUB_NAME, _SUB_TENSOR_NAMES, _SUB_OPS = 0, 3, 4  # of SubGraphProto
_OP_INPUTS, _OP_KIND, _OP_MAIN, _OP_NAME, _OP_OUTPUTS, _OP_TYPE = range(6)  # of Op
_CONV_COMMON, _CONV_WEIGHT, _CONV_QUANT, _CONV_EXTERNAL = 0, 1, 3, 6  # of Convolution2D
_OUT, _IN = 10, 11  # of Convolution2DCommon
_Q_BUFFER, _Q_ALPHA, _Q_TYPE, _Q_BITS, _Q_READ_TYPE, _Q_SHAPE_INT32 = 0, 1, 2, 7, 9, 11  # of IDSTQuan
_BLOB_DTYPE, _BLOB_UINT8S, _BLOB_EXTERNAL = 2, 3, 9  # of Blob
_CONVOLUTION2D: Final = 9  # OpParameter
_DT_FLOAT: Final = 1
_DT_HALF: Final = 19

_OP_TYPES: Final = {
    7: "BinaryOp",
    11: "Const",
    12: "Convolution",
    13: "ConvolutionDepthwise",
    17: "Deconvolution",
    18: "DeconvolutionDepthwise",
    34: "Input",
    77: "Scale",
}
"""Names of the operator types that Workbench tells apart."""
_STORED: Final = {1: "int", 2: "sparse", 3: "half", 4: "int8"}


@dataclass(frozen=True, slots=True)
class Span:
    """``length`` bytes at ``offset`` of the model, or of its ``.weight`` file where ``external``."""

    offset: int
    length: int
    external: bool


@dataclass(frozen=True, slots=True)
class StoredWeights:
    """The weights of a convolution-like operator.

    ``form``: "float", "half", "int" (``bits`` wide), "sparse" or "int8". ``blocks``: scales per
    output channel. ``scales``: the steps, or pairs (smallest value, step) where ``asymmetric``.
    ``wide_shape``: sizes in ``weights`` take 32 bits instead of 16.
    """

    form: str
    bits: int
    asymmetric: bool
    blocks: int
    out_channels: int
    in_channels: int
    wide_shape: bool
    weights: Span
    scales: Span


@dataclass(frozen=True, slots=True)
class StoredOp:
    """An operator. ``subgraph`` is "" in the main graph; ``type`` "" where it is none that is told apart."""

    name: str
    type: str
    subgraph: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    weights: StoredWeights | None = None
    half_constant: Span | None = None


class MnnFile:
    """An open .mnn file, mapped, with its weights. A context manager.

    Raises BadTable where the file is not a model of the known layout, OSError where it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._buffer = _mapped(path)
        beside = weights_path(path)
        self._external: Buffer = _mapped(beside) if beside.is_file() else b""

    def __enter__(self) -> MnnFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for buffer in (self._buffer, self._external):
            if isinstance(buffer, mmap.mmap):
                buffer.close()

    def ops(self) -> Iterator[StoredOp]:
        """Every operator, those of subgraphs after the main graph's."""
        net = Table.root(self._buffer)
        yield from self._ops(net.tables(_OPS), "", net.strings(_TENSOR_NAMES))
        for body in net.tables(_SUBGRAPHS):
            yield from self._ops(body.tables(_SUB_OPS), body.string(_SUB_NAME), body.strings(_SUB_TENSOR_NAMES))

    def read(self, span: Span) -> bytes:
        """The bytes of ``span``. Raises BadTable where they are not all there."""
        buffer = self._external if span.external else self._buffer
        if span.offset < 0 or span.length < 0 or span.offset + span.length > len(buffer):
            raise BadTable(f"weights of {span.length} bytes at {span.offset} leave the file")
        return buffer[span.offset : span.offset + span.length]

    def _ops(self, tables: Iterator[Table], subgraph: str, names: tuple[str, ...]) -> Iterator[StoredOp]:
        for op in tables:
            kind = op.integer(_OP_KIND, kind="B")
            number = op.integer(_OP_TYPE)
            main = op.table(_OP_MAIN)
            yield StoredOp(
                op.string(_OP_NAME),
                _OP_TYPES.get(number, ""),
                subgraph,
                _named(op.integers(_OP_INPUTS), names),
                _named(op.integers(_OP_OUTPUTS), names),
                _weights(main) if main is not None and kind == _CONVOLUTION2D else None,
                _half_constant(main) if main is not None and _OP_TYPES.get(number) == "Const" else None,
            )


def _weights(conv: Table) -> StoredWeights | None:
    """How ``conv`` holds its weights; None where they are an input of the operator."""
    common, quant = conv.table(_CONV_COMMON), conv.table(_CONV_QUANT)
    if common is None:
        raise BadTable("a convolution without its sizes")
    out = common.integer(_OUT)
    weights, steps = _spans(conv, quant)
    if out <= 0 or not weights.length:
        return None
    form = "float" if quant is None else _STORED.get(quant.integer(_Q_TYPE), "unknown")
    bits = quant.integer(_Q_BITS) if quant is not None and form == "int" else 0
    if form == "int" and not 0 < bits <= 8:
        raise BadTable(f"weights of {bits} bits")
    asymmetric = quant is not None and form == "int" and quant.integer(_Q_READ_TYPE) > 0
    pair = 8 if asymmetric else 4
    if steps.length % pair:
        raise BadTable(f"scales of {steps.length} bytes")
    return StoredWeights(
        form=form,
        bits=bits,
        asymmetric=asymmetric,
        blocks=steps.length // pair // out if form == "int" else 0,
        out_channels=out,
        in_channels=common.integer(_IN),
        wide_shape=quant is not None and bool(quant.integer(_Q_SHAPE_INT32, kind="?")),
        weights=weights,
        scales=steps,
    )


def _half_constant(blob: Table) -> Span | None:
    """Where the values of a constant of type fp16 lie."""
    if blob.integer(_BLOB_DTYPE, _DT_FLOAT) != _DT_HALF:
        return None
    external = blob.integers(_BLOB_EXTERNAL, "q")
    return Span(external[0], external[1], True) if len(external) > 1 else _span(blob, _BLOB_UINT8S, "b")


def _spans(conv: Table, quant: Table | None) -> tuple[Span, Span]:
    """Where weights and scales lie."""
    external = conv.integers(_CONV_EXTERNAL, "q")
    if external and len(external) < (4 if quant is not None else 3):
        raise BadTable("a place of weights that is not told in full")
    if external:  # offset, then the sizes of weights, scales (only if quantized), bias, index
        begin, size, scales = external[:3]
        return Span(begin, size, True), Span(begin + size, scales if quant is not None else 0, True)
    if quant is None:
        return _span(conv, _CONV_WEIGHT, "f"), Span(0, 0, False)
    return _span(quant, _Q_BUFFER, "b"), _span(quant, _Q_ALPHA, "f")


def _span(table: Table, field: int, kind: str) -> Span:
    start, length = table.vector(field, kind)
    return Span(start, length * (4 if kind == "f" else 1), False)


def _named(indices: tuple[int, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(names[index] if 0 <= index < len(names) else "" for index in indices)


def _mapped(path: Path) -> Buffer:
    with path.open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            return b""
