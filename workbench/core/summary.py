"""A run's events as its figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from workbench.core import statistics
from workbench.core.artifact import OpNode
from workbench.core.messages import Message, msg
from workbench.core.numbers import three_digits
from workbench.core.op import Op
from workbench.core.protocol import Event, Finished, Hello, Loaded, Sample, Stat, Warn
from workbench.core.run import Latency, ProfiledOp, RunMemory, RunOutputs, RunSummary

E = TypeVar("E")
_UNDISTURBED: Final = 0.25
"""Share of the median run by which the operators' medians may miss it. Call-backs and the inputs' and
outputs' copies, which no operator counts, make a part of it."""


def summarise(
    events: Sequence[Event],
    outputs: RunOutputs | None,
    *,
    requested: Mapping[str, str | int | float],
    warnings: tuple[Message, ...] = (),
    nodes: Mapping[str, OpNode] | None = None,
) -> RunSummary:
    """The figures of a run. What was not measured is None or absent, never zero. ``nodes`` by the operators' names.

    A run whose outputs are wrong has no latency: its speed means nothing.
    """
    hello = _last(Hello, events)
    loaded = _last(Loaded, events)
    finished = _last(Finished, events)
    steady = [event.ms for event in events if isinstance(event, Sample) and event.phase == "steady"]
    first = next((event.ms for event in events if isinstance(event, Sample) and event.phase == "first"), None)
    wrong = outputs is not None and not outputs.right
    latency = None if wrong else statistics.latency(steady)
    ops = () if wrong else tuple(_profiled(event, nodes or {}) for event in events if isinstance(event, Op))
    return RunSummary(
        load_ms=loaded.load_ms if loaded else None,
        first_ms=None if wrong else first,
        latency_ms=latency,
        memory=_memory(hello, finished),
        temperature=_temperature(event for event in events if isinstance(event, Stat)),
        ops=ops,
        outputs=outputs,
        requested=requested,
        actual=_actual(hello, loaded),
        dropped=finished.dropped if finished else 0,
        warnings=(*warnings, *_warnings(events, steady), *_profile_warnings(ops, latency)),
    )


def _last(kind: type[E], events: Sequence[Event]) -> E | None:
    return next((event for event in reversed(events) if isinstance(event, kind)), None)


def _profiled(op: Op, nodes: Mapping[str, OpNode]) -> ProfiledOp:
    node = nodes.get(op.name)
    return ProfiledOp(op.name, op.type, op.ms, op.n, op.mflops, node.id if node else None, node.name if node else None)


def _memory(hello: Hello | None, finished: Finished | None) -> RunMemory | None:
    if hello is None or finished is None or hello.baseline.rss_kb < 0 or finished.memory.peak_kb < 0:
        return None
    return RunMemory(hello.baseline.rss_kb, finished.memory.peak_kb)


def _temperature(stats: Iterable[Stat]) -> dict[str, tuple[float, float, float]]:
    zones: dict[str, list[float]] = {}
    for stat in stats:
        for zone, celsius in stat.temperature_c.items():
            zones.setdefault(zone, []).append(celsius)
    return {zone: (values[0], values[-1], max(values)) for zone, values in zones.items()}


def _actual(hello: Hello | None, loaded: Loaded | None) -> dict[str, str | int | float]:
    actual: dict[str, str | int | float] = {}
    if hello is not None:
        actual |= {"abi": hello.abi, "engine": hello.engine, "agent": hello.agent, "cores": hello.cores}
    if loaded is not None:
        actual |= {"backend": loaded.backend, "path": loaded.path}
        if loaded.threads > 0:
            actual["threads"] = loaded.threads
    return actual


def _warnings(events: Sequence[Event], steady: Sequence[float]) -> Iterable[Message]:
    for event in events:
        if isinstance(event, Warn):
            yield msg("{code}: {text}", code=event.code, text=event.text)
    drift = statistics.drift(steady)
    if drift is not None and drift.is_slower:
        yield msg(
            "throttled: the last third of the runs took {ratio} times as long as the first", ratio=round(drift.ratio, 2)
        )


def _profile_warnings(ops: Sequence[Op], latency: Latency | None) -> Iterable[Message]:
    """Profiled runs are others than the steady ones: what slowed one kind alone shows as a gap between them."""
    if not ops or latency is None:
        return
    total = math.fsum(op.ms for op in ops)
    if abs(total - latency.p50) > _UNDISTURBED * latency.p50:
        yield msg(
            "The operators' times add up to {sum} ms, the runs took {p50} ms: the profile was disturbed",
            sum=three_digits(total),
            p50=three_digits(latency.p50),
        )
