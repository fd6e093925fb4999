"""Inputs and outputs as raw files, and the manifest that names them."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.engines.mnn.host_agent import strict_json
from workbench.engines.mnn.host_agent.failure import Failure, file_failure
from workbench.engines.mnn.host_agent.strict_json import BadJson
from workbench.engines.mnn.loaded_model import LoadedModel

_DTYPES: Final = ("float32", "int32", "uint8")
_MAX_SIZE: Final = 2**31 - 1
_MAX_ELEMENTS: Final = 2**31


@dataclass(frozen=True, slots=True)
class Input:
    """One entry of the manifest, and what its file holds."""

    name: str
    file: str
    values: NDArray[Any]

    @property
    def described(self) -> dict[str, object]:
        """As ``loaded`` tells it."""
        return _described(self.name, self.values, self.file)


def read_inputs(manifest: str) -> tuple[Input, ...]:
    """Raises Failure("input") where the manifest or a file does not fit."""
    try:
        entries = strict_json.items(strict_json.parse(_bytes_of(manifest))["inputs"])
        headers = [_header(strict_json.members(entry)) for entry in entries]
    except KeyError as error:
        raise Failure("input", f'{manifest}: "{error.args[0]}" is missing') from error
    except ValueError as error:
        raise Failure("input", f"{manifest}: {error}") from error
    return tuple(Input(name, file, _values(name, dtype, shape, file)) for name, dtype, shape, file in headers)


def check_inputs(model: LoadedModel, inputs: Sequence[Input]) -> Mapping[str, NDArray[Any]]:
    """What the model takes, by name. Raises Failure("input") for one that is missing or of another type."""
    given = {entry.name: entry.values for entry in inputs}
    for name, dtype in model.inputs.items():
        if name not in given:
            known = ", ".join(given) or "nothing"
            raise Failure("input", f"the model takes {name}; the manifest has {known}")
        taken = "another type" if dtype is None else np.dtype(dtype).name
        if taken != given[name].dtype.name:
            raise Failure("input", f"{name}: the model takes {taken}, the manifest says {given[name].dtype.name}")
    return {name: given[name] for name in model.inputs}


def write_outputs(model: LoadedModel, folder: str) -> list[dict[str, object]]:
    """The last outputs as files that are numbered: names of tensors never become names of files."""
    written = []
    try:
        os.mkdir(folder)
    except FileExistsError:
        pass  # the host made it
    except OSError as error:
        raise file_failure("output", folder, error) from error
    for number, (name, values) in enumerate(zip(model.outputs, model.read(), strict=True)):
        if values.dtype.name not in _DTYPES:
            raise Failure("output", f"{name}: its type has no raw form")
        file = f"{folder}/out{number}.raw"
        try:
            Path(file).write_bytes(values.tobytes())
        except OSError as error:
            raise file_failure("output", file, error) from error
        written.append(_described(name, values, file))
    return written


def _bytes_of(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise file_failure("input", file, error) from error


def _header(entry: dict[str, object]) -> tuple[str, str, tuple[int, ...], str]:
    name, dtype = strict_json.text(entry["name"]), strict_json.text(entry["dtype"])
    if dtype not in _DTYPES:
        raise BadJson(f'"{dtype}" is none of {", ".join(_DTYPES)}')
    shape = tuple(strict_json.integer(size) for size in strict_json.items(entry["shape"]))
    if not all(1 <= size <= _MAX_SIZE for size in shape):
        raise BadJson("a size of the shape is out of range")
    if math.prod(shape) > _MAX_ELEMENTS:
        raise BadJson("a tensor has more than 2^31 elements")
    return name, dtype, shape, strict_json.text(entry["file"])


def _values(name: str, dtype: str, shape: tuple[int, ...], file: str) -> NDArray[Any]:
    raw = _bytes_of(file)
    needed = math.prod(shape) * np.dtype(dtype).itemsize
    if len(raw) != needed:
        takes = f"{dtype} {list(shape)} takes {needed}"
        raise Failure("input", f"{name}: {file} holds {len(raw)} bytes, {takes}")
    return np.frombuffer(raw, dtype).reshape(shape)


def _described(name: str, values: NDArray[Any], file: str) -> dict[str, object]:
    return {"name": name, "dtype": values.dtype.name, "shape": list(values.shape), "file": file}
