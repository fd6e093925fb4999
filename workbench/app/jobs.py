"""Jobs: steps on a thread pool, their events on one queue.

The command line prints from the queue; the window drains it on a timer. Events are a closed
union: handle them with one ``match`` that ends in ``assert_never``.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from workbench.app.trouble import as_told
from workbench.core.errors import Cancelled, WorkbenchError
from workbench.core.messages import Message

if TYPE_CHECKING:
    from workbench.core.protocol import Event

_PROGRESS_SECONDS: Final = 0.03


@dataclass(frozen=True, slots=True)
class Started:
    job: int
    title: Message


@dataclass(frozen=True, slots=True)
class Progress:
    """``fraction`` 0 to 1, or None where it is not known."""

    job: int
    fraction: float | None
    text: Message


@dataclass(frozen=True, slots=True)
class Line:
    """One line for the log."""

    job: int
    text: str


@dataclass(frozen=True, slots=True)
class Samples:
    """Measured events, in the order they came."""

    job: int
    rows: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Done:
    job: int
    value: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    job: int
    error: WorkbenchError
    seconds: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """The user cancelled, and everything that the job had started has ended."""

    job: int
    seconds: float


JobEvent = Started | Progress | Line | Samples | Done | Failed | Stopped
Step = Callable[["JobContext"], Any]


class JobContext:
    """The Context of one job (core.steps). Progress is thinned out here, at its source."""

    def __init__(self, job: int, emit: Callable[[JobEvent], None]) -> None:
        self.job = job
        self._emit = emit
        self._lock = threading.Lock()
        self._cancelled = False
        self._stops: dict[int, Callable[[], None]] = {}
        self._tokens = itertools.count()
        self._last_progress = 0.0
        self._last_template = ""

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled

    def progress(self, fraction: float | None, text: Message) -> None:
        self.check()
        now = time.monotonic()
        is_next_stage = text.template != self._last_template
        if is_next_stage or now - self._last_progress >= _PROGRESS_SECONDS or fraction in (0.0, 1.0):
            self._last_progress, self._last_template = now, text.template
            self._emit(Progress(self.job, fraction, text))

    def check(self) -> None:
        if self._cancelled:
            raise Cancelled

    def on_cancel(self, stop: Callable[[], None]) -> Callable[[], None]:
        token = next(self._tokens)
        with self._lock:
            if not self._cancelled:
                self._stops[token] = stop
                return lambda: self._forget(token)
        stop()
        return lambda: None

    def line(self, text: str) -> None:
        self._emit(Line(self.job, text))

    def samples(self, rows: tuple[Event, ...]) -> None:
        self._emit(Samples(self.job, rows))

    def cancel(self) -> None:
        """Stop the step: every registered stopper is called, from this thread."""
        with self._lock:
            self._cancelled = True
            stops = tuple(self._stops.values())
            self._stops.clear()
        for stop in stops:
            stop()

    def _forget(self, token: int) -> None:
        with self._lock:
            self._stops.pop(token, None)


class Jobs:
    """Runs steps off the caller's thread. ``events`` is the one queue that all of them report to."""

    def __init__(self, threads: int = 4) -> None:
        self.events: queue.SimpleQueue[JobEvent] = queue.SimpleQueue()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="job")
        self._ids = itertools.count(1)
        self._live: dict[int, JobContext] = {}
        self._lock = threading.Lock()

    def start(self, title: Message, step: Step) -> int:
        """Queue ``step``; returns the job's number, which all its events carry."""
        ctx = JobContext(next(self._ids), self.events.put)
        with self._lock:
            self._live[ctx.job] = ctx
        self._pool.submit(self._run, ctx, title, step)
        return ctx.job

    def cancel(self, job: int) -> None:
        """Cancel a job; nothing happens where it has ended. May take as long as its stoppers do."""
        with self._lock:
            ctx = self._live.get(job)
        if ctx is not None:
            ctx.cancel()

    def _run(self, ctx: JobContext, title: Message, step: Step) -> None:
        began = time.monotonic()
        ending: JobEvent
        try:
            ctx.check()
            self.events.put(Started(ctx.job, title))
            value = step(ctx)
            ending = Done(ctx.job, value, time.monotonic() - began)
        except Cancelled:
            ending = Stopped(ctx.job, time.monotonic() - began)
        except WorkbenchError as error:
            ending = Failed(ctx.job, error, time.monotonic() - began)
        except Exception as error:  # noqa: BLE001 - the edge of the thread: told in words
            ending = Failed(ctx.job, as_told(error), time.monotonic() - began)
        with self._lock:
            self._live.pop(ctx.job, None)
        self.events.put(ending)

    def close(self) -> None:
        """Cancel everything and wait for it."""
        with self._lock:
            live = tuple(self._live.values())
        for ctx in live:
            ctx.cancel()
        self._pool.shutdown()
