from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench.app import actions
from workbench.app.samples import digits
from workbench.app.services import Services
from workbench.core.graph import Graph, Initializer
from workbench.core.steps import Quiet

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("dtype", "counted"),
    [
        ("float32", 6),
        ("float16", 6),
        ("bfloat16", 6),
        ("float64", 6),
        ("int8", 6),
        ("uint4", 6),
        ("int64", 0),
        ("bool", 0),
    ],
)
def test_parameters_are_weights_as_the_file_has_them(dtype: str, counted: int) -> None:
    graph = Graph("", "", (), (), (), (Initializer("w", dtype, (2, 3), 24),), {})
    assert graph.parameters == counted


def test_the_texts_count_the_samples_parameters_as_the_program_does(services: Services) -> None:
    counted = f"{actions.open_model(digits().model, services, Quiet()).model.graph.parameters:,}"
    for file in (ROOT / "README.md", digits().model.with_name("README.md")):
        assert re.findall(r"([0-9,]+) parameters", file.read_text(encoding="utf-8")) == [counted]
