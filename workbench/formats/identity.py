"""A file's identity: its SHA-256."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.core.steps import Context

_CHUNK: Final = 8 << 20  # hashlib releases the interpreter lock; at 8 MB a chunk takes about 5 to 20 ms


def sha256_of(path: Path, ctx: Context) -> str:
    """The file's SHA-256 in lower-case hex. Raises BadInput where it cannot be read, Cancelled."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            done = 0
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                done += len(chunk)
                ctx.progress(done / max(size, done), msg("Hashing {file}", file=path.name))
    except OSError as error:
        raise BadInput(
            msg("The file cannot be read: {reason}", reason=error.strerror or str(error)),
            where=str(path),
            hint=msg("Check the path and its permissions."),
        ) from error
    return digest.hexdigest()
