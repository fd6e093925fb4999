"""Usages for which onnxruntime computes something else than ONNX defines.

Worker side. Found with the ONNX node tests: Resize with ``align_corners`` at scales that leave part of a pixel
(onnxruntime 1.32 rounds the length first), MaxUnpool with ``output_shape`` (it takes the indices for those of
the larger shape). Where the two disagree nobody can say what is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import onnx

from workbench.engines.compare import compare
from workbench.engines.ort.evaluator import LACKS, Array, Evaluator, NotAccepted, OnnxReference

_SIGNS: Final = ((b"Resize", b"align_corners"), (b"MaxUnpool",))
_LARGEST_FILE: Final = 1 << 20
"""onnx's evaluator computes in Python: a larger model would take minutes."""
_RUNS: Final = 5
_TOLERANCE: Final = 2e-3
"""That of ``judge.py``, which is no module of a worker's."""


def doubled(evaluator: Evaluator, path: Path) -> Evaluator:
    """``evaluator`` of the model in ``path``, doubled where that is contested."""
    if not _is_contested(path):
        return evaluator
    try:
        return Doubled(evaluator, OnnxReference(onnx.load(path)))
    except LACKS:
        return evaluator  # onnx's evaluator has no code for one of the operators: there is one reference alone


def _is_contested(path: Path) -> bool:
    """Whether a model may hold such a usage, and is small enough to be computed twice."""
    if path.stat().st_size > _LARGEST_FILE:
        return False
    content = path.read_bytes()
    return any(all(word in content for word in words) for words in _SIGNS)


class Doubled:
    """Implements Evaluator: ``first``, whose outputs it gives, and ``second``, which should agree.

    They are compared on finite inputs, for the first few runs. ``disputed``: an output on which they
    disagreed, "" as long as there is none.
    """

    def __init__(self, first: Evaluator, second: Evaluator) -> None:
        self.label = f"{first.label} and {second.label}"
        self.inputs = first.inputs
        self.outputs = first.outputs
        self._first = first
        self._second = second
        self.disputed = ""
        self._left = _RUNS

    def run(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        outputs = self._first.run(feeds)
        if self._left and all(array.dtype.kind != "f" or np.isfinite(array).all() for array in feeds.values()):
            self._left -= 1
            self._compare(feeds, outputs)
        return outputs

    def _compare(self, feeds: Mapping[str, Array], outputs: Mapping[str, Array]) -> None:
        try:
            others = self._second.run(feeds)
        except NotAccepted:
            return
        for name, array in outputs.items():
            found = compare(others[name], array)
            if found.fault or found.max_abs > _TOLERANCE * found.largest:
                self.disputed = self.disputed or name
