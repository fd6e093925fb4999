"""A run as it is being measured: the agent's events put in order on one clock. No Qt here."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

from workbench.core.op import Op
from workbench.core.protocol import Event, Fault, Finished, Hello, Loaded, Memory, Sample, Stat, Warn
from workbench.core.run import RunSummary
from workbench.core.statistics import LEAST_FOR_DRIFT, Running, drift
from workbench.core.zones import Zones, choose
from workbench.ui.live.columns import Column, Track
from workbench.ui.live.rolling import Rolling

PREPARE, PUSH, LOAD, WARMUP, STEADY = "prepare", "push", "load", "warmup", "steady"
_NS: Final = 1e-9
_DRIFT_POINTS: Final = 600
"""Drift is looked for in at most this many values: 1 ms of work, and a place exact to 0.2 %."""


class Reading(StrEnum):
    """What is known of a quantity."""

    WAITING = "waiting"
    ABSENT = "absent"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class Phase:
    """``start`` in seconds after the run began; a phase ends where the next one starts."""

    name: str
    start: float


@dataclass(frozen=True, slots=True)
class Slowdown:
    """``told``: the device itself said that it throttles; otherwise ``ratio`` was found in the latencies."""

    start: float
    told: bool
    ratio: float | None = None


class Recording:
    """One run. All times are seconds after ``Recording`` was made, which is when the run began.

    ``runs``: milliseconds of every run. ``percentiles``: rolling p50, p90 and p99 of the steady
    runs, one value each run. ``memory``: MB above the baseline. ``temperature``: degrees Celsius,
    ``frequency``: GHz of the fastest core. Where the device is ``simulated`` these two are made up.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, simulated: bool = False) -> None:
        self._clock = clock
        self.simulated = simulated
        self._began = clock()
        self._agent_zero: float | None = None
        self._rolling = Rolling()
        self._baseline_kb = -1
        self._throttled: float | None = None
        self.phases = [Phase(PREPARE, 0.0)]
        self.runs = Track()
        self.steady_from: int | None = None
        self.percentiles = (Column(), Column(), Column())
        self.steady = Running()
        self.memory = Track()
        self.memory_reading = Reading.WAITING
        self.peak_mb = math.nan
        self.temperature = Track()
        self.temperature_reading = Reading.WAITING
        self.zones: Zones | None = None
        self.frequency = Track()
        self.loaded: Loaded | None = None
        self.first_ms: float | None = None
        self.fell_back = False
        self.slowdown: Slowdown | None = None
        self.summary: RunSummary | None = None
        self.ended = False
        self.last_t = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since the run began: of the last event, or by the clock while the agent is silent."""
        return self.last_t if self._agent_zero is not None or self.ended else self._clock() - self._began

    @property
    def origin(self) -> float:
        """Where the time axis has its zero: the first steady run, until then the run's beginning."""
        return float(self.runs.t.values[self.steady_from]) if self.steady_from is not None else 0.0

    @property
    def outputs_are_wrong(self) -> bool:
        return self.summary is not None and self.summary.outputs is not None and not self.summary.outputs.right

    def phase(self, name: str, t_s: float) -> None:
        """The host starts ``name``. The agent's clock begins where "load" does."""
        if name == LOAD:
            self._agent_zero = t_s
        self._enter(name, t_s)

    def add(self, events: tuple[Event, ...]) -> None:
        if self._agent_zero is None:
            self._start_agent_clock(events)
        for event in events:
            self._take(event)

    def finish(self, summary: RunSummary | None) -> None:
        """The run is over; no summary where it was stopped or failed."""
        self.last_t = self.elapsed
        self.ended = True
        self.summary = summary
        self.find_slowdown()

    def find_slowdown(self) -> None:
        """Look whether the steady runs became slower. Worth calling about once a second."""
        if self._throttled is not None:
            self.slowdown = Slowdown(self._throttled, told=True)
            return
        if self.steady_from is None or self.steady.n < LEAST_FOR_DRIFT:
            return
        few = self.steady.n <= _DRIFT_POINTS
        source = self.runs.v.values[self.steady_from :] if few else self.percentiles[0].values
        step = math.ceil(len(source) / _DRIFT_POINTS)
        found = drift(source[::step].tolist())
        self.slowdown = None
        if found is not None and found.start is not None:
            index = min(self.steady_from + found.start * step, len(self.runs) - 1)
            self.slowdown = Slowdown(float(self.runs.t.values[index]), told=False, ratio=found.ratio)

    def _start_agent_clock(self, events: tuple[Event, ...]) -> None:
        """The newest event of the first batch happened just now, so the agent's zero is that much earlier.

        A stored run comes whole, and begins with its agent.
        """
        newest = max((event.ns * _NS for event in events if isinstance(event, Sample | Stat)), default=0.0)
        whole = any(isinstance(event, Finished | Fault) for event in events)
        now = newest if whole else self._clock() - self._began
        self.phase(LOAD, max(self.phases[-1].start, now - newest))

    def _take(self, event: Event) -> None:
        match event:
            case Sample():
                self._take_sample(event)
            case Stat():
                self._take_stat(event)
            case Hello():
                self._take_baseline(event.baseline)
            case Loaded():
                self.loaded = event
                self._take_peak(event.memory)
            case Warn():
                self._take_warning(event)
            case Finished():
                self._take_peak(event.memory)
                self.ended = True
            case Fault():
                self.ended = True
            case Op():
                pass
            case _:
                assert_never(event)

    def _take_sample(self, sample: Sample) -> None:
        t = self._time(sample.ns)
        if sample.phase == STEADY:
            if self.steady_from is None:
                self.steady_from = len(self.runs)
                self._enter(STEADY, t)
            self.steady.add(sample.ms)
            for column, value in zip(self.percentiles, self._rolling.add(t, sample.ms), strict=True):
                column.append(value)
        elif self.phases[-1].name != WARMUP:
            self._enter(WARMUP, t)
        if sample.phase == "first":
            self.first_ms = sample.ms
        self.runs.append(t, sample.ms)
        if sample.rss_kb >= 0:
            self._take_memory(t, sample.rss_kb)

    def _take_stat(self, stat: Stat) -> None:
        t = self._time(stat.ns)
        if stat.memory.rss_kb >= 0:
            self._take_memory(t, stat.memory.rss_kb)
        elif self.memory_reading is Reading.WAITING:
            self.memory_reading = Reading.ABSENT
        self._take_peak(stat.memory)
        if self.zones is None:
            self.zones = choose(stat.temperature_c)
        degrees = self.zones.hottest(stat.temperature_c) if self.zones else None
        if degrees is not None:
            self.temperature.append(t, degrees)
            self.temperature_reading = Reading.MEASURED
        elif self.temperature_reading is Reading.WAITING:
            self.temperature_reading = Reading.ABSENT
        fastest = max((khz for khz in stat.clock_khz if khz is not None), default=None)
        if fastest is not None:
            self.frequency.append(t, fastest / 1e6)

    def _take_baseline(self, memory: Memory) -> None:
        self._baseline_kb = memory.rss_kb
        if memory.rss_kb < 0:
            self.memory_reading = Reading.ABSENT
        else:
            self._take_memory(self._agent_zero or 0.0, memory.rss_kb)

    def _take_memory(self, t: float, rss_kb: int) -> None:
        if self._baseline_kb < 0:
            return
        self.memory_reading = Reading.MEASURED
        above = megabytes(rss_kb - self._baseline_kb)
        self.memory.append(t, above)
        self.peak_mb = above if math.isnan(self.peak_mb) else max(self.peak_mb, above)

    def _take_peak(self, memory: Memory) -> None:
        if self._baseline_kb >= 0 and memory.peak_kb >= 0 and len(self.memory) > 0:
            self.peak_mb = max(self.peak_mb, megabytes(memory.peak_kb - self._baseline_kb))

    def _take_warning(self, warning: Warn) -> None:
        if warning.code == "throttled" and self._throttled is None:
            self._throttled = self.last_t
            self.find_slowdown()
        if warning.code == "fallback":
            self.fell_back = True

    def _time(self, ns: int) -> float:
        # Samples and device states come from two threads of the agent: their order may differ by a little.
        self.last_t = max(self.last_t, (self._agent_zero or 0.0) + ns * _NS)
        return (self._agent_zero or 0.0) + ns * _NS

    def _enter(self, name: str, t: float) -> None:
        if t <= self.phases[-1].start:
            self.phases.pop()  # it took no time
        self.phases.append(Phase(name, t))
        self.last_t = max(self.last_t, t)


def megabytes(kilobytes: float) -> float:
    """/proc's kB are 1,024 bytes; an MB here is a million."""
    return kilobytes * 1.024 / 1000
