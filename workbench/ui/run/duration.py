"""How long a run is unless somebody says otherwise."""

from __future__ import annotations

from typing import Final

DEFAULT_SECONDS: Final = 5.0
"""Long enough for the percentiles of a small model, and to see a phone grow warm."""
