"""The step that makes an artifact: converted, verified, and written only where the answer is yes."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.artifact import AppliedLayer, Artifact, Rewrite
from workbench.core.contract import InputContract
from workbench.core.errors import BadInput
from workbench.core.graph import Graph, Model
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.core.steps import Context
from workbench.core.verdict import Answer, Verification
from workbench.engines.diagnose import diagnose, reason_with_node, with_node
from workbench.engines.locate import Located
from workbench.engines.mnn.converted import Converted
from workbench.engines.mnn.version import ENGINE_NAME, engine_version
from workbench.engines.mnn.weights_file import weights_path
from workbench.engines.trial import Remedied, Remedy, Task, Trial, own_folder, try_model
from workbench.engines.verify import MAX_ERROR
from workbench.engines.witness import keep_witness
from workbench.formats.identity import sha256_of


@dataclass(frozen=True, slots=True)
class ConvertReport:
    """What ``convert`` answers. ``artifact`` is None where no file was written.

    ``converted_graph``: the graph that was converted; with ``rewrites`` it is not the model's own.
    """

    ok: bool
    artifact: Artifact | None
    verdict: Answer
    verification: Verification | None
    reason: Message | None
    conditions: tuple[str, ...]
    layers_applied: tuple[AppliedLayer, ...]
    argv: tuple[tuple[str, ...], ...]
    shapes: Mapping[str, tuple[int, ...]]
    notes: tuple[Message, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()
    converted_graph: Graph | None = None


def convert(
    model: Model,
    source: Path,
    plan: QuantPlan,
    out: Path,
    contracts: Sequence[InputContract],
    workers: Workers,
    ctx: Context,
    *,
    given: Path | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    max_error: float = MAX_ERROR,
    keep: bool = False,
    remedy: Remedy | None = None,
) -> ConvertReport:
    """Convert ``source`` by ``plan`` and verify it.

    ``out``, and ``out``.weight where the weights are outside, appear only on a yes, or with ``keep``.
    ``given``, ``shapes``: as for ``Task``. ``max_error``: the highest price, relative L2. ``remedy``:
    asked for a rewritten model after a no; a model that is right stays as it is. Raises BadInput for a
    model, inputs, shapes or an ``out`` that cannot be used, UsageError for a plan that the converter
    would not carry out, Cancelled.
    """
    check_output(out, source, model)
    before = _state(source, model)
    task = Task(model, source, contracts, plan, given, shapes)
    with scratch_folder() as folder:
        trial = try_model(task, folder, workers, ctx, max_error=max_error)
        remedied = None
        if remedy is not None and not trial.answer.is_yes:
            remedied = remedy(task, trial, folder, workers, ctx, max_error=max_error)
            trial = trial if remedied is None else remedied.trial
        located = diagnose(task, trial, folder, workers, ctx)
        if _state(source, model) != before:
            raise BadInput(
                msg("The model changed while it was converted"),
                where=str(source),
                hint=msg("Convert it again when it is written."),
            )
        report = _report(task, trial, located, out, remedied, ctx, keep=keep)
        if report.ok and trial.verified is not None and (witness := trial.verified.witness) is not None:
            keep_witness(out, witness.inputs, witness.want, own_folder(folder, "witness"), workers, ctx)
        return report


def _state(source: Path, model: Model) -> tuple[tuple[int, int, int], ...]:
    """What tells a file that was replaced or written: inode, size and time of the model and its external data."""
    found = [(source.parent / name).stat() for name in (source.name, *model.external_files)]
    return tuple((stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in found)


def check_output(out: Path, source: Path, model: Model) -> None:
    """Raises BadInput where ``out`` cannot be written, or is a file of the model itself."""
    where = str(out)
    if out.is_dir():
        raise BadInput(msg("The output is a folder"), where=where, hint=msg("Name a file, such as model.mnn."))
    folder = out.absolute().parent
    if not folder.is_dir():
        raise BadInput(
            msg("The folder of the output does not exist"), where=str(folder), hint=msg("Make it, or name another.")
        )
    own = [source, *(source.parent / name for name in model.external_files)]
    targets = (out, weights_path(out))
    if any(target.exists() and target.samefile(file) for target in targets for file in own if file.exists()):
        raise BadInput(msg("The output would overwrite the model"), where=where, hint=msg("Name another file for it."))
    if os.path.lexists(out) and not (out.is_file() and not out.is_symlink()):
        raise BadInput(
            msg("The output is there already and is no ordinary file"),
            where=where,
            hint=msg("Name another file: a device, a pipe or a link is not replaced."),
        )
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise BadInput(
            msg("The output cannot be written: {reason}", reason=error.strerror or str(error)),
            where=where,
            hint=msg("Choose a folder that you may write to."),
        ) from error


def _report(
    task: Task,
    trial: Trial,
    located: Located | None,
    out: Path,
    remedied: Remedied | None,
    ctx: Context,
    *,
    keep: bool,
) -> ConvertReport:
    converted = trial.conversion if isinstance(trial.conversion, Converted) else None
    artifact = None
    if converted is not None and (trial.answer.is_yes or keep):
        artifact = _write(task, trial, with_node(trial, located), converted, out, ctx)
        artifact = replace(artifact, rewrites=remedied.rewrites if remedied else ())
    return ConvertReport(
        ok=trial.answer.is_yes,
        artifact=artifact,
        verdict=trial.answer,
        verification=with_node(trial, located),
        reason=reason_with_node(task.model.graph, trial, located),
        conditions=trial.conditions,
        layers_applied=converted.layers_applied if converted else (),
        argv=trial.conversion.argv if trial.conversion else (),
        shapes=trial.reference.shapes if trial.reference else {},
        notes=converted.notes if converted else (),
        rewrites=remedied.rewrites if remedied else (),
        converted_graph=(remedied.task if remedied else task).model.graph,
    )


def _write(
    task: Task, trial: Trial, verification: Verification | None, converted: Converted, out: Path, ctx: Context
) -> Artifact:
    """The artifact, its files put where they belong: the weights first, so that no model is without them."""
    weights = weights_path(out)
    sha256, source_sha256 = sha256_of(converted.path, ctx), sha256_of(task.source, ctx)
    files = None if converted.weights is None else {weights.name: sha256_of(converted.weights, ctx)}
    try:
        if converted.weights is not None:
            _place(converted.weights, weights)
        else:
            weights.unlink(missing_ok=True)  # of an older artifact that is replaced now
        _place(converted.path, out)
    except OSError as error:
        raise BadInput(
            msg("The output cannot be written: {reason}", reason=error.strerror or str(error)),
            where=str(out),
            hint=msg("Choose a folder that you may write to, and that has room."),
        ) from error
    assert verification is not None
    return Artifact(
        path=str(out),
        sha256=sha256,
        bytes=converted.bytes,
        source_sha256=source_sha256,
        plan=task.plan,
        engine_name=ENGINE_NAME,
        engine_version=engine_version(),
        argv=converted.argv,
        conditions=trial.conditions,
        layers_applied=converted.layers_applied,
        verification=verification,
        files=files,
    )


def _place(made: Path, out: Path) -> None:
    """Copy ``made`` to ``out``, whole or not at all."""
    part = out.with_name(f".{out.name}.{secrets.token_hex(4)}.part")
    try:
        shutil.copyfile(made, part)
        part.replace(out)
    except OSError:
        part.unlink(missing_ok=True)
        raise
