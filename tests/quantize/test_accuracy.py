"""Labels that a model gets right, by the reference and by the engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.engines.mnn.onnx_models import node, save
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, EngineError
from workbench.core.metric import Accuracy
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted
from workbench.quantize.accuracy import artifact_accuracy, reference_accuracy

LABELS = np.array([0, 1, 2, 3, 0])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Scores that are the negated input, so the least value names the label."""
    return save(tmp_path / "model.onnx", [node("Neg", ["x"], ["y"])], {}, {"x": ("n", 4)}, {"y": ("n", 4)})


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """Five samples, of which the last is labelled wrongly."""
    x = np.ones((5, 4), np.float32)
    x[range(5), [0, 1, 2, 3, 1]] = -1.0
    np.savez(tmp_path / "samples.npz", x=x, label=LABELS)
    return tmp_path / "samples.npz"


def test_the_reference_gets_four_of_five(source: Path, samples: Path, workers: Workers) -> None:
    found = reference_accuracy("onnxruntime", source, samples, workers, Quiet())
    assert found == Accuracy("onnxruntime", correct=4, total=5)
    assert found.percent == 80.0


@pytest.mark.parametrize("conditions", [(), ("path=session", "winograd=off")])
def test_the_engine_gets_the_same(
    source: Path, samples: Path, workers: Workers, opened, tmp_path: Path, conditions: tuple[str, ...]
) -> None:
    model = opened(source)
    (tmp_path / "made").mkdir()
    made = convert_model(model, source, QuantPlan(), tmp_path / "made", workers, Quiet())
    assert isinstance(made, Converted)
    found = artifact_accuracy("MNN", made.path, model.graph, conditions, samples, workers, Quiet())
    assert found == Accuracy("MNN", correct=4, total=5)


def test_samples_without_labels_or_of_another_count_are_bad_input(
    source: Path, workers: Workers, tmp_path: Path
) -> None:
    x = np.ones((5, 4), np.float32)
    np.savez(tmp_path / "no_labels.npz", x=x)
    np.savez(tmp_path / "other_count.npz", x=x, label=LABELS[:3])
    (tmp_path / "no_archive.npz").write_bytes(b"hello")
    for name in ("no_labels", "other_count", "no_archive", "missing"):
        with pytest.raises(BadInput) as caught:
            reference_accuracy("onnxruntime", source, tmp_path / f"{name}.npz", workers, Quiet())
        assert caught.value.where == str(tmp_path / f"{name}.npz")


def test_a_model_that_does_not_run_is_an_engine_error(samples: Path, workers: Workers, tmp_path: Path) -> None:
    (tmp_path / "broken.onnx").write_bytes(b"no model")
    with pytest.raises(EngineError, match="could not be measured") as caught:
        reference_accuracy("onnxruntime", tmp_path / "broken.onnx", samples, workers, Quiet())
    assert caught.value.hint is not None
