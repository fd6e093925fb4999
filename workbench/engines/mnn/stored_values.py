"""The numbers that a .mnn file holds for its layers.

Standard library, numpy and our readers only: workers import this.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.engines.mnn.arithmetic import QuantizedRows, dequantize
from workbench.engines.mnn.flatbuffer import BadTable
from workbench.engines.mnn.mnn_file import MnnFile, Span, StoredWeights
from workbench.engines.mnn.units import Floats


def stored_rows(file: MnnFile, stored: StoredWeights) -> QuantizedRows:
    """The integers and scales of weights of form "int"; rows are blocks of output channels."""
    data = file.read(stored.weights)
    size = 4 if stored.wide_shape else 2
    head = 1 + 2 * size
    if len(data) < head + 1 or data[0] != 2:
        raise BadTable("quantized weights without their two sizes")
    rows, length = (int.from_bytes(data[at : at + size], "little") for at in (1, 1 + size))
    levels = data[head] or 256
    width = max(1, (levels - 1).bit_length())
    packed = np.frombuffer(data, np.uint8)[head + 1 + levels :]
    if not rows or len(packed) * 8 < rows * length * width or levels != 1 << width:
        raise BadTable(f"{rows} x {length} integers of {width} bits in {len(packed)} bytes")
    values = np.frombuffer(data, np.int8, levels, head + 1)
    integers = values[_unpacked(packed, width, rows * length)].reshape(rows, length)
    scales = _numbers(file, stored.scales, "<f4").reshape(-1, 2 if stored.asymmetric else 1)
    if len(scales) != rows:
        raise BadTable(f"{len(scales)} scales for {rows} rows")
    smallest = scales[:, 0] if stored.asymmetric else None
    return QuantizedRows(integers, scales[:, -1], smallest, stored.bits)


def stored_weights(file: MnnFile, stored: StoredWeights) -> Floats:
    """The weights that the engine computes with, flat float32 in its own order."""
    if stored.form == "float":
        return _numbers(file, stored.weights, "<f4")
    if stored.form == "half":
        return _numbers(file, stored.weights, "<f2")
    if stored.form != "int":
        raise BadTable(f"weights stored as {stored.form}")
    return dequantize(stored_rows(file, stored)).ravel()


def save_weights(path: Path, wanted: list[dict[str, Any]], folder: Path) -> None:
    """Save the weights that the engine computes with: ``folder/<key>.npy``, flat float32, for each of ``wanted``.

    ``wanted``: {"key", "subgraph", "name"} of operators.
    """
    keys = {(entry["subgraph"], entry["name"]): entry["key"] for entry in wanted}
    with MnnFile(path) as file:
        for op in file.ops():
            key = keys.get((op.subgraph, op.name))
            if key is not None and op.weights is not None:
                np.save(folder / f"{key}.npy", stored_weights(file, op.weights))


def _numbers(file: MnnFile, span: Span, dtype: str) -> Floats:
    if span.length % np.dtype(dtype).itemsize:
        raise BadTable(f"{span.length} bytes are no whole count of {dtype}")
    return np.frombuffer(file.read(span), dtype).astype(np.float32)


def _unpacked(packed: NDArray[np.uint8], width: int, count: int) -> NDArray[np.uint8]:
    """``count`` unsigned integers of ``width`` bits, most significant bit first without gaps."""
    if width == 8:
        return packed[:count]
    bits = np.unpackbits(packed, count=count * width).reshape(count, width)
    weights = (1 << np.arange(width - 1, -1, -1)).astype(np.uint8)
    return np.asarray(bits @ weights, np.uint8)
