"""The child that keeps a witness (inputs and the reference's outputs) and compares a device's outputs with it.

Standard library and numpy only.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from workbench.children.serve import Job, Refusal
from workbench.engines.arrays import Array, Arrays, read_npz
from workbench.engines.compare import compare
from workbench.engines.comparison import MISSING, Comparison

_ENGINE_TYPES: Final = {"f": np.dtype("<f4"), "i": np.dtype("<i4"), "b": np.dtype("<i4"), "u": np.dtype("<i4")}
"""MNN holds 64-bit integers and booleans as int32, halves and doubles as float; bytes stay bytes."""
_INT32: Final = np.iinfo(np.int32)


def keep(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Write ``file`` (.npz): in0, in1 ... and out0, out1 ... from .npy files, and their names."""
    arrays: Arrays = {
        "inputs": np.array(list(request["inputs"]), dtype=np.str_),
        "outputs": np.array(list(request["outputs"]), dtype=np.str_),
    }
    for kind in ("in", "out"):
        for number, file in enumerate(request[f"{kind}puts"].values()):
            arrays[f"{kind}{number}"] = np.load(file)
    np.savez_compressed(request["file"], allow_pickle=False, **arrays)
    return {}


def unpack(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """The inputs of the witness ``file``, or of the user's ``given`` in their place, as raw files.

    Returns {"inputs": [{"name", "dtype", "shape", "file"}]}. Refuses with "bad_inputs", "bad_witness".
    """
    arrays = _kept(request["file"], "in")
    if request["given"] is not None:
        arrays = _given(request["given"], arrays)
    entries = []
    for number, (name, array) in enumerate(arrays.items()):
        raw = _engine_array(name, array)
        file = job.folder / f"raw{number}.bin"
        raw.tofile(file)
        entries.append({"name": name, "dtype": raw.dtype.name, "shape": list(array.shape), "file": str(file)})
    return {"inputs": entries}


def _given(file: str, expected: Arrays) -> Arrays:
    """The user's arrays by name, or as in0, in1 ... in the model's order."""
    arrays = read_npz(Path(file), "bad_inputs")
    found = {}
    for number, (name, model_array) in enumerate(expected.items()):
        key = name if name in arrays else f"in{number}"
        if key not in arrays:
            raise Refusal("bad_inputs", f"there is no array {name} or in{number}; found: {', '.join(arrays)}")
        array = arrays[key]
        if array.ndim != model_array.ndim or array.dtype.kind not in _ENGINE_TYPES:
            raise Refusal(
                "bad_inputs",
                f"{name} is {array.dtype}{list(array.shape)}, not like {model_array.dtype}{list(model_array.shape)}",
            )
        found[name] = array.astype(model_array.dtype)
    return found


def _kept(file: str, kind: str) -> Arrays:
    """The witness's inputs ("in") or outputs ("out") by name, in graph order. Refuses with "bad_witness"."""
    witness = read_npz(Path(file), "bad_witness")
    try:
        return {str(name): witness[f"{kind}{number}"] for number, name in enumerate(witness[f"{kind}puts"])}
    except (KeyError, TypeError) as error:
        raise Refusal("bad_witness", f"it has no {error}") from error


def _engine_array(name: str, array: Array) -> Array:
    if array.dtype == np.uint8:
        return np.ascontiguousarray(array)
    if array.dtype.kind in "iu" and array.size and (array.min() < _INT32.min or array.max() > _INT32.max):
        raise Refusal("bad_inputs", f"{name} holds integers above 32 bits, which is all that the engine takes")
    return np.ascontiguousarray(array.astype(_ENGINE_TYPES[array.dtype.kind]))


def compare_outputs(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """The device's raw ``outputs`` against the witness's. Returns {"rows": [...]}, as the engine's runner does.

    Refuses with "bad_witness".
    """
    found = {entry["name"]: entry for entry in request["outputs"]}
    rows = []
    for name, want in _kept(request["file"], "out").items():
        entry = found.get(name)
        row = Comparison(MISSING, "no such output") if entry is None else compare(_read(entry), want)
        rows.append({"case": 0, "output": name, **asdict(row)})
    return {"rows": rows}


def _read(entry: dict[str, Any]) -> Array:
    return np.fromfile(entry["file"], dtype=np.dtype(entry["dtype"]).newbyteorder("<")).reshape(entry["shape"])


FUNCTIONS = {"keep": keep, "unpack": unpack, "compare_outputs": compare_outputs}
