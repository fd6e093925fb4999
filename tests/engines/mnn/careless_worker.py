"""The conversion worker of a converter that passes over the plan it is given, as MNN's does where it misreads one."""

from __future__ import annotations

from typing import Any

from workbench.children.serve import Job
from workbench.engines.mnn import convert_worker


def convert(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Convert without the compression file."""
    for call in request["calls"]:
        at = call["argv"].index("--compressionParamsFile")
        del call["argv"][at : at + 2]
    return convert_worker.convert(request, job)


FUNCTIONS = {"convert": convert}
