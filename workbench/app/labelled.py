"""Accuracy where labels are known: of the models that come with Workbench."""

from __future__ import annotations

import filecmp
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.app.samples import Sample, all_samples
from workbench.core.metric import Accuracy

if TYPE_CHECKING:
    from workbench.app.actions import Opened
    from workbench.app.services import Services
    from workbench.core.artifact import Artifact
    from workbench.core.steps import Context


def sample_of(model: Path) -> Sample | None:
    """The sample that ``model`` is, or is a copy of; None for other models: no labels are known for them."""
    if not model.is_file():
        return None
    return next((sample for sample in all_samples() if filecmp.cmp(sample.model, model, shallow=False)), None)


def accuracies(
    opened: Opened, artifacts: tuple[Artifact, ...], samples: Path, services: Services, ctx: Context
) -> tuple[Accuracy, ...]:
    """Of the float model by the reference, then of each artifact by the engine. Raises BadInput, EngineError.

    ``samples``: .npz with the model's inputs and ``label``.
    """
    from workbench.quantize.accuracy import artifact_accuracy, reference_accuracy

    reference = reference_accuracy("onnxruntime, float", Path(opened.model.path), samples, services.workers, ctx)
    return (
        reference,
        *(
            artifact_accuracy(
                f"MNN, {artifact.plan.default.label}",
                Path(artifact.path),
                opened.model.graph,
                artifact.conditions,
                samples,
                services.workers,
                ctx,
            )
            for artifact in artifacts
        ),
    )
