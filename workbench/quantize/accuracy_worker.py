"""The child that counts how many labels a model gets right. Standard library, numpy and one engine at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from workbench.children.serve import Job, Refusal
from workbench.engines.arrays import Array, read_npz

Predict = Callable[[Mapping[str, Array]], Array]

_LABEL: Final = "label"


def count(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Labels that the highest value of the model's first output names. Returns {"correct", "total"}.

    ``samples``: a .npz with an array for each input, samples along axis 0, and ``label`` (n,) int.
    Refuses with "bad_samples".
    """
    arrays = read_npz(Path(request["samples"]), "bad_samples")
    if _LABEL not in arrays:
        raise Refusal("bad_samples", f"it has no array {_LABEL}")
    labels = arrays.pop(_LABEL)
    scores = _ENGINES[request["engine"]](request)(arrays)
    if scores.ndim < 2 or scores.shape[0] != labels.shape[0]:
        raise Refusal("bad_samples", f"the output's shape {list(scores.shape)} is no row of scores a sample")
    return {"correct": int(np.count_nonzero(scores.argmax(axis=1) == labels)), "total": int(labels.size)}


def _onnxruntime(request: dict[str, Any]) -> Predict:
    from workbench.engines.ort.silent import onnxruntime

    session = onnxruntime.InferenceSession(request["model"], providers=["CPUExecutionProvider"])
    return lambda feeds: np.asarray(session.run(None, dict(feeds))[0])


def _mnn(request: dict[str, Any]) -> Predict:
    from workbench.engines.mnn import loaded_model, run_worker

    opened = run_worker.load(request)
    return lambda feeds: loaded_model.run(opened, feeds)[0]


_ENGINES: Final = {"onnxruntime": _onnxruntime, "mnn": _mnn}
FUNCTIONS = {"count": count}
