"""What is pictured: the window at five places of the main job."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tests.ui.pictures.sitting import Sitting, sitting
from tests.ui.window.fakes import LOCKED, PIXEL, FakeWork, run_events, run_summary
from workbench.app.session import FinishedRun
from workbench.core.budget import judge_budget
from workbench.core.run import Budget
from workbench.ui.settings import Recent, Settings
from workbench.ui.step import Step

WRONG: Final = "/block1/conv/Conv_output_0"
BUDGET: Final = Budget(p90_ms=1.35, peak_kb=24_000)
_RECENT: Final = (
    Recent("~/audio/silero-vad.onnx", "2024-03-05T11:05:00", "wrong", None, 1_250_000),
    Recent("~/ocr/detector.onnx", "2024-02-26T09:12:00", "ok", 38.5, 4_750_000),
)


@dataclass(frozen=True, slots=True)
class Scene:
    """``masks``: what belongs to this machine, in pixels of the picture."""

    name: str
    image: QImage
    masks: tuple[QRect, ...]


def take(app: QApplication, theme: str) -> tuple[Scene, ...]:
    """Every scene in a theme, in English."""
    fake = FakeWork(wrong=(WRONG,), devices=(PIXEL, LOCKED))
    with sitting(app, theme, "en", fake, Settings(theme=theme, language="en", recent=_RECENT)) as sitter:
        sitter.shell.session.choose_device(PIXEL.serial)
        return tuple(_taken(sitter, f"{name}-{theme}", show) for name, show in _SCENES.items())


def take_chinese(app: QApplication) -> Scene:
    """The check in Chinese, light."""
    fake = FakeWork(wrong=(WRONG,), devices=(PIXEL,))
    with sitting(app, "light", "zh_CN", fake, Settings(theme="light", language="zh_CN")) as sitter:
        return _taken(sitter, "check-zh", _check)


def _taken(sitter: Sitting, name: str, show: Callable[[Sitting], None]) -> Scene:
    show(sitter)
    strip = sitter.place(sitter.window.strip)
    versions = QRect(strip.center().x(), strip.y(), strip.width() // 2 + 1, strip.height())
    return Scene(name, sitter.picture(), (versions,))


def _start(sitter: Sitting) -> None:
    sitter.window.show_start()


def _check(sitter: Sitting) -> None:
    sitter.window.open_path("/models/digits.onnx")
    sitter.wait(lambda: sitter.shell.session.state.selection == (WRONG,))


def _quantize(sitter: Sitting) -> None:
    sitter.window.show_step(Step.QUANTIZE)
    sitter.shell.session.select(("/block0/conv/Conv_output_0", "/block2/conv/Conv_output_0"))
    sitter.window.run_command("bits-4")


def _run(sitter: Sitting) -> None:
    session, flow = sitter.shell.session, sitter.shell.flow
    session.set_run_config(replace(session.state.run_config, budget=BUDGET, threads=4))
    summary = replace(run_summary(), budget=judge_budget(BUDGET, run_summary()))
    session.add_run(FinishedRun("14", PIXEL, session.state.plan, summary, Path("gone.jsonl")))
    sitter.window.show_step(Step.RUN)
    flow.run_title, flow.live_events = "digits.mnn, 14:32", list(run_events())
    sitter.window.replay_run()
    sitter.window.run_page.charts.view.set_cursor_time(None)


def _report(sitter: Sitting) -> None:
    sitter.window.run_command("convert")
    sitter.wait(lambda: sitter.shell.session.state.artifact is not None)
    sitter.window.show_step(Step.REPORT)


_SCENES: Final[dict[str, Callable[[Sitting], None]]] = {
    "start": _start,
    "check": _check,
    "quantize": _quantize,
    "run": _run,
    "report": _report,
}
