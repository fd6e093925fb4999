from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from workbench.app.jobs import Done, Failed, JobContext, JobEvent, Jobs, Progress, Started, Stopped
from workbench.core.errors import BadInput, ErrorKind
from workbench.core.messages import msg

ENDINGS = (Done, Failed, Stopped)


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    jobs = Jobs(threads=2)
    yield jobs
    jobs.close()


def events_of(jobs: Jobs, job: int) -> list[JobEvent]:
    found: list[JobEvent] = []
    while not (found and isinstance(found[-1], ENDINGS)):
        event = jobs.events.get(timeout=20)
        if event.job == job:
            found.append(event)
    return found


def test_a_job_starts_reports_and_is_done(jobs: Jobs) -> None:
    def step(ctx: JobContext) -> int:
        ctx.progress(1.0, msg("all"))
        return 42

    started, progress, done = events_of(jobs, jobs.start(msg("count"), step))
    assert isinstance(started, Started)
    assert isinstance(progress, Progress)
    assert isinstance(done, Done)
    assert done.value == 42


def test_a_domain_error_ends_the_job_as_it_was_raised(jobs: Jobs) -> None:
    def step(_: JobContext) -> None:
        raise BadInput(msg("empty"), where="x.onnx")

    *_, failed = events_of(jobs, jobs.start(msg("open"), step))
    assert isinstance(failed, Failed)
    assert (failed.error.kind, failed.error.where) == (ErrorKind.BAD_INPUT, "x.onnx")


def test_a_fault_of_ours_becomes_one_line_with_its_place(jobs: Jobs) -> None:
    *_, failed = events_of(jobs, jobs.start(msg("divide"), lambda _: 1 / 0))
    assert isinstance(failed, Failed)
    assert failed.error.kind is ErrorKind.INTERNAL
    assert "ZeroDivisionError" in str(failed.error)
    assert "\n" not in str(failed.error)
    assert "test_jobs.py" in failed.error.where


def test_cancel_calls_the_stopper_of_whoever_blocks(jobs: Jobs) -> None:
    stopped, blocked = threading.Event(), threading.Event()

    def step(ctx: JobContext) -> None:
        ctx.on_cancel(stopped.set)
        blocked.set()
        assert stopped.wait(20)
        ctx.check()

    job = jobs.start(msg("wait"), step)
    assert blocked.wait(20)
    jobs.cancel(job)
    assert isinstance(events_of(jobs, job)[-1], Stopped)


def test_a_stopper_named_after_the_cancel_is_called_at_once(jobs: Jobs) -> None:
    called = threading.Event()
    ctx = JobContext(1, jobs.events.put)
    ctx.cancel()
    ctx.on_cancel(called.set)
    assert called.is_set()


def test_a_stopper_that_was_taken_back_is_not_called(jobs: Jobs) -> None:
    called = threading.Event()
    ctx = JobContext(1, jobs.events.put)
    ctx.on_cancel(called.set)()
    ctx.cancel()
    assert not called.is_set()


def test_a_flood_of_progress_is_thinned_and_its_end_is_kept(jobs: Jobs) -> None:
    def step(ctx: JobContext) -> None:
        for i in range(10_001):
            ctx.progress(i / 10_000, msg("{i}", i=i))

    found = [event for event in events_of(jobs, jobs.start(msg("flood"), step)) if isinstance(event, Progress)]
    assert len(found) < 1_000
    assert found[-1].fraction == 1.0
