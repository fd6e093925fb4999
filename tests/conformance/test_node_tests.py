"""ONNX node tests through ``convert``, without inputs of the user's; a yes is judged by an engine of its own.

A fixed sample here; every test in every form with ``make soak``; ``python -m tests.conformance`` for tables.
"""

from __future__ import annotations

import pytest

from tests.conformance import suite
from tests.conformance.forms import FORMS
from tests.conformance.trial import Result
from workbench.children.workers import Workers

PART = 30
SOAKED = 60
APPLICABLE = 1651  # of onnx 1.23's 1,884


def told(results: tuple[Result, ...]) -> list[str]:
    return [f"{result.name} ({result.form}): {'; '.join(result.faults)}" for result in results if result.is_lie]


@pytest.mark.parametrize("part", range(suite.SAMPLE // PART))
def test_a_yes_is_true(part: int, workers: Workers) -> None:
    """Each part in one form: as the test is, with constant parameters, with open axes."""
    names = suite.sample(suite.chosen(), suite.SAMPLE, suite.SEED)[part * PART : (part + 1) * PART]
    form = tuple(FORMS)[part % len(FORMS)]
    results = suite.run(names, form, workers)
    assert len(results) == PART
    assert any(result.yes for result in results)
    assert told(results) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("part", range(-(-APPLICABLE // SOAKED)))
def test_every_yes_is_true(part: int, form: str, workers: Workers) -> None:
    names = suite.chosen()
    assert len(names) >= APPLICABLE
    assert told(suite.run(names[part * SOAKED : (part + 1) * SOAKED], form, workers)) == []
