"""A model put to the test: gate, reference, conversion, verification, in the order that fails soonest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from workbench.children.outcome import Limits
from workbench.children.workers import Workers
from workbench.core.artifact import Rewrite
from workbench.core.contract import InputContract
from workbench.core.graph import Model, Node
from workbench.core.messages import Message, msg
from workbench.core.plan import QuantPlan
from workbench.core.steps import Context
from workbench.core.verdict import Answer, Verification
from workbench.engines.attempts import Subject
from workbench.engines.causes import lacks_outputs
from workbench.engines.mnn.convert import convert_model, uninitialised_nodes
from workbench.engines.mnn.converted import Converted, NotConverted, WhyNot
from workbench.engines.mnn.op_list import supported_ops, unsupported_nodes
from workbench.engines.mnn.strict_memory import PATTERN
from workbench.engines.op_table import full_name
from workbench.engines.ort.reference import NoReference, Reference, run_reference
from workbench.engines.untried import fault_of_untried
from workbench.engines.verify import MAX_ERROR, Verified, verify

_NOT_CONVERTED: Final = {
    WhyNot.UNSUPPORTED: Answer.UNSUPPORTED,
    WhyNot.FAILED: Answer.UNSUPPORTED,
    WhyNot.CRASHED: Answer.CRASH,
    WhyNot.TIMED_OUT: Answer.HANG,
    WhyNot.OUT_OF_MEMORY: Answer.CRASH,
    WhyNot.NOT_APPLIED: Answer.WRONG,
}
_CONVERSION_SECONDS: Final = 60.0
_SECONDS_A_MB: Final = 1.0
"""The converter takes 0.02 s a megabyte; a hundred times that is a hang."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is put to the test, and what it is fed.

    ``given``: the user's arrays (.npz). ``shapes``: sizes that the user fixed, by input name.
    """

    model: Model
    source: Path
    contracts: Sequence[InputContract]
    plan: QuantPlan = QuantPlan()
    given: Path | None = None
    shapes: Mapping[str, tuple[int, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """How far it got. ``unsupported``: nodes that the converter does not know."""

    answer: Answer
    reason: Message | None
    unsupported: tuple[Node, ...] = ()
    reference: Reference | None = None
    conversion: Converted | NotConverted | None = None
    verified: Verified | None = None

    @property
    def conditions(self) -> tuple[str, ...]:
        return self.verified.conditions if self.verified else ()

    @property
    def verification(self) -> Verification | None:
        return self.verified.verification if self.verified else None


@dataclass(frozen=True, slots=True)
class Remedied:
    """A rewritten model that passed: ``task`` is on the rewritten file, ``trial`` its yes against the original."""

    task: Task
    trial: Trial
    rewrites: tuple[Rewrite, ...]


class Remedy(Protocol):
    """Looks for a rewritten model after ``trial`` said no. ``folder``: an existing, private one."""

    def __call__(
        self, task: Task, trial: Trial, folder: Path, workers: Workers, ctx: Context, *, max_error: float = MAX_ERROR
    ) -> Remedied | None: ...


def gate(model: Model, workers: Workers, ctx: Context) -> Trial | None:
    """A no for operators that the converter does not know; None where there are none such."""
    nodes = unsupported_nodes(model.graph, supported_ops(workers, ctx))
    if not nodes:
        return None
    ops = sorted(set(map(full_name, nodes)))
    return Trial(Answer.UNSUPPORTED, msg("The converter does not know {ops}", ops=", ".join(ops)), nodes)


def try_model(
    task: Task,
    folder: Path,
    workers: Workers,
    ctx: Context,
    *,
    max_error: float = MAX_ERROR,
    strict: bool = False,
    reference: Reference | None = None,
    original: Path | None = None,
) -> Trial:
    """Put ``task`` to the test. ``folder``: an existing, private one on an ASCII path; what is made stays there.

    ``strict``: convert so that memory faults of the converter show. ``reference`` and ``original``:
    what is right and of which model, where that is the one that the task's was rewritten from. Raises
    BadInput for a model, inputs or shapes that cannot be used, UsageError for a plan that the converter
    would not carry out, Cancelled.
    """
    no = gate(task.model, workers, ctx)
    if no is not None:
        return no
    if reference is None:
        found = reference_of(task, folder, workers, ctx)
        if isinstance(found, NoReference):
            return Trial(Answer.UNVERIFIED, found.reason_and_hint)
        reference = found
    converted = convert_model(
        task.model,
        task.source,
        task.plan,
        own_folder(folder, "converted"),
        workers,
        ctx,
        limits=conversion_limits(task.model),
        environment=PATTERN if strict or any(map(lacks_outputs, task.model.graph.all_nodes())) else None,
    )
    if isinstance(converted, NotConverted):
        nodes = tuple(node for node in task.model.graph.all_nodes() if node.id in converted.nodes)
        unsupported = nodes if converted.why is WhyNot.UNSUPPORTED else ()
        return Trial(_NOT_CONVERTED[converted.why], converted.what, unsupported, reference, converted)
    undefined = next(uninitialised_nodes(task.model.graph), None)
    if undefined is not None:  # inputs can hide it: a softmax over one key is right whatever is added to its score
        memory = msg("The converter fills {node} with whatever the memory holds", node=undefined.title)
        return Trial(Answer.WRONG, memory, (), reference, converted)
    subject = Subject(task.model.graph, task.source, converted, reference, original)
    verified = verify(subject, own_folder(folder, "verified"), workers, ctx, max_error=max_error)
    answer, reason = verified.answer, verified.verification.reason
    if answer.is_yes and reference.untried:
        fault = fault_of_untried(reference, task.source, own_folder(folder, "untried"), workers, ctx)
        if fault is not None:
            answer, reason = Answer.WRONG, fault
    if answer.is_yes and reference.disputed:
        answer = Answer.UNVERIFIED
        reason = msg(
            "{programs} disagree on output {output}: nobody can say what is right",
            programs=reference.label,
            output=reference.disputed,
        )
    return Trial(answer, reason, (), reference, converted, verified)


def reference_of(task: Task, folder: Path, workers: Workers, ctx: Context) -> Reference | NoReference:
    """What is right for ``task``, computed in a new folder inside ``folder``. Raises BadInput, Cancelled."""
    own = own_folder(folder, "reference")
    return run_reference(task.source, task.contracts, own, workers, ctx, given=task.given, shapes=task.shapes)


def conversion_limits(model: Model) -> Limits:
    """Beyond these the converter hangs."""
    return Limits(seconds=_CONVERSION_SECONDS + _SECONDS_A_MB * model.bytes / 1e6)


def own_folder(folder: Path, name: str) -> Path:
    """A new folder inside ``folder``."""
    own = folder / name
    own.mkdir()
    return own
