"""What the rail and the status strip say, from the state."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from workbench.app.session import State
from workbench.core.messages import plain
from workbench.core.plan import QuantPlan
from workbench.ui.jobbook import JobKind
from workbench.ui.numbers import bytes_text, count_text
from workbench.ui.rail import StepState
from workbench.ui.step import Step
from workbench.ui.text import tr
from workbench.ui.work import Work

UNSAVED: Final = "\N{BULLET} "
"""Before the title of what no project keeps as it is."""


def step_states(state: State) -> dict[Step, StepState]:
    """Which steps are open, done, or need somebody."""
    if state.model is None:
        return dict.fromkeys(Step, StepState())
    bad = sum(verdict.status.is_bad for verdict in state.verdicts.values())
    wrong_runs = sum(run.summary.outputs is not None and not run.summary.outputs.right for run in state.runs[-1:])
    return {
        Step.MODEL: StepState(is_open=True, is_done=True),
        Step.CHECK: StepState(is_open=True, is_done=state.is_ready, count=bad),
        Step.QUANTIZE: StepState(is_open=True, is_done=state.plan.changes_weights),
        Step.CONVERT: StepState(is_open=True, is_done=state.artifact_is_current),
        Step.RUN: StepState(is_open=True, is_done=bool(state.runs), count=wrong_runs),
        Step.REPORT: StepState(is_open=True),
    }


def status_facts(state: State, work: Work, ops: int) -> tuple[str, ...]:
    """Versions, the model in short, and what is at work. ``ops``: operators of the model."""
    from importlib.metadata import version

    from workbench.engines.mnn.version import ENGINE_NAME, engine_version

    facts = [f"{ENGINE_NAME} {engine_version()}"]
    if state.report is not None:
        facts.append(tr("Reference: onnxruntime {version}", version=version("onnxruntime")))
    for kind, text in (
        (JobKind.CONVERT, tr("Converting")),
        (JobKind.CHECK, tr("Checking")),
        (JobKind.OPEN, tr("Opening")),
    ):
        record = work.live(kind)
        if record is not None:
            share = f", {record.fraction:.0%}".replace("%", " %") if record.fraction is not None else ""
            facts.append(text + share)
    if state.model is not None:
        facts.append(tr("{n} ops, {size}", n=count_text(ops), size=bytes_text(state.model.bytes)))
    return tuple(facts)


def window_title(state: State, *, unsaved: bool) -> str:
    """The model or project, and the program: what task bars show."""
    if state.model is None:
        return "Workbench"
    name = state.project.stem if state.project is not None else Path(state.model.path).name
    mark = UNSAVED if unsaved else ""
    return f"{mark}{plain(name)} \N{EM DASH} Workbench"


def path_of(state: State) -> tuple[str, str, str]:
    """Project, model and plan for the breadcrumb, "" where there is none."""
    if state.model is None:
        return "", "", ""
    project = state.project.stem if state.project is not None else ""
    return project, Path(state.model.path).name, plan_word(state)


def plan_word(state: State, plan: QuantPlan | None = None) -> str:
    """A plan in a chip: "Float", "8 bit", "Mixed: 8, 4 bit". ``plan`` None: the one of ``state``."""
    plan = state.plan if plan is None else plan
    bits = sorted({plan.of(node).bits for node in state.layers}, reverse=True)
    words = [tr("float") if one == 0 else str(one) for one in bits]
    if bits in ([], [0]):
        return tr("Float, fp16") if plan.half_floats else tr("Float")
    if len(bits) == 1:
        return tr("{bits} bit", bits=words[0])
    numbers = [word for word, one in zip(words, bits, strict=True) if one]
    if 0 in bits:
        return tr("Mixed: {bits} bit and float", bits=", ".join(numbers))
    return tr("Mixed: {bits} bit", bits=", ".join(numbers))
