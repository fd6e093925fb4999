"""The user's own inputs: a .npz with an array for each input, by name or as in0, in1 ...

Worker side: standard library and numpy only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from workbench.children.serve import Refusal
from workbench.engines.arrays import Array, Arrays, read_npz
from workbench.engines.sizes import Dim, axis_key, is_open

BAD_INPUTS: Final = "bad_inputs"
BAD_SHAPE: Final = "bad_shape"


def read_arrays(path: Path, dtypes: Mapping[str, str]) -> Arrays:
    """The arrays of ``path`` by input name, in the dtypes of the model. Refuses with "bad_inputs"."""
    stored = read_npz(path, BAD_INPUTS)
    arrays: Arrays = {}
    for position, (name, dtype) in enumerate(dtypes.items()):
        key = name if name in stored else f"in{position}"
        if key not in stored:
            raise Refusal(BAD_INPUTS, f"It has no array for input {name}: name it so, or in{position}")
        arrays[name] = _as(stored.pop(key), dtype, name)
    if stored:
        raise Refusal(BAD_INPUTS, f"The model has no input {', '.join(sorted(stored))}")
    return arrays


def _as(array: Array, dtype: str, name: str) -> Array:
    wanted = np.dtype(dtype)
    if array.dtype == wanted:
        return array
    if array.dtype.kind == wanted.kind or (array.dtype.kind in "iub" and wanted.kind == "f"):
        with np.errstate(over="ignore"):  # told below
            changed = array.astype(wanted)
        if wanted.kind == "f" or np.array_equal(changed, array):
            return changed
    raise Refusal(BAD_INPUTS, f"Input {name} takes {dtype}; the file holds {array.dtype}")


def fix_axes(shapes: Mapping[str, Sequence[Dim]], asked: Mapping[str, Sequence[int]], kind: str) -> dict[str, int]:
    """The sizes of open axes that ``asked`` (shapes by input) fixes.

    Refuses with ``kind`` where an input is unknown, a rank or a fixed size differs, or two inputs
    give one named axis two sizes.
    """
    fixed: dict[str, int] = {}
    for name, sizes in asked.items():
        if name not in shapes:
            raise Refusal(kind, f"The model has no input {name}, only {', '.join(shapes)}")
        dims = shapes[name]
        if len(dims) != len(sizes):
            raise Refusal(kind, f"Input {name} has {len(dims)} axes ({_listed(dims)}), not {len(sizes)}")
        for position, (dim, size) in enumerate(zip(dims, sizes, strict=True)):
            if not is_open(dim):
                if dim != size:
                    raise Refusal(kind, f"Axis {position} of input {name} is {dim}, not {size} ({_listed(dims)})")
                continue
            key = axis_key(name, position, dim)
            if fixed.setdefault(key, size) != size:
                raise Refusal(kind, f"Axis {dim} cannot be both {fixed[key]} and {size}")
    return fixed


def _listed(dims: Sequence[Dim]) -> str:
    return " x ".join("?" if dim is None else str(dim) for dim in dims)
