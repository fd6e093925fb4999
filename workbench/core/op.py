"""An operator's time. Apart from the protocol, which brings msgspec: a window that starts needs neither."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Op:
    """One operator's median time over ``n`` profiled runs, in the engine's order.

    An operator that a run passes more than once has their sum. ``n`` is 30, or as many as fit 5 s but
    at least 3; fewer where the profile was stopped.
    """

    name: str
    type: str
    ms: float
    n: int
    mflops: float = 0.0
