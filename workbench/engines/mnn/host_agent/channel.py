"""The way to the host: events, one JSON object a line."""

from __future__ import annotations

import json
import os
import threading
import time
from typing import Final, NoReturn

from workbench.engines.mnn.host_agent.memory import resident_kb

HOST_GONE: Final = 1
_PERIOD_NS: Final = 15_000_000


class Channel:
    """Safe to use from any thread. Where nobody reads any more the process ends with HOST_GONE."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._finished = False

    def say(self, event: str, **fields: object) -> None:
        self.write(_line(event, fields))

    def write(self, lines: str) -> None:
        with self._lock:
            if not self._finished:
                self._send(lines.encode())

    def finish(self, event: str, **fields: object) -> None:
        """The last event; what others say afterwards is lost."""
        with self._lock:
            if not self._finished:
                self._finished = True
                self._send(_line(event, fields).encode())

    def _send(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            _leave()


class Samples:
    """Samples on their way to ``channel``, which get there between two inferences.

    A thread of its own would hold the interpreter in the middle of one: MNN's call gives it away.
    """

    def __init__(self, channel: Channel, began_ns: int) -> None:
        self._channel = channel
        self._began_ns = began_ns
        self._lines: list[str] = []
        self._sent_ns = 0

    def add(self, phase: str, index: int, begin_ns: int, end_ns: int) -> None:
        took_ms = (end_ns - begin_ns) / 1e6
        ns = begin_ns - self._began_ns
        self._lines.append(f'{{"ev":"sample","phase":"{phase}","i":{index},"ns":{ns},"ms":{took_ms:.6f}')
        if end_ns - self._sent_ns >= _PERIOD_NS:
            self.flush()

    def flush(self) -> None:
        if self._lines:
            self._channel.write("}\n".join(self._lines) + f',"rss_kb":{resident_kb()}}}\n')
            self._lines = []
        self._sent_ns = time.perf_counter_ns()


def _line(event: str, fields: dict[str, object]) -> str:
    return json.dumps({"ev": event, **fields}, separators=(",", ":")) + "\n"


def _leave() -> NoReturn:
    os._exit(HOST_GONE)
