"""One run of one model: what the agent says from its first event to the last but one."""

from __future__ import annotations

import gc
import mmap
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import MNN
from numpy.typing import NDArray

from workbench import __version__
from workbench.core.abi import host_abi
from workbench.engines.mnn.host_agent.channel import Channel, Samples
from workbench.engines.mnn.host_agent.failure import Failure, file_failure
from workbench.engines.mnn.host_agent.memory import read_memory, reset_peak
from workbench.engines.mnn.host_agent.op_times import OpTimes
from workbench.engines.mnn.host_agent.options import CPU, MODULE, PROTOCOL, SESSION, Options, parse_options
from workbench.engines.mnn.host_agent.processor import cores_got, thread_count
from workbench.engines.mnn.host_agent.state import RunState
from workbench.engines.mnn.host_agent.stats import start_stats
from workbench.engines.mnn.host_agent.tensors import Input, check_inputs, read_inputs, write_outputs
from workbench.engines.mnn.loaded_model import EngineSettings, LoadedModel, NotLoaded, RunFailed
from workbench.engines.mnn.module_model import ModuleModel
from workbench.engines.mnn.session_model import SessionModel

_MODELS: Final[dict[str, Callable[[str, Sequence[str], Sequence[str], EngineSettings], LoadedModel]]] = {
    SESSION: SessionModel,
    MODULE: ModuleModel,
}
_UNDISTURBED: Final = 0.9  # below this share of the cores asked for, a figure is not the model's
_PROFILED_RUNS: Final = 30
_LEAST_PROFILED_RUNS: Final = 3  # fewer have no median that leaves a disturbed run out
_PROFILED_NS: Final = 5_000_000_000


@dataclass(frozen=True, slots=True)
class _Ready:
    """A model that was fed. ``threads``: -1 where nobody tells."""

    model: LoadedModel
    path: str
    threads: int


def run(line: bytes, state: RunState, channel: Channel) -> dict[str, object]:
    """Do what ``line`` asks for and return the fields of ``done``. Raises Failure."""
    baseline = read_memory(with_pss=True)
    reset_peak()
    channel.say("hello", **_hello(baseline))
    options = parse_options(line)
    inputs = read_inputs(options.manifest)
    start_stats(options.stat_ms, state.began_ns, channel)
    if options.backend != CPU:
        _warn(channel, "fallback", f"{options.backend} is not there: the CPU takes its place")
    began = time.perf_counter_ns()
    ready = _load(options, options.path, inputs, measured=True)
    load_ms = (time.perf_counter_ns() - began) / 1e6
    if 0 < ready.threads < options.threads:
        _warn(channel, "threads_capped", f"{options.threads} threads were asked for, {ready.threads} run")
    channel.say(
        "loaded",
        load_ms=load_ms,
        path=ready.path,
        backend=CPU,
        threads=ready.threads,
        inputs=[entry.described for entry in inputs],
        outputs=list(ready.model.outputs),
        memory=read_memory(with_pss=True),
    )
    try:
        _measure(ready, options, state, channel)
        if state.stop_requested:
            return state.finished("stopped", [])
        finished = state.finished("complete", write_outputs(ready.model, options.outputs) if options.outputs else [])
        path = ready.path
        del ready  # two models in memory would be the peak of neither
        if options.ops:
            _profile(options, path, inputs, state, channel)
    except RunFailed as error:
        raise Failure("run", str(error)) from error
    return finished


def _hello(baseline: Mapping[str, int]) -> dict[str, object]:
    return {
        "protocol": PROTOCOL,
        "agent": f"python-{__version__}",
        "engine": MNN.version(),
        "abi": host_abi(),
        "pid": os.getpid(),
        "cores": os.cpu_count() or -1,
        "page_size": mmap.PAGESIZE,
        "backends": [CPU],  # the Python interface does not tell which others there are
        "cpu_flags": [],  # nor what the processor can
        "baseline": baseline,
    }


def _warn(channel: Channel, code: str, text: str) -> None:
    channel.say("warning", code=code, text=text)


def _load(options: Options, paths: Sequence[str], inputs: Sequence[Input], *, measured: bool) -> _Ready:
    """The model by the first of ``paths`` that can run it. Raises Failure."""
    try:
        Path(options.model).open("rb").close()
    except OSError as error:
        raise file_failure("load", options.model, error) from error
    settings = EngineSettings(
        options.winograd, options.threads, options.precision, options.memory, options.power, measured
    )
    for path in paths:
        before = thread_count()
        try:
            model = _MODELS[path](options.model, (), (), settings)
        except NotLoaded as error:
            raise Failure("load", f"{options.model}: the engine cannot load it") from error
        if _feed(model, check_inputs(model, inputs)):
            return _Ready(model, path, _threads(model, before))
    raise Failure("load", f"{options.model}: a Session cannot compute its shapes; run it as a Module")


def _feed(model: LoadedModel, arrays: Mapping[str, NDArray[Any]]) -> bool:
    try:
        return model.feed(arrays)
    except RunFailed as error:
        raise Failure("input", str(error)) from error


def _threads(model: LoadedModel, before: int | None) -> int:
    """What the engine tells, or else how many threads its pool added to the calling one."""
    now = thread_count()
    if model.threads > 0 or before is None or now is None:
        return model.threads
    return now - before + 1


def _measure(ready: _Ready, options: Options, state: RunState, channel: Channel) -> None:
    samples = Samples(channel, state.began_ns)
    model = ready.model

    def once(phase: str, index: int) -> None:
        begin = time.perf_counter_ns()
        model.infer()
        samples.add(phase, index, begin, time.perf_counter_ns())

    _warn_where_disturbed(options.threads if ready.threads < 1 else ready.threads, channel)
    gc.disable()  # a collection in the middle of an inference is not the model's
    for phase, runs in (("first", 1), ("warmup", options.warmup)):
        for index in range(runs):
            if not state.stop_requested:
                once(phase, index)
    limit_ns = int(options.seconds * 1e9)
    state.begin_steady()
    begin = time.perf_counter_ns()
    while not state.stop_requested:
        if time.perf_counter_ns() - begin >= limit_ns if limit_ns else state.n >= options.iterations:
            break
        once("steady", state.n)
        state.n += 1
    state.end_steady()
    samples.flush()
    gc.enable()


def _warn_where_disturbed(threads: int, channel: Channel) -> None:
    got = cores_got(threads)
    if got is not None and got < _UNDISTURBED * threads:
        spinning = "1 spinning thread" if threads == 1 else f"{threads} spinning threads"
        _warn(channel, "disturbed", f"{spinning} got {got:.2f} cores before the runs")


def _profile(options: Options, path: str, inputs: Sequence[Input], state: RunState, channel: Channel) -> None:
    """Apart from the steady runs: call-backs and the session that allows them cost time and memory."""
    model = _load(options, (path,), inputs, measured=False).model
    model.infer()
    times = OpTimes()
    begin = time.perf_counter_ns()
    while times.runs < _PROFILED_RUNS and not state.stop_requested:
        if times.runs >= _LEAST_PROFILED_RUNS and time.perf_counter_ns() - begin >= _PROFILED_NS:
            break
        ops = model.time_ops()
        if ops is None:
            _warn(channel, "no_ops", "a Module's operators are not timed here: the engine's Python interface cannot")
            return
        times.add(ops)
    for figures in times.figures():
        channel.say("op", **figures)
