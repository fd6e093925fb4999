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
from workbench.engines.mnn.weights_file import weights_path
from workbench.engines.witness import witness_path
from workbench.formats.identity import sha256_of

SCHEMA: Final = "workbench.artifact/1"
_MODELS: Final = (".onnx", ".tflite")


@dataclass(frozen=True, slots=True)
class Weights:
    """The file that the engine finds beside a model which does not hold its own weights."""

    path: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Kept:
    """An artifact file as it was found. ``record`` is None for a file that Workbench did not make."""

    path: Path
    sha256: str
    record: Artifact | None
    weights: Weights | None

    @property
    def witness(self) -> Path | None:
        beside = witness_path(self.path)
        return beside if self.record is not None and beside.is_file() else None


def record_path(artifact: Path) -> Path:
    return artifact.with_name(f"{artifact.name}.json")


def write_record(artifact: Artifact, beside: Path | None = None) -> None:
    """Write the record beside the artifact, or beside another place where it lies for now. Raises BadInput."""
    files.write_document(
        record_path(beside or Path(artifact.path)), codec.document(SCHEMA, artifact, for_reopening=True)
    )


def family(artifact: Path) -> tuple[Path, ...]:
    """Every file that may belong to ``artifact``, itself last: whoever sees it finds the others there."""
    return (witness_path(artifact), weights_path(artifact), record_path(artifact), artifact)


def find(path: Path, ctx: Context) -> Kept:
    """The artifact at ``path``. Raises BadInput where there is none, or its record is of other files."""
    if path.is_dir():
        raise BadInput(
            msg("This is a folder, not an artifact"),
            where=str(path),
            hint=msg("Name the converted file, such as model.mnn."),
        )
    if path.suffix.lower() in _MODELS:
        raise BadInput(
            msg("This is a model, not an artifact"),
            where=str(path),
            hint=msg("Convert it first: workbench convert MODEL -o OUT.mnn."),
        )
    if not path.is_file():
        raise BadInput(
            msg("There is no such artifact"), where=str(path), hint=msg("Make one: workbench convert MODEL -o OUT.mnn.")
        )
    digest = sha256_of(path, ctx)
    beside = record_path(path)
    weights = weights_path(path)
    if not beside.is_file():
        return Kept(path, digest, None, Weights(weights, sha256_of(weights, ctx)) if weights.is_file() else None)
    record = codec.value(
        Artifact, codec.loads(files.read_text(beside), where=str(beside)), schema=SCHEMA, where=str(beside)
    )
    if record.sha256 != digest:
        raise _not_the_one(path, beside)
    if not record.files:
        return Kept(path, digest, record, None)
    found = sha256_of(weights, ctx)
    if found not in record.files.values():
        raise _not_the_one(weights, beside)
    return Kept(path, digest, record, Weights(weights, found))


def _not_the_one(path: Path, record: Path) -> BadInput:
    return BadInput(
        msg("This file is not the one that its record describes"),
        where=str(path),
        hint=msg("Convert the model again, or bring back the file; the record is {record}.", record=str(record)),
    )
