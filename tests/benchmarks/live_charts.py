"""1,000 runs a second for a minute on the live charts: is any lost, and how long is the window held up?

    python -m tests.benchmarks.live_charts [SECONDS]

A thread produces the events as a run on a phone does, in batches of about 33 ms on the jobs'
queue; the window's pump hands them on. Prints one JSON line: ``lost`` runs, and in milliseconds
the time that single events of Qt took (timers, paints, input), ``slot_p99_ms`` and ``slot_max_ms``;
``own`` of it is processor time of the window's thread: on a busy computer the rest was waiting
for a processor. The mouse moves over the charts all the while, so the crosshair is drawn too.
"""

from __future__ import annotations

import json
import math
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from workbench.app.jobs import JobEvent, Samples
from workbench.core.protocol import Event, Hello, Loaded, Memory, Sample, Stat
from workbench.core.run import Budget
from workbench.core.statistics import quantile
from workbench.ui.live.charts import LiveCharts
from workbench.ui.live.steady import SteadyPanel
from workbench.ui.pump import Pump
from workbench.ui.theme.apply import apply_theme, dress

RATE = 1000
SECONDS = 60
BATCH_S = 0.033
TARGET_MS = 50.0
_BASELINE = Memory(24_000, 24_000)


class TimedApplication(QApplication):
    """Notes how long each event takes that the loop delivers, those inside it included."""

    def __init__(self) -> None:
        super().__init__([])
        self.slots: list[float] = []
        self.own: list[float] = []
        self._depth = 0

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        self._depth += 1
        began, own = time.perf_counter(), time.thread_time()
        try:
            return super().notify(receiver, event)
        finally:
            self._depth -= 1
            if self._depth == 0:
                self.slots.append(1000 * (time.perf_counter() - began))
                self.own.append(1000 * (time.thread_time() - own))


def events(seconds: float) -> Iterator[tuple[float, Event]]:
    """Events with the seconds at which they are due: runs of about 0.9 ms with a long tail, states at 5 Hz."""
    rng = random.Random(1)
    yield 0.0, Hello(1, "bench", "3.6.1", "x86_64", 1, 8, 4096, ("cpu",), (), _BASELINE)
    yield 0.0, Loaded(20.0, "session", "cpu", 4, (), (), Memory(150_000, 150_000))
    for index in range(round(seconds * RATE)):
        t = index / RATE
        if index % (RATE // 5) == 0:
            degrees = 31 + 12 * -math.expm1(-t / 25)
            rss = 150_000 + rng.randrange(2000)
            yield t, Stat(int(t * 1e9), Memory(rss, rss), t, -1, {"cpu-0-0": degrees}, (2_900_000, 1_800_000))
        ms = 0.8 + abs(rng.gauss(0, 0.02)) + (rng.expovariate(5) if rng.random() < 0.03 else 0)
        phase = "first" if index == 0 else "warmup" if index < 100 else "steady"
        yield t, Sample(phase, index, int(t * 1e9), ms, 150_000 + index % 800 if index % 20 == 19 else -1)


def produce(out: queue.SimpleQueue[JobEvent], seconds: float) -> None:
    """Put the events on the queue when they are due, in batches."""
    began = time.perf_counter()
    batch: list[Event] = []
    sent = 0.0
    for due, event in events(seconds):
        batch.append(event)
        if due - sent >= BATCH_S:
            sent = due
            time.sleep(max(0.0, began + due - time.perf_counter()))
            out.put(Samples(1, tuple(batch)))
            batch = []
    out.put(Samples(1, tuple(batch)))


def measure(seconds: float) -> dict[str, object]:
    """Run the charts for ``seconds`` of events."""
    app = TimedApplication()
    apply_theme(app, "light")
    window = QWidget()
    charts = LiveCharts()
    row = QHBoxLayout(window)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(charts, 1)
    row.addWidget(SteadyPanel(charts))
    window.resize(1060, 800)
    dress(window)
    window.show()
    charts.set_budget(Budget(p90_ms=1.0, peak_kb=200_000, heating_c=8.0))
    charts.begin("1,000 runs a second")
    arrived: queue.SimpleQueue[JobEvent] = queue.SimpleQueue()
    taken: list[float] = []
    batches: list[int] = []
    drawn: list[float] = []
    redraw = charts.view.redraw

    def timed_redraw() -> None:
        start = time.perf_counter()
        redraw()
        drawn.append(1000 * (time.perf_counter() - start))

    charts.view.redraw = timed_redraw

    def receive(event: JobEvent) -> None:
        if isinstance(event, Samples):
            start = time.perf_counter()
            charts.add(event.rows)
            taken.append(1000 * (time.perf_counter() - start))
            batches.append(len(event.rows))

    pump = Pump(arrived, receive)
    mouse = QTimer()
    mouse.setInterval(50)
    mouse.timeout.connect(lambda: _move_mouse(charts, time.perf_counter()))
    mouse.start()
    producer = threading.Thread(target=produce, args=(arrived, seconds))
    expected = round(seconds * RATE)
    done = QTimer()
    done.setInterval(100)

    def check_done() -> None:
        if not producer.is_alive() and arrived.empty():
            app.quit()

    done.timeout.connect(check_done)
    for _ in range(5):  # fonts and caches of the first pictures belong to the window's start
        app.processEvents()
    app.slots.clear()
    app.own.clear()
    producer.start()
    done.start()
    began, processor = time.perf_counter(), time.process_time()
    app.exec()
    wall, cpu = time.perf_counter() - began, time.process_time() - processor
    producer.join()
    pump.stop()
    pump.drain()
    assert charts.recording is not None
    slots, adds, pictures = sorted(app.slots), sorted(taken), sorted(drawn)
    return {
        "benchmark": "live_charts",
        "pyqtgraph": pg.__version__,
        "runs": expected,
        "lost": expected - len(charts.recording.runs),
        "slot_p99_ms": round(quantile(slots, 0.99), 2),
        "slot_max_ms": round(slots[-1], 2),
        "own_p99_ms": round(quantile(sorted(app.own), 0.99), 2),
        "own_max_ms": round(max(app.own), 2),
        "load_average": round(psutil.getloadavg()[0], 1),
        "add_p99_ms": round(quantile(adds, 0.99), 2),
        "add_mean_rows": round(sum(batches) / len(batches)),
        "redraw_p99_ms": round(quantile(pictures, 0.99), 2),
        "pictures_per_s": round(len(drawn) / wall, 1),
        "processor_share": round(cpu / wall, 2),
        "ok": expected == len(charts.recording.runs) and slots[-1] <= TARGET_MS,
    }


def _move_mouse(charts: LiveCharts, now: float) -> None:
    view = charts.view.viewport()
    place = QPointF(view.width() * (0.3 + 0.2 * math.sin(now)), view.height() / 3)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        place,
        view.mapToGlobal(place),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, event)


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    answer = measure(seconds)
    print(json.dumps(answer))
    return 0 if answer["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
