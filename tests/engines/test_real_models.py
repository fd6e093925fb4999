"""Models in public use: what must be a yes, judged by an independent runner at a size in use, and what must be a no."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from tests.cases.independent import TOLERANCE, judged_in
from tests.real_models import real_model
from workbench.children.workers import Workers
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer, Status
from workbench.engines.check import check
from workbench.engines.convert import convert
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx

RANDOM = np.random.default_rng(7)


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


YES = {
    "ppocr_det": {"x": normal(1, 3, 320, 480)},
    "ppocr_rec": {"x": normal(2, 3, 48, 320)},
    "ppocr_cls": {"x": normal(1, 3, 48, 192)},
    "silero_vad": {"input": 0.1 * normal(1, 576), "state": normal(2, 1, 128), "sr": np.array(16000)},
    "basic_pitch": {"serving_default_input_2:0": 0.3 * normal(1, 43844, 1)},
}


def case_folder(folder: Path, source: Path, feeds: dict[str, np.ndarray]) -> Path:
    """Inputs and onnxruntime's outputs, as the independent judge reads them."""
    folder.mkdir()
    session = onnxruntime.InferenceSession(source, providers=["CPUExecutionProvider"])
    outputs = [output.name for output in session.get_outputs()]
    np.savez(folder / "inputs.npz", **{f"in{number}": array for number, array in enumerate(feeds.values())})
    expected = session.run(outputs, feeds)
    np.savez(folder / "expected.npz", **{f"out{number}": array for number, array in enumerate(expected)})
    (folder / "names.json").write_text(json.dumps({"inputs": list(feeds), "outputs": outputs}))
    return folder


@pytest.mark.parametrize("name", YES)
def test_a_model_in_use_is_converted_and_right_at_a_size_in_use(name: str, workers: Workers, tmp_path: Path) -> None:
    source, out = real_model(name), tmp_path / "out.mnn"
    model = open_onnx(source, workers, Quiet())
    report = convert(model, source, QuantPlan(), out, contracts_of(model), workers, Quiet())
    assert report.ok, str(report.reason)
    figure = report.verification.engine if report.verification else None
    assert figure is not None
    assert (figure.sizes, figure.right) == (2, True)
    assert figure.inputs >= 9
    answer = judged_in(case_folder(tmp_path / "case", source, YES[name]), out, report.conditions)
    assert answer["fault"] == ""
    assert float(str(answer["error"])) <= TOLERANCE


def test_a_classifier_of_bytes_that_is_right_on_most_inputs_is_wrong(workers: Workers) -> None:
    source = real_model("magika")
    model = open_onnx(source, workers, Quiet())
    report = check(model, source, contracts_of(model), workers, Quiet())
    assert report.verdict is Answer.WRONG
    figure = report.verification.engine if report.verification else None
    assert figure is not None
    assert figure.max_rel_error > 0.1
    (culprit,) = (verdict for verdict in report.nodes if verdict.status is Status.WRONG)
    assert culprit.node == report.first_diverging_node
    assert culprit.node.endswith("ApplyActivation_1/AddV2_1:0")
    assert "by itself" in str(culprit.reason)


def test_a_recurrent_model_that_takes_its_sequence_for_the_batch_is_wrong(workers: Workers) -> None:
    source = real_model("silero_vad_16k_sequence")
    model = open_onnx(source, workers, Quiet())
    report = check(model, source, contracts_of(model), workers, Quiet())
    assert report.verdict is Answer.WRONG
    (culprit,) = (verdict for verdict in report.nodes if verdict.status is Status.WRONG)
    assert culprit.op == "LSTM"
    assert "sequence for the batch" in str(culprit.reason)
    assert culprit.node == report.first_diverging_node


def test_a_dynamically_quantized_model_is_unsupported_with_its_nodes(workers: Workers) -> None:
    source = real_model("ddddocr_old")
    model = open_onnx(source, workers, Quiet())
    report = check(model, source, contracts_of(model), workers, Quiet())
    assert report.verdict is Answer.UNSUPPORTED
    unsupported = {verdict.op for verdict in report.nodes if verdict.status is Status.UNSUPPORTED}
    assert unsupported == {"ConvInteger", "MatMulInteger", "DynamicQuantizeLSTM"}
