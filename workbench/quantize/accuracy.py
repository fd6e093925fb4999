"""Top-1 accuracy on labelled samples: what a plan costs in the terms of the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import Limits
from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, EngineError
from workbench.core.graph import Graph
from workbench.core.messages import msg
from workbench.core.metric import Accuracy
from workbench.core.steps import Context
from workbench.engines.mnn.run import Setting

_WORKER: Final = "workbench.quantize.accuracy_worker"
_LIMITS: Final = Limits(seconds=600.0)


def reference_accuracy(subject: str, source: Path, samples: Path, workers: Workers, ctx: Context) -> Accuracy:
    """Of the float model by onnxruntime. ``samples``: .npz with the inputs and ``label``. Raises BadInput."""
    request = {"engine": "onnxruntime", "model": str(source.absolute()), "samples": str(samples.absolute())}
    return _counted(subject, request, samples, workers, ctx)


def artifact_accuracy(
    subject: str,
    artifact: Path,
    graph: Graph,
    conditions: Sequence[str],
    samples: Path,
    workers: Workers,
    ctx: Context,
) -> Accuracy:
    """Of a converted model by MNN on this computer, under the artifact's ``conditions``. Raises BadInput."""
    setting = Setting.kept(conditions)
    request = {
        "engine": "mnn",
        "model": str(artifact.absolute()),
        "samples": str(samples.absolute()),
        "inputs": [tensor.name for tensor in graph.inputs],
        "outputs": [tensor.name for tensor in graph.outputs],
        "path": setting.path,
        "winograd": setting.winograd,
        "threads": setting.threads,
    }
    return _counted(subject, request, samples, workers, ctx)


def _counted(subject: str, request: Mapping[str, Any], samples: Path, workers: Workers, ctx: Context) -> Accuracy:
    ctx.progress(None, msg("Measuring accuracy: {subject}", subject=subject))
    with scratch_folder() as folder:
        outcome = workers.run(_WORKER, "count", request, folder, ctx, _LIMITS)
    if outcome.ok:
        return Accuracy(subject, outcome.result["correct"], outcome.result["total"])
    if outcome.refusal == "bad_samples":
        raise BadInput(
            msg("These samples cannot be used: {reason}", reason=outcome.text),
            where=str(samples),
            hint=msg("Give a .npz with the model's inputs and label, one row a sample."),
        )
    raise EngineError(
        msg("The accuracy could not be measured: {reason}", reason=outcome.reason),
        where=subject,
        hint=msg("Check the model first: workbench check."),
    )
