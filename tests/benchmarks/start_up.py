"""How soon the command line answers and the window is up. ``python -m tests.benchmarks.start_up``.

Prints one JSON line: ``help_s``, the wall time of ``workbench --help`` (below 0.2 s is wanted), and
``ratio``, the time until the start page is painted over that of an empty Qt window (at most 2.5).
Medians of ``_RUNS`` interleaved runs; offscreen where there is no display.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

_RUNS = 5
_HELP_WANTED_S = 0.2
_RATIO_WANTED = 2.5
_FIRST_PAINT = """
from PySide6.QtCore import QCoreApplication, QEvent, QObject
class FirstPaint(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:  # the next event, before any timer's, finds it painted
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), 2**30)
        return False
    def customEvent(self, event):
        os._exit(0)
"""
_EMPTY = f"""
import os
from PySide6.QtWidgets import QApplication, QMainWindow
{_FIRST_PAINT}
app = QApplication([])
window = QMainWindow()
window.resize(1440, 900)
paint = FirstPaint()
window.installEventFilter(paint)
window.show()
app.exec()
"""
_WINDOW = f"""
import os
from workbench.ui import app as gui
{_FIRST_PAINT}
paint = FirstPaint()
make = gui.Shell.show
def show(self):
    self.window.installEventFilter(paint)
    make(self)
gui.Shell.show = show
from workbench.cli import main
main(["gui"])
"""


def seconds(argv: Sequence[str], home: Path) -> float:
    """Wall time of a whole process."""
    environment = {**os.environ, "WORKBENCH_HOME": str(home), "ANDROID_ADB_SERVER_PORT": "1"}
    if not environment.get("DISPLAY"):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    began = time.perf_counter()
    subprocess.run(argv, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    commands = {
        "help_s": [sys.executable, "-m", "workbench", "--help"],
        "empty_s": [sys.executable, "-c", _EMPTY],
        "window_s": [sys.executable, "-c", _WINDOW],
    }
    with tempfile.TemporaryDirectory() as home:
        for argv in commands.values():
            seconds(argv, Path(home))
        runs = [{name: seconds(argv, Path(home)) for name, argv in commands.items()} for _ in range(_RUNS)]
    figures = {name: round(statistics.median(run[name] for run in runs), 3) for name in commands}
    ratio = statistics.median(run["window_s"] / run["empty_s"] for run in runs)
    good = figures["help_s"] < _HELP_WANTED_S and ratio <= _RATIO_WANTED
    print(json.dumps({"benchmark": "start_up", **figures, "ratio": round(ratio, 2), "runs": _RUNS, "ok": good}))


if __name__ == "__main__":
    main()
