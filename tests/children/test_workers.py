from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.waiting import wait_until
from workbench.children.outcome import End, Limits, Outcome
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, Cancelled, EngineError
from workbench.core.messages import Message
from workbench.core.steps import Quiet

EXAMPLE = "tests.children.example_worker"


class Stoppable(Quiet):
    """A context that a test can cancel."""

    def __init__(self) -> None:
        self.cancelled = threading.Event()
        self.stops: list[object] = []
        self.texts: list[str] = []

    def progress(self, fraction: float | None, text: Message) -> None:
        self.texts.append(str(text))

    def check(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled

    def on_cancel(self, stop):  # type: ignore[no-untyped-def]
        self.stops.append(stop)
        return lambda: self.stops.remove(stop)

    def cancel(self) -> None:
        self.cancelled.set()
        for stop in list(self.stops):
            stop()  # type: ignore[operator]


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers() as workers:
        yield workers


def run(workers: Workers, function: str, folder: Path, limits: Limits = Limits(), **request: object) -> Outcome:
    return workers.run(EXAMPLE, function, request, folder, Quiet(), limits)


def test_a_worker_answers_from_its_private_folder(workers: Workers, tmp_path: Path) -> None:
    outcome = run(workers, "double", tmp_path, value=21)
    assert outcome.end is End.OK
    assert outcome.result["value"] == 42
    assert outcome.result["cwd"] == str(tmp_path)
    assert (tmp_path / "made.txt").read_text() == "made"
    assert outcome.lines == ("engine says hello",)


def test_progress_of_a_worker_reaches_the_context(workers: Workers, tmp_path: Path) -> None:
    ctx = Stoppable()
    workers.run(EXAMPLE, "double", {"value": 1}, tmp_path, ctx)
    assert ctx.texts == ["half way"]


def test_a_warm_worker_is_used_again_and_replaced_after_fifty_jobs(workers: Workers, tmp_path: Path) -> None:
    pids = [run(workers, "double", tmp_path, value=n).result["pid"] for n in range(52)]
    assert len(set(pids[:50])) == 1
    assert pids[50] != pids[0]
    assert not psutil.pid_exists(pids[0])


def test_a_refusal_carries_its_details(workers: Workers, tmp_path: Path) -> None:
    outcome = run(workers, "refuse", tmp_path)
    assert (outcome.end, outcome.refusal, outcome.details["ops"]) == (End.REFUSED, "unsupported", ["Frobnicate"])


def test_a_python_fault_in_a_worker_is_a_value_with_its_traceback(workers: Workers, tmp_path: Path) -> None:
    outcome = run(workers, "fail", tmp_path)
    assert outcome.end is End.FAILED
    assert "a fault of ours" in outcome.text
    assert any("example_worker.py" in line for line in outcome.lines)


def test_a_crashed_worker_reports_its_signal_and_its_last_lines_and_the_next_job_runs(
    workers: Workers, tmp_path: Path
) -> None:
    outcome = run(workers, "crash", tmp_path)
    assert (outcome.end, outcome.signal_name, outcome.lines) == (End.CRASHED, "SIGSEGV", ("last words",))
    assert run(workers, "double", tmp_path, value=2).result["value"] == 4


def test_a_worker_that_cannot_start_says_why(workers: Workers, tmp_path: Path) -> None:
    outcome = workers.run("no.such.module", "double", {}, tmp_path, Quiet())
    assert outcome.end is End.CRASHED
    assert any("No module named 'no'" in line for line in outcome.lines)


def test_a_hanging_worker_is_ended_with_everything_it_started(workers: Workers, tmp_path: Path) -> None:
    outcome = run(workers, "hang", tmp_path, Limits(seconds=1.0))
    assert outcome.end is End.TIMED_OUT
    grandchild = int((tmp_path / "grandchild").read_text())
    wait_until(lambda: not _runs(grandchild), "the grandchild to end")


def test_a_growing_worker_is_stopped_at_its_limit(workers: Workers, tmp_path: Path) -> None:
    outcome = run(workers, "grow", tmp_path, Limits(seconds=60, rss_bytes=300 << 20))
    assert outcome.end is End.OUT_OF_MEMORY
    assert outcome.peak_rss_bytes > 300 << 20


def test_cancel_ends_the_process_tree_at_once(workers: Workers, tmp_path: Path) -> None:
    ctx = Stoppable()
    raised: list[BaseException] = []

    def job() -> None:
        try:
            workers.run(EXAMPLE, "hang", {}, tmp_path, ctx)
        except Cancelled as error:
            raised.append(error)

    thread = threading.Thread(target=job)
    thread.start()
    wait_until((tmp_path / "ready").exists, "the worker to be ready")
    (worker,) = workers.pids()
    ctx.cancel()
    thread.join(10)
    assert len(raised) == 1
    assert not _runs(worker)
    grandchild = int((tmp_path / "grandchild").read_text())
    wait_until(lambda: not _runs(grandchild), "the grandchild to end")


def test_a_worker_killed_by_somebody_else_is_no_outcome_and_the_next_job_runs(workers: Workers, tmp_path: Path) -> None:
    raised: list[EngineError] = []

    def job() -> None:
        try:
            run(workers, "hang", tmp_path)
        except EngineError as error:
            raised.append(error)

    thread = threading.Thread(target=job)
    thread.start()
    wait_until((tmp_path / "ready").exists, "the worker to be ready")
    (worker,) = workers.pids()
    psutil.Process(worker).kill()
    thread.join(10)
    assert "killed from outside (SIGKILL)" in str(raised[0].what)
    assert raised[0].hint is not None
    grandchild = int((tmp_path / "grandchild").read_text())
    wait_until(lambda: not _runs(grandchild), "the grandchild to end")
    assert run(workers, "double", tmp_path, value=2).result["value"] == 4


def test_closing_the_workers_cancels_what_they_do(tmp_path: Path) -> None:
    raised: list[Cancelled] = []

    def job() -> None:
        try:
            run(workers, "hang", tmp_path)
        except Cancelled as error:
            raised.append(error)

    with Workers() as workers:
        thread = threading.Thread(target=job)
        thread.start()
        wait_until((tmp_path / "ready").exists, "the worker to be ready")
    thread.join(10)
    assert len(raised) == 1


def test_a_full_disk_is_bad_input_that_names_the_file(workers: Workers, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No space left") as caught:
        run(workers, "fill_disk", tmp_path)
    assert caught.value.where == "big.npy"
    assert "TMPDIR" in str(caught.value.hint)


def test_an_engine_that_prints_a_lot_does_not_block(workers: Workers, tmp_path: Path) -> None:
    assert run(workers, "fill_pipe", tmp_path).end is End.OK


def test_a_killed_parent_leaves_no_worker_behind(tmp_path: Path) -> None:
    script = (
        "import sys, threading\n"
        "from pathlib import Path\n"
        "from workbench.children.workers import Workers\n"
        "from workbench.core.steps import Quiet\n"
        "w = Workers()\n"
        f"threading.Thread(target=w.run, args=({EXAMPLE!r}, 'hang', {{}}, Path(sys.argv[1]), Quiet())).start()\n"
        "while not (Path(sys.argv[1]) / 'ready').exists(): pass\n"
        "print(*w.pids(), flush=True)\n"
        "sys.stdin.read()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert parent.stdin is not None
    parent.stdin.close()
    wait_until(lambda: not _runs(worker), "the worker to end")
    os.kill(int((tmp_path / "grandchild").read_text()), 9)  # a child of the worker's own, outside any promise


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
