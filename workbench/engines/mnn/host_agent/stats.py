"""The computer's state while a model runs: a thread that says it at every beat."""

from __future__ import annotations

import sys
import threading
import time

import psutil

from workbench.engines.mnn.host_agent.channel import Channel
from workbench.engines.mnn.host_agent.memory import read_memory


def start_stats(period_ms: int, began_ns: int, channel: Channel) -> None:
    """Say ``stat`` now and every ``period_ms`` until the process ends."""

    def beat() -> None:
        pause = threading.Event()
        while True:
            channel.say(
                "stat",
                ns=time.perf_counter_ns() - began_ns,
                memory=read_memory(with_pss=False),
                cpu_ms=time.process_time() * 1e3,
                available_kb=psutil.virtual_memory().available >> 10,
                temperature_c=_temperatures(),
                clock_khz=_clocks(),
            )
            pause.wait(period_ms / 1e3)

    threading.Thread(target=beat, name="stats", daemon=True).start()


def _temperatures() -> dict[str, float]:
    """psutil reads sensors on Linux; on Windows and macOS it has no such function."""
    if sys.platform != "linux":
        return {}
    return {
        f"{chip} {sensor.label}".strip(): float(sensor.current)
        for chip, sensors in psutil.sensors_temperatures().items()
        for sensor in sensors
        if sensor.current is not None
    }


def _clocks() -> list[int | None]:
    """By core. On Windows and macOS psutil answers what is printed on the box, which is no measurement."""
    if sys.platform != "linux":
        return []
    return [int(core.current * 1000) if core.current else None for core in psutil.cpu_freq(percpu=True) or ()]
