"""The child that compares a rewritten model with the original, both by the reference."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from workbench.children.serve import Job, Refusal
from workbench.engines.compare import MISSING, Comparison, compare
from workbench.engines.ort.evaluator import NO_REFERENCE, NotAccepted, open_file


def prove(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Run ``model`` on the inputs of ``cases`` and compare each output with its file.

    Returns {"rows": for each case and output the comparison}. Refuses with "invalid" or "no_reference".
    """
    evaluator = open_file(Path(request["model"]), job.folder)
    rows: list[dict[str, Any]] = []
    for number, case in enumerate(request["cases"]):
        job.progress(number / len(request["cases"]), "")
        try:
            outputs = evaluator.run({name: np.load(file) for name, file in case["inputs"].items()})
        except NotAccepted as no:
            raise Refusal(NO_REFERENCE, str(no)) from no
        for name, file in case["outputs"].items():
            found = outputs.get(name)
            row = Comparison(MISSING, "no such output") if found is None else compare(found, np.load(file))
            rows.append({"case": number, "output": name, **asdict(row)})
    return {"rows": rows}


FUNCTIONS = {"prove": prove}
