"""The one main button of each step: what it says and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from workbench.app.session import State
from workbench.core.messages import Message, msg
from workbench.ui.fault import op_at_fault
from workbench.ui.jobbook import JobKind
from workbench.ui.step import Step
from workbench.ui.work import Work

if TYPE_CHECKING:
    from workbench.core.verdict import CheckReport


@dataclass(frozen=True, slots=True)
class MainAction:
    """``command``: the window command it runs, "" where there is nothing to do. ``stops``: it ends something."""

    command: str
    title: Message
    icon: str
    stops: bool = False

    @property
    def is_enabled(self) -> bool:
        return bool(self.command)


_CHECK: Final = MainAction("check", msg("Check"), "shield-check")
_CHECKING: Final = MainAction("", msg("Checking"), "shield-check")
_SHOW_FAULT: Final = MainAction("show-fault", msg("Show the op"), "crosshair")
_FIX: Final = MainAction("fix-all", msg("Fix all"), "wrench")
_QUANTIZE: Final = MainAction("step-quantize", msg("Choose precision"), "sliders-horizontal")
_CONVERT: Final = MainAction("convert", msg("Convert"), "package")
_CONVERTING: Final = MainAction("", msg("Converting"), "package")
_RUN: Final = MainAction("run", msg("Run"), "play")
_NO_DEVICE: Final = MainAction("", msg("Run"), "play")
_STOP: Final = MainAction("stop", msg("Stop"), "square", stops=True)
_STOPPING: Final = MainAction("", msg("Stopping"), "square", stops=True)
_REPORT: Final = MainAction("write-report", msg("Write report"), "file-text")


def main_action(step: Step, state: State, work: Work) -> MainAction:
    """What the main button offers at ``step``."""
    running = work.live(JobKind.RUN)
    if running is not None and step is Step.RUN:
        return _STOPPING if running.is_stopping else _STOP
    if work.live(JobKind.CONVERT) is not None and step in (Step.QUANTIZE, Step.CONVERT, Step.RUN):
        return _CONVERTING
    if step in (Step.MODEL, Step.CHECK) and work.live(JobKind.CHECK) is not None:
        return _CHECKING
    return _resting(step, state)


def _resting(step: Step, state: State) -> MainAction:
    """While nothing of the step is at work."""
    checked = _CHECK if state.report is None else _after_check(state, state.report)
    # Without its rewrites the conversion's answer, which a run needs as well, would be the check's no.
    needs_fix = state.is_rewritable and not state.is_rewriting and not state.artifact_is_current
    convert = _FIX if needs_fix else _CONVERT
    # Without a device the page itself says how to get one.
    run = _RUN if state.chosen_device is not None else _NO_DEVICE
    return {
        Step.MODEL: checked,
        Step.CHECK: checked,
        Step.QUANTIZE: convert,
        Step.CONVERT: _RUN if state.artifact_is_current else convert,
        Step.RUN: _FIX if needs_fix else run,
        Step.REPORT: _REPORT,
    }[step]


def _after_check(state: State, report: CheckReport) -> MainAction:
    return _QUANTIZE if state.is_ready or op_at_fault(report) is None else _SHOW_FAULT
