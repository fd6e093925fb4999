"""What the converter wrote, as a JSON-ready document: made in a child, beside the conversion.

Standard library and our reader only: workers import this, and numpy takes as long to import as a
small model takes to convert.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from workbench.engines.mnn.mnn_file import MnnFile, StoredOp


def describe(path: Path) -> dict[str, Any]:
    """How every weight-bearing operator of ``path`` is stored, and what decides how to compare its numbers.

    {"weights": [{"name", "subgraph", "form", "bits", "asymmetric", "blocks"}], "scales": names of
    normalizations that were not folded, "half_constants": digests of the constants stored as fp16
    (see arithmetic.half_digest), by the name of the operator that reads them}. Raises BadTable.
    """
    with MnnFile(path) as file:
        ops = list(file.ops())
        halves = _half_constants(file, ops)
    return {
        "weights": [_stored(op) for op in ops if op.weights is not None],
        "scales": [op.name for op in ops if op.type == "Scale"],
        "half_constants": halves,
    }


def _half_constants(file: MnnFile, ops: list[StoredOp]) -> dict[str, list[str]]:
    digests = {
        (op.subgraph, op.outputs[0]): sha256(file.read(op.half_constant)).hexdigest()
        for op in ops
        if op.half_constant is not None and op.outputs
    }
    read: dict[str, list[str]] = {}
    for op in ops:
        for value in op.inputs:
            if (op.subgraph, value) in digests:
                read.setdefault(op.name, []).append(digests[op.subgraph, value])
    return read


def _stored(op: StoredOp) -> dict[str, Any]:
    stored = op.weights
    assert stored is not None
    return {
        "name": op.name,
        "subgraph": op.subgraph,
        "form": stored.form,
        "bits": stored.bits,
        "asymmetric": stored.asymmetric,
        "blocks": stored.blocks,
    }
