"""The step that computes what is right: the reference's outputs on the user's inputs and on made-up ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workbench.children.outcome import End, Limits, Outcome
from workbench.children.workers import Workers
from workbench.core.contract import InputContract
from workbench.core.errors import BadInput
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.engines.inputs import GIVEN
from workbench.engines.judge import Change

_WORKER: Final = "workbench.engines.ort.worker"
_LIMITS: Final = Limits(seconds=1800.0, rss_bytes=16 << 30)
_NOISE_SEEDS: Final = (1, 2)


@dataclass(frozen=True, slots=True)
class Case:
    """One input of the model and the reference's outputs for it, as .npy files by tensor name.

    ``size``: index into ``Reference.sizes``. ``label``: GIVEN for the user's own, else the kind.
    ``condition``: for an input at the end of what it may hold: what holds for the model where the engine is wrong
    on it, unless it is on an earlier one of the same ``group``.
    """

    label: str
    size: int
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    group: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """What is right. ``label``: by which program. ``sizes``: shapes of the inputs, first the default.

    ``untried``: bodies of If, Loop and Scan that no case runs; ``still``: outputs that no case moves;
    ``disputed``: an output on which the two programs that ``label`` names disagree, "" for none.
    """

    label: str
    sizes: tuple[Mapping[str, tuple[int, ...]], ...]
    cases: tuple[Case, ...]
    seconds: float
    peak_rss_bytes: int
    untried: tuple[str, ...] = ()
    still: tuple[str, ...] = ()
    disputed: str = ""

    @property
    def made_up(self) -> int:
        """How many inputs there are besides the user's and those at the ends of what an input may hold."""
        return sum(self.cases[number].label != GIVEN for number in self.usual)

    @property
    def usual(self) -> tuple[int, ...]:
        """The cases on which the engine must be right for a yes."""
        return tuple(number for number, case in enumerate(self.cases) if not case.group)

    @property
    def extreme(self) -> tuple[int, ...]:
        """The cases on which it may be wrong under a condition."""
        return tuple(number for number, case in enumerate(self.cases) if case.group)

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        return self.sizes[0]


@dataclass(frozen=True, slots=True)
class NoReference:
    """Nothing to compare with: the model cannot be verified."""

    reason: Message
    hint: Message | None
    lines: tuple[str, ...]

    @property
    def reason_and_hint(self) -> Message:
        """Why, and what to do about it, in one sentence after the other."""
        return self.reason if self.hint is None else msg("{what}. {hint}", what=self.reason, hint=self.hint)


def run_reference(
    source: Path,
    contracts: Sequence[InputContract],
    folder: Path,
    workers: Workers,
    ctx: Context,
    *,
    given: Path | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    limits: Limits = _LIMITS,
) -> Reference | NoReference:
    """Run onnxruntime on ``source``; the arrays become files in ``folder``, which must exist.

    ``given``: a .npz of the user's. ``shapes``: sizes that the user fixed, by input name. Raises
    BadInput for a model, inputs or shapes that the reference rejects, Cancelled.
    """
    ctx.progress(None, msg("Computing what is right with onnxruntime"))
    request = {
        "model": str(source.absolute()),
        "contracts": [_contract(contract) for contract in contracts],
        "given": None if given is None else str(given.absolute()),
        "shapes": {name: list(sizes) for name, sizes in (shapes or {}).items()},
    }
    outcome = workers.run(_WORKER, "reference", request, folder, ctx, limits)
    if not outcome.ok:
        return _refused(outcome, source, given)
    result = outcome.result
    cases = tuple(Case(**doc) for doc in result["cases"])
    sizes = tuple({name: tuple(dims) for name, dims in size.items()} for size in result["sizes"])
    return Reference(
        result["label"],
        sizes,
        cases,
        outcome.seconds,
        outcome.peak_rss_bytes,
        untried=tuple(result["untried"]),
        still=tuple(result["still"]),
        disputed=result["disputed"],
    )


def run_with_plan(
    source: Path,
    plan_weights: Mapping[str, Any],
    cases: Sequence[Case],
    folder: Path,
    workers: Workers,
    ctx: Context,
) -> tuple[Mapping[str, str], ...] | NoReference:
    """The reference's outputs (files by name, for each case) with the weights that a plan asks for.

    ``plan_weights``: as the conversion tells them. ``folder`` must exist.
    """
    request = {"model": str(source.absolute()), "plan": dict(plan_weights), "cases": _documents(cases)}
    outcome = workers.run(_WORKER, "with_plan", request, folder, ctx, _LIMITS)
    return tuple(outcome.result["outputs"]) if outcome.ok else _nothing(outcome)


def noise_changes(
    source: Path,
    plan_weights: Mapping[str, Any],
    cases: Sequence[Case],
    folder: Path,
    workers: Workers,
    ctx: Context,
) -> tuple[Mapping[str, Change], ...] | NoReference:
    """How far each output of each case moves when every weight moves by one unit in the last place.

    ``plan_weights``: {} for the model's own weights; the cases' outputs are those with the weights told.
    """
    request = {
        "model": str(source.absolute()),
        "plan": dict(plan_weights),
        "seeds": _NOISE_SEEDS,
        "cases": _documents(cases),
    }
    outcome = workers.run(_WORKER, "noise", request, folder, ctx, _LIMITS)
    if not outcome.ok:
        return _nothing(outcome)
    return tuple({name: _change(doc) for name, doc in changes.items()} for changes in outcome.result["changes"])


def _change(document: Mapping[str, Any]) -> Change:
    return Change(document["whole"], {int(axis): moved for axis, moved in document["slices"].items()})


def _documents(cases: Sequence[Case]) -> list[dict[str, Any]]:
    return [{"inputs": dict(case.inputs), "outputs": dict(case.outputs)} for case in cases]


def _contract(contract: InputContract) -> dict[str, Any]:
    return {
        "name": contract.name,
        "dtype": contract.dtype,
        "shape": None if contract.shape is None else list(contract.shape),
        "layout": contract.layout,
        "mean": list(contract.mean),
        "std": list(contract.std),
        "low": contract.low,
        "high": contract.high,
    }


def _refused(outcome: Outcome, source: Path, given: Path | None) -> NoReference:
    """Raises BadInput where the fault is in what was given."""
    match outcome.refusal:
        case "invalid":
            raise BadInput(
                msg("onnxruntime rejects this model: {reason}", reason=outcome.text),
                where=str(source),
                hint=msg("Export the model again."),
            )
        case "bad_inputs":
            raise BadInput(
                msg("These inputs do not fit the model: {reason}", reason=outcome.text),
                where=str(given),
                hint=msg("A .npz with an array for each input, by name or as in0, in1 ... in graph order."),
            )
        case "bad_shape":
            raise BadInput(
                msg("No such shape: {reason}", reason=outcome.text),
                where=str(source),
                hint=msg("Give sizes as --shape NAME=1x3x224x224."),
            )
        case "no_size":
            return NoReference(
                msg("The reference accepts no size and no made-up input: {reason}", reason=outcome.text),
                msg("Give real inputs with --inputs FILE.npz, or sizes with --shape NAME=1x3x224x224."),
                outcome.lines,
            )
        case _:
            return _nothing(outcome)


def _nothing(outcome: Outcome) -> NoReference:
    match outcome.end:
        case End.REFUSED:
            reason = msg("The reference cannot run this model: {reason}", reason=outcome.text)
        case End.CRASHED:
            reason = msg("The reference crashed ({signal})", signal=outcome.signal_name)
        case End.TIMED_OUT:
            reason = msg("The reference did not finish in {seconds} s", seconds=round(outcome.seconds))
        case End.OUT_OF_MEMORY:
            reason = msg("The reference needed over {mb} MB", mb=outcome.peak_rss_bytes >> 20)
        case _:
            reason = msg("The reference could not be run: {reason}", reason=outcome.text)
    return NoReference(reason, msg("Without a reference nothing can be verified."), outcome.lines)
