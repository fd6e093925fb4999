"""How long the window is held up on the way from a model to a run. Prints one JSON line.

    python -m tests.benchmarks.slots [NODES]

The window as users have it, its steps replaced: a model of ``NODES`` operators (1,000) is opened, checked,
selected from, filtered, quantized, converted and run at 1 kHz; steps, theme and language change. ``p99_ms``
and ``max_ms`` are of the turns of the event loop, in processor time of the window's thread; turns under 0.1 ms,
in which nothing happened, are left out. ``worst``: the longest with the part of the way that they belong to,
and the function they were most often found in. Wanted are p99 16 ms and none over 50 ms.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QT_NO_GLIB"] = "1"  # Qt's own loop tells when it has done a turn

import psutil
from PySide6.QtCore import QAbstractEventDispatcher, QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.benchmarks.live_charts import events
from tests.ui.graph.models import transformer
from tests.ui.window.fakes import FakeWork, run_summary
from workbench.app.actions import Feed, Opened
from workbench.core.graph import Model
from workbench.core.run import RunConfig, RunSummary
from workbench.core.statistics import quantile
from workbench.core.steps import Context
from workbench.ui.app import Shell
from workbench.ui.dialogs import Dialogs, Keep
from workbench.ui.step import Step
from workbench.ui.theme.apply import make_application

_NODES = 1000
_NODES_A_LAYER = 52
_LIVE_S = 5.0
_SAMPLING_S = 0.002
_WORST = 24
_POLL_MS = 20
_TURN_MS = 0.1
_P99_WANTED_MS, _MOST_WANTED_MS = 16.0, 50.0


@dataclass(slots=True)
class Turn:
    """One turn of the event loop. ``place``: the function of ours that it was most often seen in."""

    part: str
    ms: float
    place: str


class Turns(QObject):
    """Turns of the loop of the thread that makes it, which must run ``exec``; timers and what they post are one.

    In processor time: the loop does not tell when it wakes, and on a busy computer the rest is waiting for a
    processor. An override of QApplication.notify would tell events apart, but goes through Python for each of
    the thousands that a style sheet sends.
    """

    def __init__(self) -> None:
        super().__init__()
        self.part = "start"
        self.all: list[Turn] = []
        self._seen: Counter[str] = Counter()
        self._busy = time.thread_time()
        self._done = threading.Event()
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.aboutToBlock.connect(self._end)
        dispatcher.awake.connect(self._end)
        self._thread = threading.Thread(target=self._sample, args=(threading.get_ident(),), daemon=True)
        self._thread.start()

    def _end(self) -> None:
        now = time.thread_time()
        place = self._seen.most_common(1)[0][0] if self._seen else ""
        self.all.append(Turn(self.part, 1000 * (now - self._busy), place))
        self._seen = Counter()
        self._busy = time.thread_time()

    def _sample(self, window: int) -> None:
        while not self._done.wait(_SAMPLING_S):
            self._seen[_place(sys._current_frames().get(window))] += 1

    def stop(self) -> None:
        self._done.set()
        self._thread.join()


def _place(frame: FrameType | None) -> str:
    """The innermost function of the program's."""
    while frame is not None:
        _, inside, name = frame.f_code.co_filename.rpartition("workbench/")
        if inside:
            return f"{name}:{frame.f_lineno} {frame.f_code.co_qualname}"
        frame = frame.f_back
    return "Qt"


class LiveWork(FakeWork):
    """A run at 1 kHz, in batches as an agent sends them."""

    def _run(self, artifact: Path, serial: str, config: RunConfig, feed: Feed, save: Path, ctx: Context) -> RunSummary:
        began, sent = time.perf_counter(), 0.0
        batch = []
        for due, event in events(_LIVE_S):
            batch.append(event)
            if due - sent >= 0.02:
                sent = due
                time.sleep(max(0.0, began + due - time.perf_counter()))
                ctx.samples(tuple(batch))
                batch = []
        return run_summary()


def opened(nodes: int) -> Opened:
    graph = transformer(max(1, nodes // _NODES_A_LAYER))
    weights = {weight.name for weight in graph.initializers}
    layers = tuple(n.id for n in graph.all_nodes() if n.op in ("MatMul", "Gemm") and weights & set(n.inputs))
    return Opened(Model("/models/large.onnx", "onnx", 200_000_000, "pytorch", {"": 17}, graph), (), layers)


def way(turns: Turns, shell: Shell, model: Opened) -> Iterator[Callable[[], object] | float]:
    """The way, part by part: a condition to wait for, or seconds to rest."""
    shell.show()
    yield lambda: shell.window.is_furnished
    yield 1.0
    window, session = shell.window, shell.session
    turns.part = "open"
    window.open_path(model.model.path)
    yield lambda: session.state.report is not None
    yield 2.0
    turns.part = "select"
    nodes = [node.id for node in model.model.graph.all_nodes()]
    for node in (nodes[3], nodes[len(nodes) // 2], nodes[-1]):
        session.select((node,))
        yield 0.5
    turns.part = "select layers"
    session.select(model.layers)
    yield 0.8
    turns.part = "bits"
    for command in ("bits-8", "bits-4", "undo"):
        window.run_command(command)
        yield 0.5
    session.select(())
    yield 0.3
    turns.part = "filter"
    window.run_command("find")
    for letter in "mat":
        QTest.keyClicks(QApplication.focusWidget() or window, letter)
        yield 0.4
    for _ in "mat":
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Backspace)
        yield 0.3
    turns.part = "graph"
    view = window.workspace.graph_page.graph
    for number in range(30):
        view.pan(7 if number % 2 else -7, 9)
        yield 0.02
    for number in range(30):
        view.set_zoom(view.camera().zoom * (1.1 if number < 15 else 1 / 1.1))
        yield 0.02
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(view.width() // 2, view.height() // 2))
    yield 0.4
    for step in (Step.QUANTIZE, Step.CONVERT, Step.RUN, Step.REPORT, Step.CHECK):
        turns.part = f"step {step}"
        window.show_step(step)
        yield 0.5
    turns.part = "convert"
    window.run_command("convert")
    yield lambda: session.state.artifact is not None
    yield 0.5
    turns.part = "run"
    session.choose_device("39211FDJH0")
    window.show_step(Step.RUN)
    yield 0.5
    window.run_command("run")
    yield lambda: session.state.runs
    yield 0.5
    for name in ("theme-dark", "theme-light", "language-zh_CN"):
        turns.part = name
        window.run_command(name)
        yield 1.0


def walk(app: QApplication, pieces: Iterator[Callable[[], object] | float]) -> None:
    """Go the way from the loop, as a person's clicks come."""

    def go_on() -> None:
        piece = next(pieces, None)
        if piece is None:
            app.quit()
        elif callable(piece):
            wait_for(piece)
        else:
            QTimer.singleShot(round(1000 * piece), go_on)

    def wait_for(condition: Callable[[], object]) -> None:
        if condition():
            go_on()
        else:
            QTimer.singleShot(_POLL_MS, lambda: wait_for(condition))

    QTimer.singleShot(0, go_on)
    app.exec()


def main() -> int:
    """Measure and print."""
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else _NODES
    app = make_application(sys.argv[0])
    model = opened(nodes)
    nobody = Dialogs(lambda *_: None, lambda *_: None, lambda *_: None, lambda *_: None, lambda *_: Keep.DISCARD)
    turns = Turns()
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"WORKBENCH_HOME": home, "WORKBENCH_LANGUAGE": "en", "ANDROID_ADB_SERVER_PORT": "1"}
        shell = Shell(app, LiveWork(opened=model).actions(), nobody, Path(home) / "window.json")
        turns.all.clear()
        walk(app, way(turns, shell, model))
        shell.close()
    turns.stop()
    ms = sorted(turn.ms for turn in turns.all if turn.ms > _TURN_MS)
    p99, most = quantile(ms, 0.99), ms[-1]
    worst = sorted(turns.all, key=lambda turn: -turn.ms)[:_WORST]
    good = p99 <= _P99_WANTED_MS and most <= _MOST_WANTED_MS
    answer = {
        "benchmark": "slots",
        "nodes": len(model.model.graph.nodes),
        "turns": len(ms),
        "p50_ms": round(quantile(ms, 0.5), 2),
        "p99_ms": round(p99, 1),
        "max_ms": round(most, 1),
        "over_16_ms": sum(value > _P99_WANTED_MS for value in ms),
        "over_50_ms": sum(value > _MOST_WANTED_MS for value in ms),
        "load_average": round(psutil.getloadavg()[0], 1),
        "worst": [f"{turn.ms:.0f} ms, {turn.part}: {turn.place}" for turn in worst],
        "ok": good,
    }
    print(json.dumps(answer))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
