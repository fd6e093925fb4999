"""Channels that a plan destroys, told beside a yes that they do not show in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.engines.models import FLOAT, node, random, write
from workbench.app import actions, documents
from workbench.app.services import Services
from workbench.cli.output import print_reply
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.convert import ConvertReport


def converted(folder: Path, services: Services, *, hqq: bool) -> ConvertReport:
    """All channels of a convolution but one are a millionth of that one, and are added up."""
    weights = random(16, 16, 3, 3)
    weights[1:] *= np.float32(1e-6)
    source = write(
        folder / "m.onnx",
        [node("Conv", ["x", "w"], ["c"], "sum_up"), node("ReduceSum", ["c", "axis"], ["y"], keepdims=1)],
        [("x", FLOAT, [1, 16, 16, 16])],
        [("y", FLOAT, None)],
        {"w": weights, "axis": np.array([1])},
    )
    plan = QuantPlan(LayerQuant(8), hqq=hqq)
    opened = actions.open_model(source, services, Quiet())
    return actions.convert_model(opened, plan, folder / "m.mnn", actions.Feed(), services, Quiet())


def test_channels_that_a_plan_destroys_are_told_in_the_document_and_on_stderr(
    services: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = converted(tmp_path, services, hqq=False)
    assert report.ok, str(report.reason)
    print_reply(documents.convert_reply(report), str, as_json=True)
    printed = capsys.readouterr()
    assert "sum_up: the engine destroys 15 of 16 channels" in printed.err
    assert '"warnings": ["sum_up: the engine destroys 15 of 16 channels' in printed.out


def test_a_plan_that_destroys_nothing_has_no_warnings(
    services: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = converted(tmp_path, services, hqq=True)
    assert report.ok, str(report.reason)
    print_reply(documents.convert_reply(report), str, as_json=True)
    assert capsys.readouterr().err == ""
    assert report.notes == ()
