"""The line under the charts: what the steady numbers leave out, and what was found."""

from __future__ import annotations

from workbench.ui.live.recording import Recording
from workbench.ui.live.words import number
from workbench.ui.text import sentences, tr


def caption(recording: Recording) -> str:
    """One to three sentences about the run so far."""
    parts = [tr("Push, load, warm-up and first run are kept out of the steady numbers.")]
    slowdown = recording.slowdown
    if slowdown is not None:
        at = number(slowdown.start - recording.origin, 1)
        told = tr("Throttling found at {t} s.", t=at)
        found = tr("Slower from {t} s on; the device does not say why.", t=at)
        parts.append(told if slowdown.told else found)
    if recording.outputs_are_wrong:
        parts.append(tr("The outputs are wrong, so these times are no measure of speed."))
    return sentences(parts)
