"""The child that compares a rewritten model with the original, both by the reference."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from workbench.children.serve import Job, Refusal
from workbench.engines.compare import compare
from workbench.engines.comparison import MISSING, Comparison
from workbench.engines.ort.evaluator import NO_REFERENCE, NotAccepted, open_file


def prove(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Run ``model`` on the inputs of ``cases`` and compare each output with its file.

    Returns {"rows": for each case and output the comparison}. Refuses with "invalid" or "no_reference".
    """
    evaluator = open_file(Path(request["model"]), job.folder)
    kinds = _input_kinds(Path(request["model"]))
    rows: list[dict[str, Any]] = []
    for number, case in enumerate(request["cases"]):
        job.progress(number / len(request["cases"]), "")
        try:
            feeds = {name: np.load(file) for name, file in case["inputs"].items()}
            outputs = evaluator.run({name: array.astype(kinds[name]) for name, array in feeds.items()})
        except NotAccepted as no:
            raise Refusal(NO_REFERENCE, str(no)) from no
        for name, file in case["outputs"].items():
            found = outputs.get(name)
            row = Comparison(MISSING, "no such output") if found is None else compare(found, np.load(file))
            rows.append({"case": number, "output": name, **asdict(row)})
    return {"rows": rows}


def _input_kinds(path: Path) -> dict[str, np.dtype[Any]]:
    """The types of the inputs: a rewritten model may take an int8 input as int32."""
    inputs = onnx.load(path, load_external_data=False).graph.input
    return {value.name: onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type) for value in inputs}


FUNCTIONS = {"prove": prove}
