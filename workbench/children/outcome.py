"""How a child's job ended, as a value."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class End(StrEnum):
    OK = "ok"
    REFUSED = "refused"
    FAILED = "failed"  # the worker raised: a fault of ours
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"


@dataclass(frozen=True, slots=True)
class Limits:
    """``seconds`` of wall time and ``rss_bytes`` of the whole process tree; mmap defeats RLIMIT_AS."""

    seconds: float = 600.0
    rss_bytes: int = 16 << 30


@dataclass(frozen=True, slots=True)
class Outcome:
    """``result`` only where ``end`` is OK; ``refusal`` and ``details`` where REFUSED.

    ``lines``: the last lines that the worker and its engine printed.
    """

    end: End
    seconds: float
    peak_rss_bytes: int
    lines: tuple[str, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)
    refusal: str = ""
    text: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    exit_code: int | None = None

    @property
    def ok(self) -> bool:
        return self.end is End.OK

    @property
    def reason(self) -> str:
        """Why there is no result, in as few words as there are."""
        return self.text or self.signal_name or self.end.value

    @property
    def signal_name(self) -> str:
        """ "SIGSEGV" for a child killed by that signal; its exit code in words otherwise."""
        if self.exit_code is None:
            return ""
        if self.exit_code < 0:
            try:
                return signal.Signals(-self.exit_code).name
            except ValueError:
                return f"signal {-self.exit_code}"
        return f"exit code {self.exit_code}"
