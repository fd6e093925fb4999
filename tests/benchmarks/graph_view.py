"""The graph view on transformers of 1,000 to 50,000 nodes. Prints one JSON line.

    python -m tests.benchmarks.graph_view

By size: ``first_view_ms`` from ``set_graph`` to the first painted frame, ``stall_ms`` the longest
time in which the event loop did not turn meanwhile, ``pan_ms`` and ``zoom_ms`` p50 and p99 of one
frame, and ``select_ms`` from a selection deep inside closed groups to the painted frame. ``open``:
the same with every group of the 5,000 nodes open, fitted and at 100 %. Painted offscreen into a
pixmap of 1200 x 800.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from tests.ui.graph.models import transformer
from workbench.core.graph import Graph
from workbench.ui.graph.view import GraphView
from workbench.ui.theme.apply import apply_theme

_LAYERS = {"1k": 19, "5k": 96, "20k": 384, "50k": 960}
_FRAMES = 120
_TARGET_FIRST_VIEW_MS = 1000
_TARGET_PAN_MS = 16


def _frames(view: GraphView, step: Callable[[int], None], count: int = _FRAMES) -> dict[str, float]:
    times = []
    for number in range(count):
        start = time.perf_counter()
        step(number)
        view.repaint()
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return {"p50": round(statistics.median(times), 2), "p99": round(times[int(0.99 * (len(times) - 1))], 2)}


def _until(app: QApplication, done: Callable[[], bool]) -> float:
    """Turn the event loop until ``done``; the longest turn in milliseconds."""
    longest = 0.0
    while not done():
        start = time.perf_counter()
        app.processEvents()
        longest = max(longest, (time.perf_counter() - start) * 1000)
        time.sleep(0.001)
    return longest


def _pan(view: GraphView) -> Callable[[int], None]:
    return lambda number: view.pan(7 if number // 30 % 2 else -7, -9 if number // 40 % 2 else 9)


def _zoom(view: GraphView) -> Callable[[int], None]:
    return lambda number: view.set_zoom(view.camera().zoom * (1.03 if number // 20 % 2 else 1 / 1.03))


def _measure(app: QApplication, model: Graph) -> dict[str, object]:
    view = GraphView()
    view.resize(1200, 800)
    view.show()
    app.processEvents()
    start = time.perf_counter()
    view.set_graph(model)
    in_call = (time.perf_counter() - start) * 1000
    stall = max(in_call, _until(app, lambda: view.hierarchy() is not None))
    view.repaint()
    first_view = (time.perf_counter() - start) * 1000
    result: dict[str, object] = {
        "nodes": len(model.nodes),
        "first_view_ms": round(first_view),
        "stall_ms": round(stall),
        "pan_ms": _frames(view, _pan(view)),
        "zoom_ms": _frames(view, _zoom(view)),
    }
    deep = model.nodes[len(model.nodes) // 2].id
    start = time.perf_counter()
    view.select(deep)
    _until(app, lambda: view.selection() == (deep,))
    view.repaint()
    result["select_ms"] = round((time.perf_counter() - start) * 1000)
    view.close()
    return result


def _measure_open(app: QApplication, model: Graph) -> dict[str, object]:
    """Every group open: more boxes than a person would look at."""
    view = GraphView()
    view.resize(1200, 800)
    view.show()
    view.set_graph(model)
    _until(app, lambda: view.hierarchy() is not None)
    hierarchy = view.hierarchy()
    assert hierarchy is not None
    outer = max(hierarchy.items[0].children, key=lambda child: hierarchy.items[child].ops)
    if view.is_open(outer):
        view.toggle(outer)
        _until(app, lambda: not view.is_open(outer))
    start = time.perf_counter()
    view.toggle(outer, deep=True)
    _until(app, lambda: view.is_open(outer))
    view.repaint()
    opened = (time.perf_counter() - start) * 1000
    picture = view.picture()
    assert picture is not None
    view.fit()
    fitted = _frames(view, _pan(view))
    whole = _frames(view, lambda _: view.repaint_all(), 10)
    view.select(model.nodes[len(model.nodes) // 2].id)
    view.set_zoom(1.0)
    close = _frames(view, _pan(view))
    view.close()
    return {
        "boxes": len(picture.scene.boxes),
        "open_ms": round(opened),
        "fitted_frame_ms": whole,
        "pan_fitted_ms": fitted,
        "pan_close_ms": close,
    }


def main() -> int:
    """Measure every size; 1 where a target is missed at 5,000 nodes."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    apply_theme(app, "light", motion=False)
    sizes = {name: _measure(app, transformer(layers)) for name, layers in _LAYERS.items()}
    opened = _measure_open(app, transformer(_LAYERS["5k"]))
    five = sizes["5k"]
    pan = five["pan_ms"]
    assert isinstance(pan, dict)
    first = five["first_view_ms"]
    assert isinstance(first, int)
    good = pan["p50"] < _TARGET_PAN_MS and first < _TARGET_FIRST_VIEW_MS
    line = {
        "benchmark": "graph_view",
        "sizes": sizes,
        "open": opened,
        "target": "5k: first view < 1 s, pan p50 < 16 ms",
    }
    print(json.dumps(line | {"ok": good}))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
