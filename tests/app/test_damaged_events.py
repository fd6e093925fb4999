from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.app.events_file import read_events
from workbench.app.report import write_report
from workbench.app.session import FinishedRun, State
from workbench.core import statistics
from workbench.core.device import Device, DeviceState
from workbench.core.errors import BadInput
from workbench.core.graph import Graph, Model
from workbench.core.plan import QuantPlan
from workbench.core.protocol import Finished, Memory, Sample, format_event
from workbench.core.run import RunSummary
from workbench.core.steps import Quiet

EVENTS = (*(Sample("steady", i, i, 1.0 + i) for i in range(10)), Finished("complete", 10, 0, 1.0, 1.0, Memory()))
LINES = [format_event(event).encode() for event in EVENTS]
WHOLE = b"\n".join(LINES) + b"\n"
SUMMARY = RunSummary(1.5, 2.0, statistics.latency([4.25] * 10), None, {}, (), None, {}, {}, 0)

DAMAGED = {
    "empty": b"",
    "cut off between two lines": b"\n".join(LINES[:5]) + b"\n",
    "half a line": WHOLE[: len(WHOLE) // 2],
    "half of the last line": WHOLE[:-10],
    "binary": bytes(range(256)) * 40,
    "an event of no known kind": WHOLE + b'{"ev":"teleport"}\n',
    "not an object": b"[1, 2]\n" + WHOLE,
    "a field that does not fit": WHOLE.replace(b'"ms":3.0', b'"ms":"three"'),
    "deep nesting": b"[" * 100_000 + b"\n" + WHOLE,
    "a line without an end": b'{"ev":"sample","phase":"' + b"x" * 3_000_000,
    "a document": b'{"schema": "workbench.run/1"}\n',
    "zeros where the disk lost a block": WHOLE[:200] + b"\0" * 200 + WHOLE[400:],
}


def finished(name: str, file: Path) -> FinishedRun:
    return FinishedRun(name, Device(name, f"Phone {name}", "x86_64", DeviceState.READY), QuantPlan(), SUMMARY, file)


def test_events_come_back_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_bytes(WHOLE)
    assert read_events(file, Quiet()) == EVENTS


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_damaged_events_are_told_with_their_place_and_lost_to_one_run_alone(content: bytes, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_bytes(WHOLE)
    bad.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        read_events(bad, Quiet())
    assert caught.value.where.startswith(str(bad))
    assert caught.value.hint is not None
    assert len(str(caught.value)) < 1000
    model = Model("m.onnx", "ONNX", 1, "", {}, Graph("", "", (), (), (), (), {}))
    report = tmp_path / "r.html"
    write_report(State(model, runs=(finished("good", good), finished("bad", bad))), (), report)
    text = report.read_text()
    assert text.count("<polyline") == 1
    assert text.count("No chart") == 1
    assert str(bad) in text
    assert "Phone bad" in text
    assert text.count("4.25") >= 2
    assert bad.read_bytes() == content


def test_events_that_are_gone_are_told(tmp_path: Path) -> None:
    model = Model("m.onnx", "ONNX", 1, "", {}, Graph("", "", (), (), (), (), {}))
    run = finished("r", tmp_path / "gone.jsonl")
    for one, told in ((run, 1), (replace(run, events_file=None), 0)):
        write_report(State(model, runs=(one,)), (), tmp_path / "r.html")
        assert (tmp_path / "r.html").read_text().count("No chart") == told
