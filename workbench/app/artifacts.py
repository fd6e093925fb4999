"""A converted model on disk: beside ``x.mnn`` lie its record, ``x.mnn.json``, and its witness.

The record says how the file was made and what was verified; for the witness see engines/witness.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.app import files
from workbench.core import codec
from workbench.core.artifact import Artifact
from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.core.steps import Context
from workbench.engines.witness import witness_path
from workbench.formats.identity import sha256_of

SCHEMA: Final = "workbench.artifact/1"


@dataclass(frozen=True, slots=True)
class Kept:
    """An artifact file as it was found. ``record`` is None for a file that Workbench did not make."""

    path: Path
    sha256: str
    record: Artifact | None

    @property
    def weights(self) -> Path | None:
        """The file beside it that holds its weights."""
        beside = self.path.with_name(f"{self.path.name}.weight")
        return beside if beside.is_file() else None

    @property
    def witness(self) -> Path | None:
        beside = witness_path(self.path)
        return beside if self.record is not None and beside.is_file() else None


def record_path(artifact: Path) -> Path:
    return artifact.with_name(f"{artifact.name}.json")


def write_record(artifact: Artifact) -> None:
    """Write the record beside the artifact. Raises BadInput."""
    files.write_document(record_path(Path(artifact.path)), codec.document(SCHEMA, artifact))


def find(path: Path, ctx: Context) -> Kept:
    """The artifact at ``path``. Raises BadInput where there is none, or its record is of another file."""
    if not path.is_file():
        raise BadInput(
            msg("There is no such artifact"), where=str(path), hint=msg("Make one: workbench convert MODEL -o OUT.mnn.")
        )
    digest = sha256_of(path, ctx)
    beside = record_path(path)
    if not beside.is_file():
        return Kept(path, digest, None)
    record = codec.value(
        Artifact, codec.loads(files.read_text(beside), where=str(beside)), schema=SCHEMA, where=str(beside)
    )
    if record.sha256 != digest:
        raise BadInput(
            msg("The artifact is not the one that its record describes"),
            where=str(path),
            hint=msg("Convert the model again, or remove {record}.", record=str(beside)),
        )
    return Kept(path, digest, record)
