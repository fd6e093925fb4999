"""Models in public use that must be a no, with the node at fault. The whole way: ``tests/end_to_end``."""

from __future__ import annotations

from tests.real_models import real_model
from workbench.children.workers import Workers
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer, Status
from workbench.engines.check import check
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx


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
