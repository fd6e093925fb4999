"""Which node is at fault in a model that the engine computes wrong, crashes on or hangs on.

Three ways, each with what the one before cannot see. Exposure: every tensor becomes an output of
one converted model. Isolation: a model for each node, fed with the reference's own values.
Beginnings: the graph cut after ever fewer nodes, for faults that only a combination of nodes shows.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.children.workers import Workers
from workbench.core.graph import Graph, Node
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.core.verdict import Status, Verdict
from workbench.engines.causes import explain
from workbench.engines.judge import Judged
from workbench.engines.mnn.run import Setting
from workbench.engines.ort.cut import Part, Trace, beginning, isolate, trace
from workbench.engines.ort.reference import Case
from workbench.engines.probe import Finding, difference, probe
from workbench.engines.verify import CONVOLUTIONS

_MOST_SUSPECTS: Final = 40
_Evidence = Mapping[str, float | int | str]


@dataclass(frozen=True, slots=True)
class Located:
    """``node``: the id of the first node at fault, None where none could be named; ``reason`` says why it is.

    ``verdicts`` by node id: the nodes that were compared.
    """

    node: str | None
    reason: Message
    verdicts: Mapping[str, Verdict]


@dataclass(frozen=True, slots=True)
class _Scene:
    graph: Graph
    source: Path
    case: Case
    traced: Trace
    folder: Path
    workers: Workers
    ctx: Context

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the main graph that depend on an input, in topological order."""
        exposed = frozenset(self.traced.exposed)
        return tuple(node for node in self.graph.nodes if exposed.intersection(node.outputs))

    def own(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.folder))


def locate(
    graph: Graph, source: Path, case: Case, folder: Path, workers: Workers, ctx: Context, *, runs: bool
) -> Located:
    """The first node at fault on the input ``case``. ``runs``: whether the engine computes anything at all.

    ``folder`` must exist, on an ASCII path. Raises Cancelled.
    """
    ctx.progress(None, msg("Looking for the node at fault"))
    own = Path(tempfile.mkdtemp(dir=folder))
    traced = trace(source, case.inputs, own, workers, ctx)
    if traced is None:
        return Located(None, msg("The node at fault is not known: the reference does not tell its tensors"), {})
    scene = _Scene(graph, source, case, traced, folder, workers, ctx)
    return (_by_exposure(scene) if runs else None) or _by_isolation(scene) or _by_beginnings(scene)


def _by_exposure(scene: _Scene) -> Located | None:
    """The first node whose tensor differs and that is wrong by itself, else the first whose tensor differs."""
    wanted = {name: scene.traced.values[name] for name in scene.traced.exposed}
    found = _probed(scene, scene.traced.file, scene.case.inputs, wanted)
    if not found.judged:
        return None
    compared = {judged.row.output: judged for judged in found.judged}
    differing = [node for node in scene.nodes if not all(j.right for j in _of(node, compared))]
    alone: dict[str, Finding] = {}
    for node in differing[:_MOST_SUSPECTS]:
        alone[node.id] = _alone(scene, node)
        if not alone[node.id].is_right:
            return _located(scene, node, alone[node.id], _before(scene, node, compared, alone))
    outputs = {tensor.name for tensor in scene.graph.outputs}
    if not differing or all(judged.right for name, judged in compared.items() if name in outputs):
        return None  # exposing the tensors has mended it: the fault needs nodes that the converter merges
    first = differing[0]
    worst = max(_of(first, compared), key=lambda j: j.closeness)
    what = difference((worst,))
    reason = msg("It is right by itself, and the first to differ in this model: {what}", what=what)
    finding = Finding(Status.WRONG, what, (worst,))
    return _located(scene, first, finding, _before(scene, first, compared, alone), reason)


def _by_isolation(scene: _Scene) -> Located | None:
    """The first node that is not right by itself; nodes that do the same are tried once."""
    nodes = {_first_output(node): node for node in scene.nodes}
    shapes = {name: tensor.shape for name, tensor in scene.graph.tensors.items()}
    known: dict[str, Finding] = {}
    verdicts: dict[str, Verdict] = {}
    parts = isolate(scene.source, list(nodes), scene.traced, shapes, scene.own(), scene.workers, scene.ctx)
    for number, part in enumerate(parts):
        scene.ctx.progress(number / len(parts), msg("Looking for the node at fault"))
        node = nodes[part.node]
        if part.key not in known:
            known[part.key] = _with_sizes(scene, node, _probed_part(scene, node, part))
        finding = known[part.key]
        if not finding.is_right:
            return _located(scene, node, finding, verdicts)
        verdicts[node.id] = _verdict(scene, node, finding.status, None, finding.worst)
    return None


def _by_beginnings(scene: _Scene) -> Located:
    """The node that the shortest beginning of the graph at fault ends with."""
    nodes = scene.nodes
    right, wrong = -1, len(nodes) - 1
    finding = _up_to(scene, wrong)
    if finding is None or finding.is_right:
        return Located(None, msg("The node at fault is not known: every part of the model is right by itself"), {})
    while wrong - right > 1:
        middle = (right + wrong) // 2
        found = _up_to(scene, middle)
        if found is None or found.is_right:
            right = middle
        else:
            wrong, finding = middle, found
    node = nodes[wrong]
    reason = msg("It is right by itself, and fails together with the nodes before it")
    return _located(scene, node, finding, {}, reason)


def _up_to(scene: _Scene, last: int) -> Finding | None:
    """The graph up to a node, its outputs what the rest needs; None where the reference cannot be cut there."""
    nodes = scene.nodes
    later = {name for node in nodes[last + 1 :] for name in _reads(scene.graph, node)}
    outputs = {tensor.name for tensor in scene.graph.outputs}
    made = [name for node in nodes[: last + 1] for name in node.outputs]
    needed = [name for name in made if name in scene.traced.exposed and (name in later or name in outputs)]
    if not needed:
        return None
    cut = beginning(scene.source, needed, scene.own(), scene.workers, scene.ctx)
    if cut is None:
        return None
    file, names = cut
    inputs = {name: scene.case.inputs[name] for name in names}
    wanted = {name: scene.traced.values[name] for name in needed}
    return _probed(scene, file, inputs, wanted)


def _alone(scene: _Scene, node: Node) -> Finding:
    parts = _part(scene, node, fix_sizes=False)
    if not parts:
        return Finding(Status.RIGHT)
    return _with_sizes(scene, node, _probed_part(scene, node, parts[0]))


def _with_sizes(scene: _Scene, node: Node, finding: Finding) -> Finding:
    """A node that fails only because its sizes come in as an input, where the model computes them, is not at fault."""
    if (
        finding.is_right
        or finding.status is Status.HANG
        or not any(_is_integer(scene.graph, name) for name in node.inputs)
    ):
        return finding
    for part in _part(scene, node, fix_sizes=True):
        other = _probed_part(scene, node, part)
        if other.is_right:
            return other
    return finding


def _part(scene: _Scene, node: Node, *, fix_sizes: bool) -> tuple[Part, ...]:
    shapes = {name: tensor.shape for name, tensor in scene.graph.tensors.items()}
    names = [_first_output(node)]
    return isolate(
        scene.source, names, scene.traced, shapes, scene.own(), scene.workers, scene.ctx, fix_sizes=fix_sizes
    )


def _probed(
    scene: _Scene,
    file: Path,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    settings: Sequence[Setting] = (Setting(),),
) -> Finding:
    inner = frozenset(outputs).difference(tensor.name for tensor in scene.graph.outputs)
    return probe(file, inputs, outputs, scene.own(), scene.workers, scene.ctx, inner=inner, settings=settings)


def _probed_part(scene: _Scene, node: Node, part: Part) -> Finding:
    settings = (Setting(), Setting(winograd=False)) if node.op in CONVOLUTIONS else (Setting(),)
    return _probed(scene, part.file, part.inputs, part.outputs, settings)


def _located(
    scene: _Scene,
    node: Node,
    finding: Finding,
    before: Mapping[str, Verdict],
    reason: Message | None = None,
) -> Located:
    worst = finding.worst
    largest = worst.row.comparison.largest if worst else 0.0
    cause = reason or explain(node, scene.graph, largest, scene.traced.values) or finding.what
    assert cause is not None
    measured = str(finding.what) if finding.what is not None and cause is not finding.what else ""
    verdict = _verdict(scene, node, finding.status, cause, worst, measured)
    return Located(node.id, cause, {**before, node.id: verdict})


def _before(
    scene: _Scene, culprit: Node, compared: Mapping[str, Judged], alone: Mapping[str, Finding]
) -> dict[str, Verdict]:
    """The nodes before the one at fault: right as exposed, or right by themselves."""
    verdicts: dict[str, Verdict] = {}
    for node in scene.nodes:
        if node.id == culprit.id:
            break
        judged = _of(node, compared)
        if node.id in alone:
            verdicts[node.id] = _verdict(scene, node, alone[node.id].status, None, alone[node.id].worst)
        elif judged:
            verdicts[node.id] = _verdict(scene, node, Status.RIGHT, None, max(judged, key=lambda j: j.closeness))
    return verdicts


def _verdict(
    scene: _Scene, node: Node, status: Status, reason: Message | None, worst: Judged | None, measured: str = ""
) -> Verdict:
    evidence: dict[str, float | int | str] = {}
    if worst is not None:
        evidence = {"max_rel_error": worst.error, "tolerance": worst.allowed, "input": scene.case.label}
    if measured:
        evidence["measured"] = measured
    return Verdict(node.id, node.name, node.op, status, reason, evidence)


def _of(node: Node, compared: Mapping[str, Judged]) -> list[Judged]:
    return [compared[name] for name in node.outputs if name in compared]


def _first_output(node: Node) -> str:
    return next(name for name in node.outputs if name)


def _reads(graph: Graph, node: Node) -> Iterator[str]:
    """What a node reads, its bodies included (with the names of their own, which do no harm)."""
    yield from node.inputs
    for body in graph.subgraphs:
        if body.owner == node.id:
            for inner in body.graph.all_nodes():
                yield from inner.inputs
            yield from (tensor.name for tensor in body.graph.outputs)


def _is_integer(graph: Graph, name: str) -> bool:
    tensor = graph.tensors.get(name)
    return tensor is not None and "int" in tensor.dtype
