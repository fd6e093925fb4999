"""Where the engine looks for weights that a model does not hold itself: beside it.

Standard library only: workers import this.
"""

from __future__ import annotations

from pathlib import Path


def weights_path(model: Path) -> Path:
    """The converter writes it where weights come to more than 2 GB; the engine appends ".weight" to a model's name."""
    return model.with_name(f"{model.name}.weight")
