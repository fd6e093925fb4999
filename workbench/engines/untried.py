"""Branches that no input was found to run, put to the test by themselves."""

from __future__ import annotations

import tempfile
from pathlib import Path

from workbench.children.workers import Workers
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.core.verdict import Status
from workbench.engines.ort.cut import branch
from workbench.engines.ort.reference import Reference
from workbench.engines.probe import probe


def fault_of_untried(
    reference: Reference, source: Path, folder: Path, workers: Workers, ctx: Context
) -> Message | None:
    """What is wrong with a branch that ``reference`` tells untried; None where nothing is, or it cannot be cut out.

    A branch that does not even run by itself may run in its model: only wrong numbers are a fault.
    ``folder``: an existing, private one on an ASCII path. Raises Cancelled.
    """
    case = reference.cases[reference.usual[0]]
    for place in reference.untried:
        own = Path(tempfile.mkdtemp(dir=folder))
        part = branch(source, place, case.inputs, own, workers, ctx)
        if part is None:
            continue
        inner = frozenset(part.outputs)
        found = probe(part.file, part.inputs, part.outputs, own, workers, ctx, inner=inner)
        if found.status is Status.WRONG and found.judged:
            return msg(
                "No input was found that runs {place}, and by itself it is wrong: {what}",
                place=place,
                what=found.what or "",
            )
    return None
