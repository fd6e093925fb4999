"""The options line: ``AgentOptions`` of core/protocol.py, checked value by value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from workbench.engines.mnn.host_agent import strict_json
from workbench.engines.mnn.host_agent.failure import Failure
from workbench.engines.mnn.host_agent.strict_json import BadJson

PROTOCOL: Final = 1
CPU: Final = "cpu"
SESSION: Final = "session"
MODULE: Final = "module"
_BACKENDS: Final = (CPU, "opencl", "vulkan")
_PRECISIONS: Final = ("normal", "high", "low")
_LEVELS: Final = {"normal": 0, "high": 1, "low": 2}
"""MNN's BackendConfig::MemoryMode and PowerMode."""
_PATHS: Final = {"auto": (SESSION, MODULE), SESSION: (SESSION,), MODULE: (MODULE,)}
_MAX_THREADS: Final = 64
_MAX_RUNS: Final = 100_000_000
_MAX_SECONDS: Final = 24 * 3600
_STAT_MS: Final = (10, 60_000)


@dataclass(frozen=True, slots=True)
class Options:
    """``paths``: what to try, in this order. ``memory`` and ``power`` are MNN's numbers."""

    model: str
    manifest: str
    backend: str = CPU
    threads: int = 1
    precision: str = "normal"
    memory: int = 0
    power: int = 0
    path: tuple[str, ...] = _PATHS["auto"]
    winograd: bool = True
    warmup: int = 3
    iterations: int = 50
    seconds: float = 0.0
    ops: bool = False
    outputs: str = ""
    stat_ms: int = 200
    protocol: int = PROTOCOL


def parse_options(line: bytes) -> Options:
    """Raises Failure("options") where the line is no object, a key is unknown or a value does not fit."""
    values: dict[str, Any] = {}
    key = ""
    try:
        for key, value in strict_json.parse(line).items():
            values[key] = _FIELDS.get(key, _unknown)(value)
        for key in ("model", "manifest"):
            _file_name(values.get(key, ""))
    except ValueError as error:
        raise Failure("options", f"{key}: {error}" if key else str(error)) from error
    return Options(**values)


def _unknown(_value: object) -> object:
    raise BadJson("no such option")


def _file_name(value: object) -> str:
    name = strict_json.text(value)
    if not name:
        raise BadJson("a file name expected")
    if "\0" in name:
        raise BadJson("a file name has no NUL")
    return name


def _file_name_or_none(value: object) -> str:
    return "" if value == "" else _file_name(value)


def _seconds(value: object) -> float:
    number = strict_json.real(value)
    if not 0 <= number <= _MAX_SECONDS:
        raise BadJson(f"seconds from 0 to {_MAX_SECONDS} expected")
    return number


def _between(low: int, high: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        number = strict_json.integer(value)
        if not low <= number <= high:
            raise BadJson(f"a number from {low} to {high} expected")
        return number

    return check


def _one_of(choices: Mapping[str, object]) -> Callable[[object], object]:
    def check(value: object) -> object:
        word = strict_json.text(value)
        if word not in choices:
            raise BadJson(f"one of {', '.join(choices)} expected")
        return choices[word]

    return check


_FIELDS: Final[dict[str, Callable[[object], object]]] = {
    "model": _file_name,
    "manifest": _file_name,
    "backend": _one_of({name: name for name in _BACKENDS}),
    "threads": _between(1, _MAX_THREADS),
    "precision": _one_of({name: name for name in _PRECISIONS}),
    "memory": _one_of(_LEVELS),
    "power": _one_of(_LEVELS),
    "path": _one_of(_PATHS),
    "winograd": strict_json.boolean,
    "warmup": _between(0, _MAX_RUNS),
    "iterations": _between(1, _MAX_RUNS),
    "seconds": _seconds,
    "ops": strict_json.boolean,
    "outputs": _file_name_or_none,
    "stat_ms": _between(*_STAT_MS),
    "protocol": _between(PROTOCOL, PROTOCOL),
}
