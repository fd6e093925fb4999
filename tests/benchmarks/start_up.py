"""How soon the command line answers and the window is up. ``python -m tests.benchmarks.start_up``.

Prints one JSON line: ``help_s``, the wall time of ``workbench --help`` (below 0.2 s is wanted), and
``ratio``, the time until the start page is painted over that of an empty Qt window (at most 2.5).
``own`` are the same in processor time, which other work on the computer changes less; ``later_ratio`` is that of
a start with settings and five recent models. Medians of ``_RUNS`` interleaved runs; offscreen where there is no
display.
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

from workbench.ui.settings import Recent, Settings, save

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
import os, sys
from importlib.util import find_spec
class Patching:
    '''Has the window watched as soon as its module is imported, where and when ``workbench gui`` does that.'''
    def find_spec(self, name, path=None, target=None):
        if name != "workbench.ui.app":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            watch(module)
        spec.loader.exec_module = exec_module
        return spec
def watch(gui):
    {_FIRST_PAINT.replace(chr(10), chr(10) + "    ")}
    paint = FirstPaint()
    make = gui.Shell.show
    def show(self):
        self.window.installEventFilter(paint)
        make(self)
    gui.Shell.show = show
sys.meta_path.insert(0, Patching())
from workbench.cli import main
main(["gui"])
"""


def seconds(argv: Sequence[str], home: Path) -> tuple[float, float]:
    """Wall and processor time of a whole process."""
    environment = {**os.environ, "WORKBENCH_HOME": str(home), "ANDROID_ADB_SERVER_PORT": "1"}
    if not environment.get("DISPLAY"):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    used = _children_s()
    began = time.perf_counter()
    subprocess.run(argv, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began, _children_s() - used


def _children_s() -> float:
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    """Measure and print."""
    window = [sys.executable, "-c", _WINDOW]
    with tempfile.TemporaryDirectory() as fresh, tempfile.TemporaryDirectory() as used:
        recent = tuple(Recent(f"/models/{i}.onnx", "2026-01-01T12:00:00", "ok", 1.2, 200_000) for i in range(5))
        save(Settings(recent=recent), Path(used) / "config" / "window.json")
        commands = {
            "help_s": ([sys.executable, "-m", "workbench", "--help"], Path(fresh)),
            "empty_s": ([sys.executable, "-c", _EMPTY], Path(fresh)),
            "window_s": (window, Path(fresh)),
            "later_s": (window, Path(used)),
        }
        for argv, home in commands.values():
            seconds(argv, home)
        runs = [{name: seconds(*command) for name, command in commands.items()} for _ in range(_RUNS)]
    wall, own = ({name: statistics.median(run[name][part] for run in runs) for name in commands} for part in (0, 1))

    def ratio(name: str, part: int) -> float:
        return round(statistics.median(run[name][part] / run["empty_s"][part] for run in runs), 2)

    good = wall["help_s"] < _HELP_WANTED_S and ratio("window_s", 0) <= _RATIO_WANTED
    answer = {
        "benchmark": "start_up",
        **{name: round(value, 3) for name, value in wall.items()},
        "ratio": ratio("window_s", 0),
        "later_ratio": ratio("later_s", 0),
        "own": {name: round(value, 3) for name, value in own.items()}
        | {"ratio": ratio("window_s", 1), "later_ratio": ratio("later_s", 1)},
        "runs": _RUNS,
        "ok": good,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
