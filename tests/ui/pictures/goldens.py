"""The pictures that are kept, and those that a failed comparison leaves beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image
from PySide6.QtGui import QImage

from tests.ui.pictures.compare import MOST, Difference, difference, pixels
from tests.ui.pictures.scenes import Scene

FOLDER: Final = Path(__file__).parents[2] / "data" / "pictures"
_LOST: Final = 4.0
"""What keeping a picture may change of a block: far less than what is looked for."""
_COLOURS, _EXACT = 256, 128
"""A picture keeps its commonest colours as they are, and the nearest of the other shades: a third of the bytes."""


def golden(name: str) -> Path:
    return FOLDER / f"{name}.png"


def keep(scene: Scene) -> Path:
    """Make ``scene`` the picture that others are held against."""
    file = golden(scene.name)
    FOLDER.mkdir(exist_ok=True)
    _small(scene.image).save(file, optimize=True)
    lost = difference(QImage(str(file)), scene.image, most=_LOST)
    assert not lost, lost.words()
    for left in _left(scene.name):
        left.unlink(missing_ok=True)
    return file


def _small(image: QImage) -> Image.Image:
    shown = pixels(image)
    colours, place, count = np.unique(shown.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    colours = colours.astype(np.int32)
    kept = list(np.argsort(-count, kind="stable")[:_EXACT])
    away = ((colours[:, None] - colours[kept][None]) ** 2).sum(-1).min(1)
    while len(kept) < _COLOURS and away.any():  # the one that none of those kept is near to
        kept.append(int(away.argmax()))
        away = np.minimum(away, ((colours - colours[kept[-1]]) ** 2).sum(-1))
    nearest = ((colours[:, None] - colours[kept][None]) ** 2).sum(-1).argmin(1).astype(np.uint8)
    result = Image.fromarray(nearest[place].reshape(shown.shape[:2]))
    result.putpalette(colours[kept].astype(np.uint8).tobytes())
    return result


def compared(scene: Scene, most: float = MOST) -> Difference:
    """Hold ``scene`` against its picture; where it differs, it and what differs are written beside that."""
    kept = QImage(str(golden(scene.name)))
    found = difference(kept, scene.image, scene.masks, most)
    if found:
        for file, image in zip(_left(scene.name), (scene.image, found.image), strict=True):
            image.save(str(file))
    return found


def _left(name: str) -> tuple[Path, Path]:
    return FOLDER / f"{name}.actual.png", FOLDER / f"{name}.diff.png"
