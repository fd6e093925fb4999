import math

import numpy as np
import pytest

from tests.ui.live import scenarios as made
from workbench.core.protocol import Memory, Warn
from workbench.core.run import RunOutputs, RunSummary
from workbench.core.zones import choose
from workbench.ui.live.recording import LOAD, PREPARE, PUSH, STEADY, WARMUP, Reading, Recording


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def record(events):
    """A recording on a clock that stands: the agent starts with it."""
    recording = Recording(clock=Clock())
    recording.add(tuple(events))
    return recording


def summary(outputs=None):
    return RunSummary(212.0, 61.0, None, None, {}, (), outputs, {}, {}, 0)


def test_the_phases_of_a_run_follow_from_its_events():
    recording = Recording()
    recording.phase(PUSH, 0.0)
    recording.phase(LOAD, 5.0)
    recording.add(tuple(made.steady_run([10.0] * 5)))
    assert [(p.name, pytest.approx(p.start)) for p in recording.phases] == [
        (PUSH, 0.0),
        (LOAD, 5.0),
        (WARMUP, 5.25),
        (STEADY, 5.35),
    ]
    assert recording.origin == pytest.approx(5.35)


def test_an_agent_that_nobody_announced_began_before_its_newest_event_came():
    clock = Clock()
    recording = Recording(clock=clock)
    recording.phase(PUSH, 0.0)
    clock.now += 7.0
    recording.add(tuple(made.steady_run([10.0])))  # the newest event is 0.4 s after the agent's start
    load = next(phase for phase in recording.phases if phase.name == LOAD)
    assert load.start == pytest.approx(6.6)


def test_a_stored_run_begins_with_its_agent():
    recording = record(made.phone_run(seconds=2))
    assert recording.phases[0].name == LOAD
    assert recording.phases[0].start == 0.0


def test_what_the_host_does_before_the_agent_speaks_is_a_phase():
    clock = Clock()
    recording = Recording(clock=clock)
    clock.now += 3.0
    recording.add((made.hello(),))
    assert [(p.name, p.start) for p in recording.phases] == [(PREPARE, 0.0), (LOAD, 3.0)]


def test_before_the_agent_speaks_time_goes_by_the_clock():
    clock = Clock()
    recording = Recording(clock=clock)
    recording.phase(PUSH, 0.0)
    clock.now += 2.5
    assert recording.elapsed == pytest.approx(2.5)


def test_every_run_is_kept_and_percentiles_are_of_steady_runs_only():
    recording = record(made.phone_run(seconds=20))
    steady = len(recording.runs) - recording.steady_from
    assert steady == recording.steady.n == len(recording.percentiles[0])
    assert recording.first_ms == pytest.approx(61, rel=0.05)
    assert recording.percentiles[0].last == pytest.approx(38.5, rel=0.01)


def test_rolling_percentiles_agree_with_the_runs_of_the_last_two_seconds():
    recording = record(made.phone_run(seconds=20, rate=100))
    t, v = recording.runs.t.values, recording.runs.v.values
    window = np.sort(v[t >= t[-1] - 2.0])
    assert recording.percentiles[1].last == window[math.ceil(0.9 * len(window)) - 1]


def test_memory_is_above_the_baseline_in_millions_of_bytes():
    recording = record(made.steady_run([10.0], rss_kb=made.BASELINE_KB + 100_000))
    assert recording.memory.v.last == pytest.approx(102.4)  # a kB of /proc is 1,024 bytes
    assert recording.peak_mb == pytest.approx(170_000 * 1.024 / 1000)  # as the agent told after loading


def test_samples_without_memory_add_no_memory():
    recording = record([made.hello(), made.loaded(), made.sample("steady", 0, 0.1, 5.0, rss_kb=-1)])
    assert len(recording.memory) == 1  # the baseline


def test_memory_that_the_device_does_not_tell_is_absent():
    recording = record(made.steady_run([10.0] * 5, baseline=Memory(), rss_kb=-1))
    assert recording.memory_reading is Reading.ABSENT
    assert len(recording.memory) == 0
    assert math.isnan(recording.peak_mb)


def test_temperature_without_a_reading_is_absent_and_before_any_state_it_is_awaited():
    assert record([made.hello()]).temperature_reading is Reading.WAITING
    assert record(made.steady_run([10.0])).temperature_reading is Reading.ABSENT
    assert record(made.steady_run([10.0], celsius=31.0)).temperature_reading is Reading.MEASURED


def test_the_hottest_core_counts():
    recording = record([made.hello(), made.stat(0.1, 30_000, 41.5)])
    assert recording.temperature.v.last == 41.5
    assert recording.zones.names == ("cpu-0-0", "cpu-1-0")


@pytest.mark.parametrize(
    ("names", "family", "chosen"),
    [
        (("battery", "cpu-0-0", "cpu-1-3", "gpu"), "cpu", ("cpu-0-0", "cpu-1-3")),
        (("mtktscpu", "mtktsbattery"), "cpu", ("mtktscpu",)),
        (("BIG", "LITTLE", "G3D"), "cpu", ("BIG", "LITTLE")),
        (("soc_thermal", "skin"), "soc", ("soc_thermal",)),
        (("battery",), "battery", ("battery",)),
        (("charger",), "charger", ("charger",)),
    ],
)
def test_the_zones_nearest_to_the_cores_are_followed(names, family, chosen):
    zones = choose(names)
    assert (zones.family, zones.names) == (family, chosen)


def test_no_zones_no_choice():
    assert choose(()) is None


def test_the_device_says_when_it_throttles():
    recording = record(made.phone_run(throttle=46.0, told=True))
    assert recording.slowdown.told
    assert recording.slowdown.start - recording.origin == pytest.approx(46, abs=0.3)


def test_a_slowdown_that_the_device_keeps_to_itself_is_found_in_the_runs():
    recording = record(made.phone_run(throttle=30.0, told=False, slower=0.5))
    recording.finish(summary())
    assert not recording.slowdown.told
    assert recording.slowdown.ratio == pytest.approx(1.5, rel=0.05)
    assert recording.slowdown.start - recording.origin == pytest.approx(32, abs=3)


def test_an_even_run_is_not_slower():
    recording = record(made.phone_run(throttle=None))
    recording.finish(summary())
    assert recording.slowdown is None


def test_a_slowdown_among_60000_runs_is_found():
    recording = Recording()
    runs = [made.sample("steady", i, i / 1000, 1.0 if i < 40_000 else 1.6) for i in range(60_000)]
    recording.add((made.hello(), *runs))
    recording.find_slowdown()
    assert recording.slowdown.start == pytest.approx(41, abs=1.2)  # half a window after 40 s


def test_a_fallback_is_remembered():
    assert record([made.hello(), Warn("fallback", "no OpenCL")]).fell_back


def test_wrong_outputs_are_known_after_the_run():
    recording = record(made.steady_run([10.0]))
    assert not recording.outputs_are_wrong
    recording.finish(summary(RunOutputs(0.3, right=False)))
    assert recording.outputs_are_wrong


def test_a_stopped_run_stands_still():
    clock = Clock()
    recording = Recording(clock=clock)
    recording.phase(PUSH, 0.0)
    clock.now += 3.0
    recording.finish(None)
    clock.now += 50.0
    assert recording.elapsed == pytest.approx(3.0)
