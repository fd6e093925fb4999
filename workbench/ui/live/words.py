"""Numbers and terms of the charts as a person reads them. Numbers and units stay Latin everywhere."""

from __future__ import annotations

import math

from workbench.core.numbers import decimals_of
from workbench.ui.live import recording
from workbench.ui.text import tr

MINUS = "\N{MINUS SIGN}"


def number(value: float, decimals: int) -> str:
    """Grouped by thousands, with a real minus; never "-0"."""
    text = f"{abs(value):,.{decimals}f}"
    return MINUS + text if value < 0 and any(digit in text for digit in "123456789") else text


def signed(value: float, decimals: int) -> str:
    """A difference: with its sign."""
    text = number(value, decimals)
    return text if text.startswith(MINUS) else f"+{text}"


def decimals_for(uncertainty: float | None, value: float) -> int:
    """Decimals worth writing: to the first digit of the ``uncertainty``, else three digits of ``value``."""
    if uncertainty is not None and uncertainty > 0:
        return min(max(-math.floor(math.log10(uncertainty)), 1), 5)
    return decimals_of(value)


def milliseconds(value: float) -> str:
    return f"{number(value, decimals_of(value))} ms"


def phase_word(name: str) -> str:
    """The word on a phase's band; a host phase of another name is shown as it is."""
    words = {
        recording.PREPARE: tr("Prepare"),
        recording.PUSH: tr("Push"),
        recording.LOAD: tr("Load"),
        recording.WARMUP: tr("Warm-up"),
        recording.STEADY: tr("Steady"),
    }
    return words.get(name, name)
