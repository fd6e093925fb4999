"""Saving a converted model where a person wants it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from workbench.app import artifacts
from workbench.core.artifact import Artifact
from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.core.steps import Context


def copy_artifact(artifact: Artifact, target: Path, ctx: Context) -> Path:
    """Copy the model to ``target``, with its weights, trial and record beside it. Raises BadInput."""
    source = Path(artifact.path)
    # What belongs to an artifact lies beside it, under its name with an ending of its own.
    beside = [file for file in source.parent.iterdir() if file.name.startswith(source.name)]
    try:
        for file in beside:
            ctx.check()
            shutil.copyfile(file, target.with_name(file.name.replace(source.name, target.name, 1)))
    except OSError as error:
        raise BadInput(
            msg("The file cannot be written: {reason}", reason=error.strerror or str(error)),
            where=str(target),
            hint=msg("Choose a place that you may write to."),
        ) from error
    files = {name.replace(source.name, target.name): digest for name, digest in (artifact.files or {}).items()}
    artifacts.write_record(replace(artifact, path=str(target), files=files or None))
    return target
