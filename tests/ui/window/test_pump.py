"""Events reach the window in batches, in order, and never for long."""

from __future__ import annotations

import logging
import queue
import time

import pytest
from pytestqt.qtbot import QtBot

from workbench.app.jobs import Done, JobEvent, Line, Progress, Samples, Started
from workbench.core.messages import msg
from workbench.ui.jobbook import JobBook, JobKind, JobRecord, JobState
from workbench.ui.pump import BUDGET_S, Pump
from workbench.ui.watchdog import STALL_S, Watchdog


@pytest.fixture
def pumped(qtbot: QtBot) -> tuple[Pump, queue.SimpleQueue[JobEvent], list[JobEvent]]:
    events: queue.SimpleQueue[JobEvent] = queue.SimpleQueue()
    received: list[JobEvent] = []
    pump = Pump(events, received.append)
    pump.stop()
    return pump, events, received


def test_the_last_progress_wins_and_samples_come_as_one(
    pumped: tuple[Pump, queue.SimpleQueue[JobEvent], list[JobEvent]],
) -> None:
    pump, events, received = pumped
    events.put(Started(1, msg("Run")))
    for step in range(5):
        events.put(Progress(1, step / 10, msg("Pushing")))
        events.put(Samples(1, (step,)))
        events.put(Samples(2, (-step,)))
    events.put(Line(1, "a line"))
    pump.drain()
    assert received == [
        Started(1, msg("Run")),
        Line(1, "a line"),
        Samples(1, (0, 1, 2, 3, 4)),
        Samples(2, (0, -1, -2, -3, -4)),
        Progress(1, 0.4, msg("Pushing")),
    ]


def test_what_a_job_told_comes_before_its_end(
    pumped: tuple[Pump, queue.SimpleQueue[JobEvent], list[JobEvent]],
) -> None:
    pump, events, received = pumped
    events.put(Samples(1, (1,)))
    events.put(Progress(1, 0.9, msg("Running")))
    events.put(Done(1, "value", 1.0))
    events.put(Samples(2, (2,)))
    pump.drain()
    assert received == [Samples(1, (1,)), Progress(1, 0.9, msg("Running")), Done(1, "value", 1.0), Samples(2, (2,))]


def test_a_flood_is_spread_over_ticks(
    pumped: tuple[Pump, queue.SimpleQueue[JobEvent], list[JobEvent]],
) -> None:
    pump, events, _received = pumped
    slow: list[JobEvent] = []
    pump = Pump(events, lambda event: (slow.append(event), time.sleep(BUDGET_S / 4)))
    pump.stop()
    for number in range(40):
        events.put(Line(1, str(number)))
    pump.drain()
    assert 0 < len(slow) < 40
    while len(slow) < 40:
        pump.drain()
    assert [event.text for event in slow if isinstance(event, Line)] == [str(number) for number in range(40)]


def test_a_window_that_stands_still_is_logged_with_the_place(
    qtbot: QtBot, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("workbench"), "propagate", True)
    watchdog = Watchdog()
    qtbot.wait(50)
    stand_still(STALL_S * 3)
    qtbot.waitUntil(lambda: "stood still" in caplog.text, timeout=5000)
    watchdog.stop()
    assert "test_pump.py" in caplog.text
    assert "stand_still" in caplog.text


def stand_still(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def record(job: int, kind: JobKind = JobKind.CHECK) -> JobRecord:
    from datetime import datetime

    return JobRecord(job, kind, msg("Check"), datetime.now(), time.monotonic())


def test_a_stage_begins_with_another_sentence_and_goes_on_with_other_figures() -> None:
    book = JobBook()
    book.add(record(1))
    book.update(Started(1, msg("Check")))
    for fraction, text in (
        (0.1, msg("Reading {file}", file="a")),
        (0.2, msg("Comparing {i} of {n}", i=1, n=2)),
        (0.9, msg("Comparing {i} of {n}", i=2, n=2)),
    ):
        book.update(Progress(1, fraction, text))
    ended = book.update(Done(1, None, 3.0))
    assert [str(stage.text) for stage in ended.stages] == ["Reading a", "Comparing 2 of 2"]
    assert all(stage.seconds is not None for stage in ended.stages)
    assert ended.state is JobState.DONE


def test_quiet_jobs_are_not_listed_and_old_ones_are_forgotten() -> None:
    book = JobBook()
    book.add(record(0, JobKind.DEVICES))
    for number in range(1, 300):
        book.add(record(number))
        book.update(Done(number, None, 0.0))
    listed = book.listed()
    assert listed[0].job == 299
    assert len(listed) <= 201
    assert all(one.kind is JobKind.CHECK for one in listed)
