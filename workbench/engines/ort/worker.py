"""The child that runs the reference: it finds sizes, makes inputs, and keeps the outputs as files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from workbench.children.serve import Job, Refusal
from workbench.engines import inputs as made_up
from workbench.engines import sizes
from workbench.engines.arrays import Array, Arrays, load_arrays, save_arrays
from workbench.engines.compare import compare
from workbench.engines.comparison import Comparison
from workbench.engines.inputs import GIVEN
from workbench.engines.ort.contested import Doubled
from workbench.engines.ort.evaluator import NO_REFERENCE, Evaluator, NotAccepted, open_file, open_model
from workbench.engines.ort.extremes import extremes_of
from workbench.engines.ort.given import BAD_INPUTS, BAD_SHAPE, fix_axes, read_arrays
from workbench.engines.ort.influence import Influence, influence_of
from workbench.engines.ort.maker import Maker
from workbench.engines.ort.noise import add_noise
from workbench.engines.ort.search import size_candidates, value_candidates
from workbench.engines.ort.signature import Signature, dtypes_of, read_signature
from workbench.engines.ort.untried import Untried


@dataclass(slots=True)
class _Cases:
    """Cases written so far: the arrays are files in ``folder``. ``nothing_compared``: no output held a value."""

    folder: Path
    sizes: list[dict[str, list[int]]] = field(default_factory=list)
    cases: list[dict[str, Any]] = field(default_factory=list)
    reach: dict[str, tuple[float, float]] = field(default_factory=dict)
    nothing_compared: bool = True

    def size(self, shapes: Mapping[str, tuple[int, ...]]) -> int:
        """The number of a size, new or known."""
        size = {name: list(shape) for name, shape in shapes.items()}
        if size not in self.sizes:
            self.sizes.append(size)
        return self.sizes.index(size)

    def add(self, label: str, feeds: Arrays, outputs: Arrays, group: str = "", condition: str = "") -> None:
        """``group``, ``condition``: see ``Case`` in ``reference.py``."""
        number = len(self.cases)
        if not group:
            self.nothing_compared = self.nothing_compared and not any(array.size for array in outputs.values())
            for name, array in feeds.items():
                self._widen(name, array)
        case = {
            "label": label,
            "size": self.size({name: array.shape for name, array in feeds.items()}),
            "group": group,
            "condition": condition,
            "inputs": save_arrays(self.folder, f"{number}.in", feeds),
            "outputs": save_arrays(self.folder, f"{number}.out", outputs),
        }
        self.cases.append(case)

    def _widen(self, name: str, array: Array) -> None:
        """``reach``: least and largest value of every input so far."""
        finite = array[np.isfinite(array)]
        if finite.size:
            low, high = self.reach.get(name, (np.inf, -np.inf))
            self.reach[name] = min(low, float(finite.min())), max(high, float(finite.max()))


def reference(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Run ``model`` on the user's arrays (``given``, a .npz or None) and on made-up ones.

    ``contracts``: every input's name, dtype, shape, low, high, mean, std, layout. ``shapes``: sizes
    that the user fixed, by input. Returns {"label", "sizes", "cases", "untried": bodies that
    none of them runs, "still": outputs that none of them moves, "disputed": see
    ``contested.Doubled``}. Refuses with "invalid", "no_reference", "bad_inputs", "bad_shape" or "no_size".
    """
    path = Path(request["model"])
    dtypes = dtypes_of(request["contracts"])
    evaluator = open_file(path, job.folder)
    arrays = {} if request["given"] is None else read_arrays(Path(request["given"]), dtypes)
    signature = read_signature(request["contracts"], path, arrays)
    fixed = fix_axes(signature.shapes, request["shapes"], BAD_SHAPE)
    kept = _Cases(job.folder)
    maker = Maker(evaluator, signature, arrays)
    if arrays:
        chosen = _agreed(fixed, fix_axes(signature.shapes, {n: a.shape for n, a in arrays.items()}, BAD_INPUTS))
        try:
            kept.add(GIVEN, arrays, evaluator.run(arrays))
        except NotAccepted as no:
            raise Refusal(BAD_INPUTS, f"The reference refuses these inputs: {no}") from no
    else:
        chosen = maker.first_size(fixed)
        kept.size(sizes.bind(signature.shapes, chosen))
    for case in maker.cases(chosen):
        kept.add(*case)
    base = _base(kept.cases)
    second = maker.second_size(fixed, chosen)
    if second is not None:
        for case in maker.cases_at_second_size(second):
            kept.add(*case)
    model = onnx.load(path, load_external_data=False)
    influence = influence_of(model)
    untried = Untried(path, evaluator, job.folder, influence)
    free = [axis for axis in signature.axes if axis.key not in fixed]
    _search(untried, kept, signature, chosen, base, influence.sizes, free)
    _extremes(model, influence, evaluator, kept, signature, chosen, base)
    _empties(evaluator, kept, signature, chosen, free)
    if kept.nothing_compared and not _is_empty_by_shape(model):
        raise Refusal("no_size", "every output is empty")
    return {
        "label": evaluator.label,
        "sizes": kept.sizes,
        "cases": kept.cases,
        "untried": untried.told,
        "still": untried.outputs,
        "disputed": evaluator.disputed if isinstance(evaluator, Doubled) else "",
    }


def _is_empty_by_shape(model: Any) -> bool:
    """Whether the model says of an output that it never holds anything."""
    dims = (dim for output in model.graph.output for dim in output.type.tensor_type.shape.dim)
    return any(dim.HasField("dim_value") and dim.dim_value == 0 for dim in dims)


def _base(cases: Sequence[Mapping[str, Any]]) -> Arrays:
    """The inputs of the first case of those that leave the fewest inputs all the same value."""
    made = [load_arrays(case["inputs"]) for case in cases]
    return max(made, key=lambda feeds: sum(map(_varies, feeds.values())), default={})


def _varies(array: Array) -> bool:
    return array.size > 0 and bool(array.min() != array.max())


def _search(
    untried: Untried,
    kept: _Cases,
    signature: Signature,
    chosen: Mapping[str, int],
    base: Arrays,
    deciding: frozenset[str],
    free: Sequence[sizes.Axis],
) -> None:
    """Add inputs that try what those kept so far do not."""
    for known in kept.cases:
        if untried.is_empty:
            return
        untried.note(load_arrays(known["inputs"]), load_arrays(known["outputs"]))
    if untried.is_empty or not base:
        return
    for case in untried.found(value_candidates(signature.specs(chosen), base, deciding)):
        kept.add(*case)
    if untried.bodies and untried.by_size:
        for case in untried.found(size_candidates(free, chosen, signature.specs)):
            kept.add(*case)


def _extremes(
    model: Any,
    influence: Influence,
    evaluator: Evaluator,
    kept: _Cases,
    signature: Signature,
    chosen: Mapping[str, int],
    base: Arrays,
) -> None:
    """Add inputs at their ends, of each group up to what the reference refuses."""
    refused: set[str] = set()
    for name, extreme in extremes_of(model, signature.specs(chosen), kept.reach, influence):
        if extreme.group in refused:
            continue
        feeds = {**base, name: extreme.array}
        try:
            outputs = evaluator.run(feeds)
        except NotAccepted:
            refused.add(extreme.group)
            continue
        kept.add(extreme.label, feeds, outputs, extreme.group, extreme.condition)


def _empties(
    evaluator: Evaluator, kept: _Cases, signature: Signature, chosen: Mapping[str, int], free: Sequence[sizes.Axis]
) -> None:
    """Add an input for each axis of a cache that may be empty, as it is before the first step."""
    for axis in free:
        if axis.is_batch or not signature.is_of_state(axis):
            continue
        specs = signature.specs({**chosen, axis.key: 0})
        feeds = {spec.name: made_up.make(spec, n, 0, np.random.default_rng(n)) for n, spec in enumerate(specs)}
        try:
            outputs = evaluator.run(feeds)
        except NotAccepted:
            continue
        kept.add(f"{axis.key} empty", feeds, outputs, f"size={axis.key}", f"size={axis.key} at least 1")


def with_plan(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Run ``model`` with the weights of a plan on the inputs of ``cases``.

    ``plan``: keyword arguments of ``dequantized.with_plan_weights``. Returns {"outputs": a mapping of
    output name to file for each case}.
    """
    evaluator = open_model(_planned(request), job.folder)
    ran = enumerate(_run_all(evaluator, request["cases"]))
    outputs = [save_arrays(job.folder, f"{number}.out", values) for number, values in ran]
    return {"outputs": outputs}


def noise(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """How far 1-ulp weight noise (one model for each of ``seeds``) moves the outputs of ``cases``.

    ``plan``: as for ``with_plan``, {} for the model's own weights.
    Returns {"changes": for each case a mapping of output name to {"whole": largest absolute change,
    "slices": as much of every slice, by axis}}.
    """
    changes: list[dict[str, Any]] = [{} for _ in request["cases"]]
    for seed in request["seeds"]:
        model = _planned(request)
        add_noise(model, seed)
        evaluator = open_model(model, job.folder)
        for values, case, change in zip(_run_all(evaluator, request["cases"]), request["cases"], changes, strict=True):
            for name, array in values.items():
                moved = compare(array, np.load(case["outputs"][name]))
                change[name] = _widened(change.get(name), moved)
    return {"changes": changes}


def _widened(known: Mapping[str, Any] | None, moved: Comparison) -> dict[str, Any]:
    """The larger of two changes, each slice by itself."""
    slices = {cut.axis: list(cut.errors) for cut in moved.slices}
    if known is None:
        return {"whole": moved.max_abs, "slices": slices}
    wider = {axis: list(map(max, errors, known["slices"].get(axis, errors))) for axis, errors in slices.items()}
    return {"whole": max(known["whole"], moved.max_abs), "slices": wider}


def _planned(request: Mapping[str, Any]) -> Any:
    """``model``, with the weights of ``plan`` where there is one."""
    model = onnx.load(request["model"])
    if not request["plan"]:
        return model
    from workbench.engines.mnn.dequantized import with_plan_weights  # not for float models

    return with_plan_weights(model, **request["plan"])


def _run_all(evaluator: Evaluator, cases: Iterable[Mapping[str, Any]]) -> Iterator[Arrays]:
    for case in cases:
        try:
            yield evaluator.run(load_arrays(case["inputs"]))
        except NotAccepted as no:
            raise Refusal(NO_REFERENCE, str(no)) from no


def _agreed(fixed: Mapping[str, int], given: Mapping[str, int]) -> dict[str, int]:
    for key, size in fixed.items():
        if given.get(key, size) != size:
            raise Refusal(BAD_SHAPE, f"Axis {key} is {given[key]} in the inputs and {size} in the shape asked for")
    return {**given, **fixed}


FUNCTIONS = {"reference": reference, "with_plan": with_plan, "noise": noise}
