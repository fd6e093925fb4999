"""Every case through ``convert``, its yes judged by a runner that shares no code with the workbench."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cases.independent import TOLERANCE, judged_in
from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer
from workbench.engines.check import check
from workbench.engines.convert import ConvertReport, convert
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx

CASES = Path(__file__).parents[1] / "data" / "cases"
PRICE = 0.2

W8 = QuantPlan(LayerQuant(8))
PLANS = {
    "34-convtranspose-bn-w8": W8,
    "35-w8-outlier-channel": W8,
    "36-w8-flag-asymmetric-semantics": W8,
    "37-fp16-weight-overflow": QuantPlan(half_floats=True),
    "53-w8-step-below-1e-6": W8,
    "54-w8-step-below-1e-6-hqq": QuantPlan(LayerQuant(8), hqq=True),
}

BAD = {
    "62-external-data-missing",
    "64-external-data-traversal",
    "65-truncated-protobuf",
    "66-lfs-pointer-as-onnx",
    "68-dangling-input",
    "69-cyclic-graph",
}
BAD_WITH_ITS_INPUTS = {"27-baked-reshape-other-size"}


@dataclass(frozen=True)
class No:
    """What the workbench must answer: the verdict, and the id of the node at fault (None: no single one)."""

    answer: Answer
    node: str | None = None


NOS = {
    "01-lstm-seq-batch1-state": No(Answer.WRONG, "y"),
    "02-lstm-fused-unsqueeze-seq": No(Answer.WRONG, "y"),
    "04-gru-linear-before-reset-seqlens": No(Answer.WRONG, "y0"),
    "06-if-lstm-in-branch": No(Answer.WRONG, "out"),
    "09-dynquant-convinteger": No(Answer.UNSUPPORTED),
    "10-qdq-conv-perchannel-uint8-act": No(Answer.WRONG, "xq"),
    "12-isnan-where": No(Answer.UNSUPPORTED),
    "13-contrib-skip-layernorm": No(Answer.UNSUPPORTED),
    "15-opset23-attention-rmsnorm": No(Answer.UNSUPPORTED),
    "17-local-function": No(Answer.UNSUPPORTED),
    "18-custom-domain-op": No(Answer.UNSUPPORTED),
    "19-int64-overflow": No(Answer.WRONG, "s"),
    "24-int-div-mod-negative": No(Answer.WRONG, "fm"),
    "25-cast-float-int-edge": No(Answer.WRONG, "bo"),
    "30-empty-tensor-nonzero": No(Answer.WRONG, "v"),
    "31-topk-ties-gather": No(Answer.WRONG, "v"),
    "38-resize-modes": No(Answer.WRONG, "y3"),
    "43-gridsample-bicubic-reflection": No(Answer.WRONG, "b"),
    "44-scatternd-negative-index": No(Answer.WRONG, "b"),
    "48-maxpool-dilated": No(Answer.CRASH, "y"),
}
# Wrong memory is read: the same model crashes, or comes out wrong, or comes out right by luck.
UNDEFINED = {"50-pad-negative-crop", "51-lstm-single-output"}
# MNN's weights are not the plan's (34: the rows of a ConvTranspose; 53: steps below 1e-6), or the plan costs
# too much (35: an outlier takes all the bits; 37: halves end at 65504).
PLAN_NOS = {
    "34-convtranspose-bn-w8",
    "35-w8-outlier-channel",
    "37-fp16-weight-overflow",
    "53-w8-step-below-1e-6",
}
# What a plan costs depends on the data: only this case's own inputs leave the outliers' columns empty.
COSTLY_ON_ITS_INPUTS = {"35-w8-outlier-channel"}
# Right on their own inputs; made-up ones find a fault: 07 crops below the first row, 47 has Softplus at 100.
NO_WITHOUT_ITS_INPUTS = {"07-if-outer-scope-capture", "47-hardsigmoid-alpha"}

ALL = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())


def converted(name: str, out: Path, workers: Workers, *, given: bool) -> ConvertReport:
    path = CASES / name / "model.onnx"
    model = open_onnx(path, workers, Quiet())
    inputs = path.parent / "inputs.npz" if given else None
    plan = PLANS.get(name, QuantPlan())
    return convert(model, path, plan, out, contracts_of(model), workers, Quiet(), given=inputs)


def assert_true(report: ConvertReport, out: Path, name: str) -> None:
    """A yes has a file whose numbers are right; a no has no file."""
    if not report.ok:
        assert not out.exists()
        return
    answer = judged_in(CASES / name, out, report.conditions)
    assert answer["fault"] == "", answer
    if name in PLANS:
        assert float(str(answer["l2"])) <= PRICE, answer
    else:
        assert float(str(answer["error"])) <= TOLERANCE, answer


@pytest.mark.parametrize("given", [True, False], ids=["with its inputs", "without"])
@pytest.mark.parametrize("name", ALL)
def test_a_yes_is_true_and_a_no_is_as_expected(name: str, given: bool, workers: Workers, tmp_path: Path) -> None:
    out = tmp_path / "out.mnn"
    if name in BAD or (given and name in BAD_WITH_ITS_INPUTS):
        with pytest.raises(BadInput):
            converted(name, out, workers, given=given)
        assert list(tmp_path.iterdir()) == []
        return
    report = converted(name, out, workers, given=given)
    if name in BAD_WITH_ITS_INPUTS:
        assert report.shapes == {"x": (1, 3, 8, 8)}
        return
    if not given and name in COSTLY_ON_ITS_INPUTS:
        assert report.ok
        return
    assert_true(report, out, name)
    if name in UNDEFINED:
        return
    no = name in NOS or name in PLAN_NOS or (not given and name in NO_WITHOUT_ITS_INPUTS)
    assert report.ok is not no, str(report.reason)
    if name in NOS:
        assert report.verdict is NOS[name].answer
        assert report.verification is None or report.verification.first_diverging_node == NOS[name].node


@pytest.mark.parametrize("name", sorted(NOS))
def test_the_node_at_fault_is_named_with_a_reason(name: str, workers: Workers) -> None:
    path = CASES / name / "model.onnx"
    model = open_onnx(path, workers, Quiet())
    report = check(model, path, contracts_of(model), workers, Quiet(), given=path.parent / "inputs.npz")
    assert report.verdict is NOS[name].answer
    assert report.first_diverging_node == NOS[name].node
    at_fault = [verdict for verdict in report.nodes if verdict.reason is not None]
    assert at_fault
    assert {verdict.node for verdict in report.nodes} == {node.id for node in model.graph.all_nodes()}
    assert NOS[name].node is None or NOS[name].node in {verdict.node for verdict in at_fault}


def test_a_model_under_a_path_of_other_alphabets_is_converted(workers: Workers, tmp_path: Path) -> None:
    (path,) = (CASES / "71-unicode-space-path").glob("*/*.onnx")
    folder = tmp_path / "模型 папка é"
    folder.mkdir()
    model = open_onnx(path, workers, Quiet())
    out = folder / "out 模型.mnn"
    report = convert(model, path, QuantPlan(), out, contracts_of(model), workers, Quiet())
    assert_true(report, out, "71-unicode-space-path")
    assert report.ok


def test_every_case_has_its_place() -> None:
    named = {
        *NOS,
        *BAD,
        *BAD_WITH_ITS_INPUTS,
        *UNDEFINED,
        *PLAN_NOS,
        *NO_WITHOUT_ITS_INPUTS,
        *COSTLY_ON_ITS_INPUTS,
        *PLANS,
    }
    assert named <= set(ALL)
    assert len(ALL) == 57
