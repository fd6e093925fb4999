"""The child that runs a converted model and compares its outputs where they are made."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from workbench.children.serve import Job, Refusal
from workbench.engines.arrays import load_arrays
from workbench.engines.compare import compare
from workbench.engines.comparison import MISSING, Comparison
from workbench.engines.mnn import loaded_model
from workbench.engines.mnn.loaded_model import Array, EngineSettings, LoadedModel, NotLoaded, RunFailed
from workbench.engines.mnn.module_model import ModuleModel
from workbench.engines.mnn.session_model import SessionModel

_NOT_LOADED: Final = "not_loaded"
_PATHS: Final[dict[str, Callable[[str, Sequence[str], Sequence[str], EngineSettings], LoadedModel]]] = {
    "module": ModuleModel,
    "session": SessionModel,
}


def run(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Load ``model`` and run ``cases``; each output is compared with its file in ``want`` (and in ``price``).

    ``path``: "module" or "session"; ``winograd`` False: as little of it as the engine can.
    Cases hold absolute file names. Returns {"load_ms", "rows", "price_rows", "failures"}.
    Refuses with "not_loaded".
    """
    began = time.perf_counter()
    model = load(request)
    load_ms = (time.perf_counter() - began) * 1000.0
    rows: list[dict[str, Any]] = []
    price_rows: list[dict[str, Any]] = []
    failures: list[dict[str, Any]] = []
    for number, case in enumerate(request["cases"]):
        (job.folder / "case.txt").write_text(str(number))  # told by the caller where the engine crashes on it
        try:
            outputs = loaded_model.run(model, load_arrays(case["inputs"]))
        except RunFailed as no:
            failures.append({"case": number, "text": str(no)})
            continue
        by_name = dict(zip(request["outputs"], outputs, strict=True))
        inner = frozenset(case["inner"])
        rows += _compared(number, by_name, case["want"], inner)
        price_rows += _compared(number, by_name, case["price"], inner)
    return {"load_ms": load_ms, "rows": rows, "price_rows": price_rows, "failures": failures}


def load(request: Mapping[str, Any]) -> LoadedModel:
    """``model`` as ``path`` and ``winograd`` ask for, with ``threads``. Refuses with "not_loaded"."""
    settings = EngineSettings(request["winograd"], request["threads"])
    try:
        return _PATHS[request["path"]](request["model"], request["inputs"], request["outputs"], settings)
    except NotLoaded as no:
        raise Refusal(_NOT_LOADED, "The engine does not load the converted model") from no


def _compared(
    number: int, outputs: Mapping[str, Array], want: Mapping[str, str], inner: frozenset[str]
) -> list[dict[str, Any]]:
    rows = []
    for name, file in want.items():
        right = np.load(file)
        found = outputs.get(name)
        if found is not None and name in inner:
            found = _without_added_axes(found, right.shape)
        row = Comparison(MISSING, "no such output") if found is None else compare(found, right)
        rows.append({"case": number, "output": name, **asdict(row)})
    return rows


def _without_added_axes(found: Array, shape: tuple[int, ...]) -> Array:
    """MNN computes a 1-D convolution as a 2-D one, and shows it where that is the last operator."""
    added = found.shape[len(shape) :]
    if found.shape[: len(shape)] == shape and all(size == 1 for size in added):
        return found.reshape(shape)
    return found


FUNCTIONS = {"run": run}
