"""Weights outside the model file: found, and kept inside the model's folder.

MNN's converter takes a missing file as zeros, a short one as whatever follows, and follows
``../`` out of the folder, all with "Converted Success!": nothing of this may reach it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.formats.onnx.records import TensorRecord

_INT64_END: Final = 1 << 63


class ExternalFiles:
    """The external data files of one model. ``sizes``: bytes by location, for all that were asked for."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = Path(path).parent
        # A model in the Hugging Face cache is a link into a folder of blobs where its data lies too.
        self._roots = (self._folder.resolve(), Path(path).resolve().parent)
        self.sizes: dict[str, int] = {}

    def place(self, tensor: TensorRecord, nbytes: int) -> tuple[str, int, int]:
        """(location, offset, length) of a tensor's ``nbytes``. Raises BadInput."""
        location = tensor.external.get("location", "")
        if location not in self.sizes:
            self.sizes[location] = self._size(location, tensor)
        size = self.sizes[location]
        offset = self._number(tensor, "offset", 0)
        length = self._number(tensor, "length", nbytes)
        if length != nbytes:
            raise BadInput(
                msg(
                    "Tensor {tensor} ({label}) takes {needed} bytes, but its external data has {found}",
                    tensor=tensor.name,
                    label=tensor.label,
                    needed=nbytes,
                    found=length,
                ),
                where=self._path,
                hint=msg("Export the model again."),
            )
        if offset + length > size:
            raise BadInput(
                msg(
                    "The external data file {file} is too short: tensor {tensor} ends at byte {end} of {size}",
                    file=location,
                    tensor=tensor.name,
                    end=offset + length,
                    size=size,
                ),
                where=self._path,
                hint=msg("Copy or download the file again; it was cut off or belongs to another model."),
            )
        return location, offset, length

    def resolve(self, location: str) -> Path:
        """The file of a location that ``place`` accepted."""
        return self._folder / location

    def _number(self, tensor: TensorRecord, key: str, default: int) -> int:
        written = tensor.external.get(key, "")
        if not written:
            return default
        number = int(written) if written.isascii() and written.isdigit() and len(written) < 20 else -1
        if not 0 <= number < _INT64_END:
            raise BadInput(
                msg(
                    "Tensor {tensor} has the external {key} {written}, which is no position in a file",
                    tensor=tensor.name,
                    key=key,
                    written=written,
                ),
                where=self._path,
                hint=msg("Export the model again."),
            )
        return number

    def _size(self, location: str, tensor: TensorRecord) -> int:
        if not location or "\0" in location:
            raise BadInput(
                msg("Tensor {tensor} is external, but the model does not say in which file", tensor=tensor.name),
                where=self._path,
                hint=msg("Export the model again."),
            )
        path = self._folder / location
        try:
            inside = not _leaves_folder(location) and any(path.resolve().is_relative_to(root) for root in self._roots)
            if not inside:
                raise BadInput(
                    msg(
                        "Tensor {tensor} asks for {file}, which is outside the model's folder",
                        tensor=tensor.name,
                        file=location,
                    ),
                    where=self._path,
                    hint=msg("Put the data beside the model and export it again."),
                )
            found = path.stat()
        except FileNotFoundError as error:
            raise BadInput(
                msg("The external data file {file} of tensor {tensor} is missing", file=location, tensor=tensor.name),
                where=self._path,
                hint=msg("Put it beside the model file, under the same name."),
            ) from error
        except (OSError, ValueError, RuntimeError) as error:
            raise self._unreadable(location, str(error)) from error
        if not stat.S_ISREG(found.st_mode):
            raise self._unreadable(location, "not a regular file")
        if not os.access(path, os.R_OK):
            raise self._unreadable(location, "permission denied")
        return found.st_size

    def _unreadable(self, location: str, reason: str) -> BadInput:
        return BadInput(
            msg("The external data file {file} cannot be read: {reason}", file=location, reason=reason),
            where=self._path,
            hint=msg("Check the file beside the model."),
        )


def _leaves_folder(location: str) -> bool:
    """True for what leaves the folder by its spelling alone, on any system."""
    windows = PureWindowsPath(location)
    return PurePosixPath(location).is_absolute() or bool(windows.anchor) or ".." in windows.parts
