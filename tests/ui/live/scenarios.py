"""Streams of agent events, made up but shaped like a phone's: what the charts are shown with."""

import math
import random

from workbench.core.protocol import Finished, Hello, Loaded, Memory, Sample, Stat, Warn

BASELINE_KB = 24_000
NS = 1_000_000_000


def hello(baseline=None):
    memory = Memory(rss_kb=BASELINE_KB, peak_kb=BASELINE_KB) if baseline is None else baseline
    return Hello(1, "workbench 0.1", "3.6.1", "arm64-v8a", 4242, 9, 4096, ("cpu",), ("dotprod", "i8mm"), memory)


def loaded(backend="cpu", load_ms=212.0):
    return Loaded(load_ms, "session", backend, 4, (), ("out",), Memory(BASELINE_KB + 170_000, BASELINE_KB + 170_000))


def stat(t, rss_kb, celsius=None, khz=()):
    temperatures = {} if celsius is None else {"cpu-0-0": celsius, "cpu-1-0": celsius - 2, "battery": 30.0}
    memory = Memory(rss_kb=rss_kb, peak_kb=rss_kb)
    return Stat(int(t * NS), memory, t * 2000, 4_000_000, temperatures, tuple(khz))


def sample(phase, i, t, ms, rss_kb=-1):
    return Sample(phase, i, int(t * NS), ms, rss_kb)


def phone_run(
    seconds=58.0, rate=25.0, level=38.3, throttle=46.0, told=True, clock=True, temperature=True, slower=0.3, seed=5
):
    """A run as a phone gives it: load, some slow runs, steady with spikes, and throttling at the end."""
    rng = random.Random(seed)
    warm = 8.0
    yield hello()
    yield loaded()
    t, i, phase = 0.8, 0, "first"
    next_stat = 0.0
    warned = False
    while t < warm + seconds:
        steady_t = t - warm
        slow = throttle is not None and steady_t > throttle
        hot = 1 - math.exp(-(steady_t - throttle) / 3) if slow else 0.0
        while next_stat <= t:
            celsius = 31 + 13 * (1 - math.exp(-max(next_stat - 0.8, 0) / 25)) + rng.gauss(0, 0.05)
            khz = (1_700_000, int(2_910_000 - 900_000 * hot)) if clock else ()
            used = BASELINE_KB + (0 if next_stat < 0.2 else 174_000 + int(rng.gauss(0, 700)))
            yield stat(next_stat, used, celsius if temperature else None, khz)
            next_stat += 0.2
        if slow and told and not warned:
            warned = True
            yield Warn("throttled", "clock of core 8 fell")
        start = 1 + 0.6 * math.exp(-(t - 0.8) / 1.2)
        ms = level * start * (1 + abs(rng.gauss(0, 0.006))) * (1 + slower * hot)
        if rng.random() < 0.03:
            ms += rng.expovariate(1 / (0.12 * level))
        yield sample(phase, i, t, ms)
        i += 1
        t += max(1 / rate, ms / 1000)
        phase = "steady" if t >= warm else "warmup"
    n = i
    yield Finished("complete", n, 0, seconds * 1000, seconds * 3600, Memory(BASELINE_KB, BASELINE_KB + 177_000))


def steady_run(times_ms, gap=0.04, first_ms=60.0, **kwargs):
    """A few runs with the latencies given, without any telemetry but what ``kwargs`` ask for."""
    yield hello(kwargs.get("baseline"))
    yield loaded()
    yield stat(0.1, kwargs.get("rss_kb", BASELINE_KB + 100_000), kwargs.get("celsius"))
    yield sample("first", 0, 0.25, first_ms)
    for i, ms in enumerate(times_ms):
        yield sample("steady", i + 1, 0.35 + i * gap, ms)
    yield stat(0.36 + len(times_ms) * gap, kwargs.get("rss_kb", BASELINE_KB + 100_000), kwargs.get("celsius"))
