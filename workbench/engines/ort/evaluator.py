"""Something that computes an ONNX model: onnxruntime, or onnx's own evaluator where that lacks a kernel.

Worker side: only the workers beside it import this file.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import onnx
from numpy.typing import NDArray

from workbench.children.serve import Refusal
from workbench.engines.ort.silent import faults, onnxruntime

Array = NDArray[Any]

INVALID: Final = "invalid"
NO_REFERENCE: Final = "no_reference"
_LONGEST: Final = 400
_CODES: Final = re.compile(r"^\[ONNXRuntimeError\] : \d+ : \w+ : (Load model from .* failed:|.*Status Message: )?")
_QUIET: Final = 4  # onnxruntime's severity "fatal": what it refuses is told by its exceptions
_THREADS: Final = min(4, os.cpu_count() or 1)
_DOUBLE_NAME: Final = "same node name"
_NO_KERNEL: Final = ("is not a registered function/op", "Could not find an implementation", "are not supported")
_LARGEST_MESSAGE: Final = 1 << 31
"""protobuf's limit; a model above it keeps its weights in a file of their own."""
# Faults that tell of the model or the arrays, not of onnxruntime's own state.
_REFUSALS: Final = (
    faults.Fail,
    faults.InvalidArgument,
    faults.InvalidGraph,
    faults.InvalidProtobuf,
    faults.NoSuchFile,
    faults.NotImplemented,
    faults.RuntimeException,
    faults.EPFail,
)


LACKS: Final = (NotImplementedError, RuntimeError, ValueError, TypeError, KeyError)
"""What onnx's evaluator raises for a model that it cannot compute."""


class NotAccepted(Exception):
    """The reference refuses these arrays."""


class Evaluator(Protocol):
    """Computes the named outputs; ``label`` says with what."""

    label: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def run(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        """Raises NotAccepted."""


class OnnxRuntime:
    """onnxruntime on the CPU without graph optimisations: what the model says, node by node."""

    def __init__(self, model: str | bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = _THREADS
        options.log_severity_level = _QUIET
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.label = f"onnxruntime {onnxruntime.__version__}"
        self.inputs = tuple(value.name for value in self._session.get_inputs())
        self.outputs = tuple(value.name for value in self._session.get_outputs())

    def run(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        try:
            values = self._session.run(None, {name: feeds[name] for name in self.inputs})
        except _REFUSALS as no:
            raise NotAccepted(short(no)) from no
        return _arrays(self.outputs, values)


class OnnxReference:
    """onnx.reference: slow and complete. Takes over where onnxruntime has no kernel for a type."""

    def __init__(self, model: Any) -> None:
        from onnx.reference import ReferenceEvaluator  # noqa: PLC0415 - takes half a second, rarely needed

        self._evaluator = ReferenceEvaluator(model)
        self.label = f"onnx.reference {onnx.__version__}"
        self.inputs = tuple(self._evaluator.input_names)
        self.outputs = tuple(self._evaluator.output_names)

    def run(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        try:
            values = self._evaluator.run(None, {name: feeds[name] for name in self.inputs})
        except (ValueError, TypeError, RuntimeError, IndexError, KeyError, NotImplementedError) as no:
            raise NotAccepted(short(no)) from no
        return _arrays(self.outputs, values)


def _arrays(names: Sequence[str], values: Sequence[Any]) -> dict[str, Array]:
    arrays: dict[str, Array] = {}
    for name, value in zip(names, values, strict=True):
        array = np.asarray(value)
        if isinstance(value, (list, dict)) or array.dtype.kind not in "fiub":
            raise Refusal(NO_REFERENCE, f"Output {name} is not a tensor of numbers")
        arrays[name] = array
    return arrays


def open_file(path: Path, folder: Path) -> Evaluator:
    """The model in ``path`` as it is; edited only where onnxruntime asks for it (two nodes of one name).

    Computed twice where onnxruntime is known to differ from the standard. ``folder`` takes what is written.
    Refuses with "invalid" or "no_reference".
    """
    from workbench.engines.ort.contested import doubled  # noqa: PLC0415 - it needs this module

    try:
        return doubled(OnnxRuntime(str(path)), path)
    except _REFUSALS as no:
        if _DOUBLE_NAME in str(no):
            return open_model(onnx.load(path), folder)
        if _lacks_kernel(no):
            return _by_onnx(onnx.load(path), no)
        raise _refusal(no) from no


def open_model(model: Any, folder: Path) -> Evaluator:
    """A changed model, complete in memory; ``folder`` takes its weights where they are too many."""
    _name_apart(model)
    try:
        if model.ByteSize() < _LARGEST_MESSAGE:
            return OnnxRuntime(model.SerializeToString())
        path = folder / "changed.onnx"
        onnx.save(model, path, save_as_external_data=True, location="changed.data")
        return OnnxRuntime(str(path))
    except _REFUSALS as no:
        if _lacks_kernel(no):
            return _by_onnx(model, no)
        raise _refusal(no) from no


def _lacks_kernel(no: Exception) -> bool:
    return isinstance(no, faults.NotImplemented) or any(sign in str(no) for sign in _NO_KERNEL)


def _by_onnx(model: Any, no: Exception) -> Evaluator:
    try:
        return OnnxReference(model)
    except LACKS as neither:
        raise Refusal(NO_REFERENCE, f"{short(no)}; {short(neither)}") from neither


def _refusal(no: Exception) -> Refusal:
    invalid = isinstance(no, (faults.InvalidGraph, faults.InvalidProtobuf, faults.NoSuchFile)) or any(
        sign in str(no) for sign in ("invalid model", "External data", "Invalid model", "external data")
    )
    return Refusal(INVALID if invalid else NO_REFERENCE, short(no))


def short(error: Exception) -> str:
    """An exception's own words on one line, without onnxruntime's codes and source paths."""
    text = _CODES.sub("", " ".join(str(error).split()))
    words = [word for word in text.split(" ") if not word.startswith("/onnxruntime_src/")]
    return " ".join(words)[:_LONGEST]


def _name_apart(model: Any) -> None:
    """Give every node whose name is taken another one, bodies of If, Loop and Scan included."""
    taken: Counter[str] = Counter()

    def walk(graph: Any) -> None:
        for node in graph.node:
            if node.name:
                taken[node.name] += 1
                if taken[node.name] > 1:
                    node.name = f"{node.name}#{taken[node.name]}"
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    walk(attribute.g)

    walk(model.graph)
