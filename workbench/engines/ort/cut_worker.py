"""The child that takes a model apart to find the node at fault: traces, single nodes, beginnings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

from workbench.children.serve import Job, Refusal
from workbench.engines.arrays import Array, load_arrays, save_arrays
from workbench.engines.ort.evaluator import NO_REFERENCE, NotAccepted, open_model
from workbench.engines.ort.influence import bodies_of, place_of

_NOT_TENSORS: Final = ("Sequence", "Optional", "SplitToSequence")
_SIZES_ARE_SMALL: Final = 64
_PARAMETERS_ARE_SMALL: Final = 4096
_PART_LIMIT: Final = 1 << 31


@dataclass(frozen=True, slots=True)
class _Anatomy:
    """The main graph: constants by name, and the names of what depends on no input."""

    model: Any
    constants: Mapping[str, Any]
    fixed: frozenset[str]

    @property
    def nodes(self) -> Sequence[Any]:
        return [node for node in self.model.graph.node if node.op_type != "Constant"]

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(value.name for value in self.model.graph.input if value.name not in self.constants)


def trace(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Every tensor of the main graph, as the reference computes it from ``inputs`` (files by name).

    Writes ``exposed.onnx``, the model with every tensor that depends on an input as an output.
    Returns {"values": files by tensor name, small constants too, "exposed": the names of those outputs in order}.
    """
    anatomy = _anatomy(Path(request["model"]))
    graph = anatomy.model.graph
    already = {value.name for value in graph.output}
    names = [name for node in anatomy.nodes if _gives_tensors(node) for name in node.output if name]
    exposed = [name for name in names if name not in anatomy.fixed]
    original = list(graph.output)
    graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names if name not in already)
    evaluator = open_model(anatomy.model, job.folder)
    try:
        arrays = evaluator.run(load_arrays(request["inputs"]))
    except NotAccepted as no:
        raise Refusal(NO_REFERENCE, str(no)) from no
    values = dict(request["inputs"])
    arrays |= {name: numpy_helper.to_array(tensor) for name, tensor in anatomy.constants.items() if _is_small(tensor)}
    values |= save_arrays(job.folder, "t", arrays)
    del graph.output[:]
    graph.output.extend(original)
    graph.output.extend(helper.make_empty_tensor_value_info(name) for name in exposed if name not in already)
    _save(anatomy.model, job.folder / "exposed.onnx")
    return {"values": values, "exposed": exposed}


def isolate(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """A model of its own for each of ``nodes`` (first outputs), to be fed with the reference's values.

    ``values``: files by tensor name, as ``trace`` gives them. ``shapes``: declared dims by tensor name.
    ``fix_sizes``: integers that look like sizes become constants. Returns {"parts": [{"node", "file",
    "inputs", "outputs" (files by name), "key" (equal for nodes that do the same)}]}.
    """
    anatomy = _anatomy(Path(request["model"]))
    wanted = set(request["nodes"])
    maker = _Parts(anatomy, request["values"], request["shapes"], fix_sizes=request["fix_sizes"])
    parts = []
    for number, node in enumerate(anatomy.nodes):
        first = next(name for name in node.output if name)
        if first in wanted:
            parts.append(maker.part(node, first, job.folder / f"part{number}.onnx"))
    return {"parts": parts}


def beginning(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """The part of ``model`` that ``tensors`` need, with them as its outputs: {"file", "inputs"}."""
    anatomy = _anatomy(Path(request["model"]))
    graph = anatomy.model.graph
    needed = set(request["tensors"])
    kept: list[Any] = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(_reads(node))
    initializers = [tensor for tensor in graph.initializer if tensor.name in needed]
    inputs = [value for value in graph.input if value.name in anatomy.inputs and value.name in needed]
    outputs = [helper.make_empty_tensor_value_info(name) for name in request["tensors"]]
    cut = helper.make_graph(kept[::-1], "beginning", inputs, outputs, initializers)
    file = job.folder / "beginning.onnx"
    _save(_model(anatomy.model, cut), file)
    return {"file": str(file), "inputs": [value.name for value in inputs]}


def body(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """The branch of an If at ``place`` (see ``influence.py``) as a model, on what it reads where ``inputs`` are fed.

    Returns {"file", "inputs", "outputs"}. Refuses with "no_reference" a body that is no branch of the main graph's.
    """
    anatomy = _anatomy(Path(request["model"]))
    branch = _branch_at(anatomy, request["place"])
    read = dict.fromkeys(_captured(branch))
    values = load_arrays(request["inputs"])
    computed = [name for name in read if name not in values and name not in anatomy.constants]
    values |= _evaluated(anatomy.model, computed, values, job.folder)
    inputs = [_typed(name, values[name], None) for name in read if name in values and name not in anatomy.fixed]
    fixed = [anatomy.constants[name] for name in read if name in anatomy.constants]
    fixed += [numpy_helper.from_array(values[name], name) for name in computed if name in anatomy.fixed]
    graph = helper.make_graph(branch.node, "body", inputs, branch.output, [*branch.initializer, *fixed])
    part = _model(anatomy.model, graph)
    _save(part, file := job.folder / "body.onnx")
    fed = {value.name: values[value.name] for value in inputs}
    made = _evaluated(part, [value.name for value in branch.output], fed, job.folder)
    return {
        "file": str(file),
        "inputs": save_arrays(job.folder, "in", fed),
        "outputs": save_arrays(job.folder, "out", made),
    }


def _branch_at(anatomy: _Anatomy, place: str) -> Any:
    for node in anatomy.nodes:
        for attribute, graph in bodies_of(node):
            if node.op_type == "If" and place_of(node, attribute, "") == place:
                return graph
    raise Refusal(NO_REFERENCE, f"{place} is no branch of the main graph")


def _evaluated(model: Any, names: Sequence[str], feeds: Mapping[str, Array], folder: Path) -> dict[str, Array]:
    """The tensors ``names`` of the main graph."""
    if not names:
        return {}
    asked = onnx.ModelProto()
    asked.CopyFrom(model)
    del asked.graph.output[:]
    asked.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    try:
        return open_model(asked, folder).run(feeds)
    except NotAccepted as no:
        raise Refusal(NO_REFERENCE, str(no)) from no


class _Parts:
    """Makes models of one node."""

    def __init__(
        self, anatomy: _Anatomy, values: Mapping[str, str], shapes: Mapping[str, Sequence[Any]], *, fix_sizes: bool
    ) -> None:
        self._anatomy = anatomy
        self._values = values
        self._shapes = shapes
        self._fix_sizes = fix_sizes

    def part(self, node: Any, first: str, file: Path) -> dict[str, Any]:
        inputs: dict[str, str] = {}
        declared: list[Any] = []
        constants: list[Any] = []
        for name in dict.fromkeys(_reads(node)):
            if name in self._anatomy.constants:
                constants.append(self._anatomy.constants[name])
                continue
            array = np.load(self._values[name])
            if name in self._anatomy.fixed or (self._fix_sizes and self._is_computed_size(name, array)):
                constants.append(numpy_helper.from_array(array, name))
            else:
                inputs[name] = self._values[name]
                declared.append(self._declared(name, array))
        outputs = {name: self._values[name] for name in node.output if name in self._values}
        typed = [_typed(name, np.load(path), None) for name, path in outputs.items()]
        graph = helper.make_graph([node], "part", declared, typed, constants)
        _save(_model(self._anatomy.model, graph), file)
        key = _key(node, declared, constants)
        return {"node": first, "file": str(file), "inputs": inputs, "outputs": outputs, "key": key}

    def _is_computed_size(self, name: str, array: Array) -> bool:
        return name not in self._anatomy.inputs and _looks_like_sizes(array)

    def _declared(self, name: str, array: Array) -> Any:
        """The input with the open axes that the model declares for it: they matter to the converter."""
        dims = self._shapes.get(name)
        fits = (
            dims is not None
            and len(dims) == array.ndim
            and all(dim == size for dim, size in zip(dims, array.shape, strict=True) if isinstance(dim, int))
        )
        return _typed(name, array, dims if fits else list(array.shape))


def _anatomy(path: Path) -> _Anatomy:
    model = onnx.load(path)
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and (tensor := _constant(node)) is not None:
            constants[node.output[0]] = tensor
    dynamic = {value.name for value in graph.input if value.name not in constants}
    fixed: set[str] = set(constants)
    for node in graph.node:
        if dynamic.intersection(_reads(node)) or node.op_type.startswith("Random"):
            dynamic.update(node.output)
        else:
            fixed.update(node.output)
    return _Anatomy(model, constants, frozenset(fixed))


def _constant(node: Any) -> Any:
    """The tensor of a Constant node under the name of its output; None for a sparse or a string one."""
    value = {attribute.name: attribute for attribute in node.attribute}
    name = node.output[0]
    if "value" in value:
        tensor = onnx.TensorProto()
        tensor.CopyFrom(value["value"].t)
        tensor.name = name
        return tensor
    for key, dtype in (("value_float", np.float32), ("value_floats", np.float32), ("value_int", np.int64)):
        if key in value:
            return numpy_helper.from_array(np.asarray(helper.get_attribute_value(value[key]), dtype), name)
    if "value_ints" in value:
        return numpy_helper.from_array(np.asarray(value["value_ints"].ints, np.int64), name)
    return None


def _gives_tensors(node: Any) -> bool:
    return not node.op_type.startswith(_NOT_TENSORS)


def _reads(node: Any) -> Iterator[str]:
    """The outer values that a node reads, those that its bodies capture included."""
    yield from (name for name in node.input if name)
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield from _captured(attribute.g)


def _captured(body: Any) -> Iterator[str]:
    own = {value.name for value in body.input} | {tensor.name for tensor in body.initializer}
    for node in body.node:
        yield from (name for name in _reads(node) if name not in own)
        own.update(node.output)
    yield from (value.name for value in body.output if value.name not in own)


def _looks_like_sizes(array: Array) -> bool:
    return array.dtype.kind in "iu" and array.ndim <= 1 and array.size <= _SIZES_ARE_SMALL


def _is_small(tensor: Any) -> bool:
    return int(np.prod(tensor.dims)) <= _PARAMETERS_ARE_SMALL


def _typed(name: str, array: Array, dims: Sequence[Any] | None) -> Any:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), dims)


def _model(original: Any, graph: Any) -> Any:
    made = helper.make_model(graph, opset_imports=original.opset_import, ir_version=original.ir_version)
    made.functions.extend(original.functions)
    return made


def _key(node: Any, declared: Sequence[Any], constants: Sequence[Any]) -> str:
    """Equal for nodes with equal attributes, constants and input types, whatever their tensors are called."""
    places = {value.name: f"input {number}" for number, value in enumerate(declared)}
    places |= {tensor.name: f"constant {number}" for number, tensor in enumerate(constants)}
    wiring = [places.get(name, "") for name in node.input], [bool(name) for name in node.output]
    digest = hashlib.sha256(f"{node.domain}::{node.op_type}{wiring}".encode())
    for attribute in sorted(node.attribute, key=lambda attribute: attribute.name):
        digest.update(attribute.SerializeToString())
    for value in declared:
        digest.update(value.type.SerializeToString())
    for tensor in constants:
        digest.update(np.ascontiguousarray(numpy_helper.to_array(tensor)).tobytes())
    return digest.hexdigest()


def _save(model: Any, file: Path) -> None:
    big = model.ByteSize() >= _PART_LIMIT
    onnx.save(model, file, save_as_external_data=big, location=f"{file.name}.data" if big else None)


FUNCTIONS = {"trace": trace, "isolate": isolate, "beginning": beginning, "body": body}
