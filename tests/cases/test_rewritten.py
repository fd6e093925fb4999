"""Cases that are not right as they are and have an exact remedy: right after ``convert --rewrite``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cases.independent import judged_in
from tests.cases.test_cases import CASES
from tests.real_models import real_model
from workbench.children.workers import Workers
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.convert import ConvertReport, convert
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx
from workbench.rewrites.gate import remedy

CLOSE = 1e-5
RULES = {
    "01-lstm-seq-batch1-state": "recurrent/loop",
    "02-lstm-fused-unsqueeze-seq": "recurrent/loop",
    "04-gru-linear-before-reset-seqlens": "recurrent/unrolled",
    "06-if-lstm-in-branch": "recurrent/loop",
    "09-dynquant-convinteger": "quantized/dynamic",
    "10-qdq-conv-perchannel-uint8-act": "quantized/quantize",
    "12-isnan-where": "compare/is-nan",
    "13-contrib-skip-layernorm": "contrib/skip-normalization",
    "15-opset23-attention-rmsnorm": "functions/body",
    "24-int-div-mod-negative": "arithmetic/mod",
    "25-cast-float-int-edge": "compare/to-bool",
    "48-maxpool-dilated": "pooling/max",
    "50-pad-negative-crop": "indices/pad",
    "51-lstm-single-output": "recurrent/outputs",
}


def rewritten(path: Path, given: Path | None, out: Path, workers: Workers) -> ConvertReport:
    model = open_onnx(path, workers, Quiet())
    return convert(model, path, QuantPlan(), out, contracts_of(model), workers, Quiet(), given=given, remedy=remedy)


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_case_is_right_once_rewritten(name: str, workers: Workers, tmp_path: Path) -> None:
    out = tmp_path / "out.mnn"
    report = rewritten(CASES / name / "model.onnx", CASES / name / "inputs.npz", out, workers)
    assert report.ok, str(report.reason)
    assert RULES[name] in {rewrite.rule for rewrite in report.rewrites}
    answer = judged_in(CASES / name, out, report.conditions)
    assert answer["fault"] == "", answer
    assert float(str(answer["error"])) <= CLOSE, answer


def test_magika_keeps_the_digits_of_its_activations(workers: Workers, tmp_path: Path) -> None:
    report = rewritten(real_model("magika"), None, tmp_path / "out.mnn", workers)
    assert report.ok, str(report.reason)
    assert "arithmetic/tanh-plus-one" in {rewrite.rule for rewrite in report.rewrites}


def test_silero_over_any_number_of_frames(workers: Workers, tmp_path: Path) -> None:
    """The engine takes the sequence of its LSTM for a batch."""
    random = np.random.default_rng(0)
    given = tmp_path / "given.npz"
    states = {name: np.zeros((1, 1, 128), np.float32) for name in ("h", "c")}
    np.savez(given, input=(random.standard_normal((31, 576)) * 0.1).astype(np.float32), **states)
    report = rewritten(real_model("silero_vad_16k_sequence"), given, tmp_path / "out.mnn", workers)
    assert report.ok, str(report.reason)
    assert "recurrent/loop" in {rewrite.rule for rewrite in report.rewrites}
    assert report.conditions == ("path=module",)
