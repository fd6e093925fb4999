"""What the graph shows on its nodes besides their names: one overlay at a time."""

from __future__ import annotations

from enum import StrEnum


class Overlay(StrEnum):
    """SUPPORT: verdict badges and shares. BITS: the bits of the plan as tint and word."""

    NONE = "none"
    SUPPORT = "support"
    BITS = "bits"
