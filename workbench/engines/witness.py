"""A witness: one set of inputs with the reference's outputs, kept beside an artifact for its runs on devices.

For a quantized artifact the outputs are the reference's with the plan's weights, so that what is
compared on a device is the engine, as in a verification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import Outcome
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, InternalError
from workbench.core.messages import msg
from workbench.core.protocol import TensorFile
from workbench.core.run import RunOutputs
from workbench.core.steps import Context
from workbench.engines.judge import judge
from workbench.engines.mnn.run import Row

_WORKER: Final = "workbench.engines.witness_worker"


def witness_path(artifact: Path) -> Path:
    """Where the witness of ``artifact`` lies: beside it."""
    return artifact.with_name(f"{artifact.name}.witness.npz")


def keep_witness(
    artifact: Path,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    scratch: Path,
    workers: Workers,
    ctx: Context,
) -> None:
    """Write the witness of ``artifact`` from .npy files (absolute paths) by tensor name, in graph order."""
    file = witness_path(artifact).absolute()
    request = {"file": str(file), "inputs": dict(inputs), "outputs": dict(outputs)}
    _result(workers.run(_WORKER, "keep", request, scratch, ctx), file)


def witness_inputs(
    witness: Path, given: Path | None, scratch: Path, workers: Workers, ctx: Context
) -> tuple[TensorFile, ...]:
    """The witness's inputs, or the user's in their place, as raw files in ``scratch``. Raises BadInput."""
    request = {"file": str(witness.absolute()), "given": None if given is None else str(given.absolute())}
    result = _result(workers.run(_WORKER, "unpack", request, scratch, ctx), witness, given)
    return tuple(TensorFile(e["name"], e["dtype"], tuple(e["shape"]), e["file"]) for e in result["inputs"])


def compare_with_witness(
    witness: Path, outputs: Sequence[TensorFile], scratch: Path, workers: Workers, ctx: Context
) -> RunOutputs:
    """A device's outputs for the witness's inputs against the reference's, by the rules of a verification."""
    entries = [{"name": o.name, "dtype": o.dtype, "shape": list(o.shape), "file": o.file} for o in outputs]
    request = {"file": str(witness.absolute()), "outputs": entries}
    result = _result(workers.run(_WORKER, "compare_outputs", request, scratch, ctx), witness)
    judged = judge(tuple(map(Row.read, result["rows"])))
    return RunOutputs(
        max((row.error for row in judged), default=0.0), bool(judged) and all(row.right for row in judged)
    )


def _result(outcome: Outcome, witness: Path, given: Path | None = None) -> Mapping[str, Any]:
    if outcome.ok:
        return outcome.result
    if outcome.refusal == "bad_inputs":
        raise BadInput(
            msg("These inputs do not fit the artifact: {reason}", reason=outcome.text),
            where=str(given or witness),
            hint=msg("Give one array for each input, by its name or as in0, in1 ..."),
        )
    if outcome.refusal == "bad_witness":
        raise BadInput(
            msg("The witness of the artifact is damaged: {reason}", reason=outcome.text),
            where=str(witness),
            hint=msg("Convert the model again."),
        )
    raise InternalError(
        msg("The witness could not be used: {reason}", reason=outcome.reason),
        where=str(witness),
        hint=msg("Convert the model again."),
    )
