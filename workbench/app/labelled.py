"""Accuracy where labels are known: of the models that come with Workbench."""

from __future__ import annotations

import filecmp
from collections.abc import Mapping
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
    opened: Opened, artifacts: Mapping[str, Artifact], samples: Path, services: Services, ctx: Context
) -> tuple[Accuracy, ...]:
    """Of the float model by the reference, then of each artifact by the engine. Raises BadInput, EngineError.

    ``artifacts``: by what people call them. ``samples``: .npz with the model's inputs and ``label``.
    """
    from workbench.quantize.accuracy import artifact_accuracy, reference_accuracy

    found = [reference_accuracy("onnxruntime, float", Path(opened.model.path), samples, services.workers, ctx)]
    for name, artifact in artifacts.items():
        path, graph = Path(artifact.path), opened.model.graph
        found.append(artifact_accuracy(name, path, graph, artifact.conditions, samples, services.workers, ctx))
    return tuple(found)
