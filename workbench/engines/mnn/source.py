"""Giving a model file to a converter that wants a plain ASCII path, without copying it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

SOURCE: Final = "in.onnx"


def engine_path(source: Path, external_files: tuple[str, ...], folder: Path) -> Path:
    """A path on which native code can open ``source``: its own where that is ASCII, else ``folder/in.onnx``.

    ``external_files`` are relative to the folder of ``source``, and the converter looks for them
    beside the path it is given, so they are made to lie there.
    """
    absolute = source.absolute()
    if str(absolute).isascii():
        return absolute
    place = folder / SOURCE
    _link(absolute, place)
    for name in external_files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        _link(absolute.parent / name, folder / name)
    return place


def _link(source: Path, place: Path) -> None:
    """``place`` becomes a link to ``source``, or a copy where the system allows no links."""
    place.unlink(missing_ok=True)
    try:
        place.symlink_to(source)  # a symbolic link crosses file systems; on Windows it takes a privilege
    except OSError:
        try:
            os.link(source, place)
        except OSError:
            shutil.copyfile(source, place)
