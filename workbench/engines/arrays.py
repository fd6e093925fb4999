"""Arrays in files: .npy files by tensor name, and the .npz files of users and witnesses.

Standard library and numpy only: workers import this.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.children.serve import Refusal

Array = NDArray[Any]
Arrays = dict[str, Array]


def save_arrays(folder: Path, stem: str, arrays: Mapping[str, Array]) -> dict[str, str]:
    """Write ``arrays`` as folder/stem0.npy, stem1.npy ...; the files by name. Names of tensors are no file names."""
    files = {name: folder / f"{stem}{position}.npy" for position, name in enumerate(arrays)}
    for name, file in files.items():
        np.save(file, arrays[name])
    return {name: str(file) for name, file in files.items()}


def load_arrays(files: Mapping[str, str]) -> Arrays:
    """What ``save_arrays`` wrote, by name."""
    return {name: np.load(file) for name, file in files.items()}


def read_npz(path: Path, refusal: str) -> Arrays:
    """The arrays of a .npz file that may come from anywhere, by key. Refuses with ``refusal``."""
    try:
        if not zipfile.is_zipfile(path):  # numpy would take it for a pickle, and say how to run one
            raise Refusal(refusal, "it is not a .npz file")
        with np.load(path, allow_pickle=False) as loaded:
            return {key: loaded[key] for key in loaded.files}
    # A file whose bytes changed: numpy lets through what zipfile, zlib and its own header reader raise.
    except (OSError, ValueError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        raise Refusal(refusal, f"it is not a .npz file of plain arrays: {error}") from error
