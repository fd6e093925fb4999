"""The models that come with Workbench."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.core.messages import Message, msg
from workbench.core.places import resources


@dataclass(frozen=True, slots=True)
class Sample:
    """``heldout``: arrays by input name, and ``label``, that the model was not trained on."""

    title: Message
    about: Message
    model: Path
    heldout: Path


def digits() -> Sample:
    """A CNN of 294,250 parameters for UCI's optical digits, which scikit-learn brings."""
    folder = resources() / "samples" / "digits"
    return Sample(
        msg("Digits"),
        msg("Small CNN with 360 labelled images: the whole way in a minute"),
        folder / "digits.onnx",
        folder / "heldout.npz",
    )


def all_samples() -> tuple[Sample, ...]:
    return (digits(),)
