"""Types that MNN does not compute in: floats other than float32, integers other than int32.

``FLOATS`` and ``INTEGERS`` are for the whole model, not for a node: the pass applies them last (``demote``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import INTEGER_RANGES
from workbench.rewrites.identity import ORIGIN
from workbench.rewrites.rule import Replacement, Rule, whole_model

_T = ir.DataType
_FLOATS: Final = dict.fromkeys((_T.DOUBLE, _T.FLOAT16, _T.BFLOAT16), _T.FLOAT)
_INTEGERS: Final = dict.fromkeys((_T.INT8, _T.UINT8, _T.INT16, _T.UINT16, _T.UINT32), _T.INT32) | {_T.UINT64: _T.INT64}
_TYPE_ATTRIBUTES: Final = {"Cast": "to", "EyeLike": "dtype", "RandomNormal": "dtype", "RandomUniform": "dtype"}
_WRAPS: Final = frozenset({_T.INT8, _T.UINT8, _T.INT16, _T.UINT16})
_NEEDS_SMALL: Final = ("Quantize", "QLinear", "Integer")
"""Operators with these words in their names are defined for 8 bits alone."""


FLOATS: Final = Rule(
    "types/floats", (), msg("float16, bfloat16 and float64 become float32, in which MNN computes"), whole_model
)
INTEGERS: Final = Rule("types/integers", (), msg("Integers of 8, 16 and unsigned 32 bits become int32"), whole_model)


def _cast_like(node: ir.Node, build: Build) -> Replacement:
    x, like = node.inputs
    if x is None or like is None or like.dtype is None:
        return None
    return build.op("Cast", x, to=like.dtype.value)


def _wrapped(node: ir.Node, build: Build) -> Replacement:
    """An integer that does not fit into fewer bits wraps around; MNN's converter crashes on such a cast."""
    x, to = node.inputs[0], ir.DataType(node.attributes.get_int("to", 0))
    if x is None or to not in _WRAPS or x.dtype not in INTEGER_RANGES or x.dtype is None:
        return None
    (low, high), (least, most) = INTEGER_RANGES[to], INTEGER_RANGES[x.dtype]
    if low <= least and most <= high:
        return None
    number = build.cast(x, _T.INT32)
    shifted = number if low == 0 else build.op("Sub", number, build.constant(low, np.int32))
    inside = build.op("Mod", shifted, build.constant(high - low + 1, np.int32))
    return build.op("Cast", inside if low == 0 else build.op("Add", inside, build.constant(low, np.int32)), to=to.value)


def _no_cast(node: ir.Node, build: Build) -> Replacement:
    x = node.inputs[0]
    return x if x is not None and x.dtype is not None and x.dtype == node.attributes.get_int("to", 0) else None


RULES: Final = (
    FLOATS,
    INTEGERS,
    Rule("types/cast-like", ("CastLike",), msg("CastLike is written as Cast to a type that is known"), _cast_like),
    Rule("types/wrapped", ("Cast",), msg("A cast to fewer bits is written with what is left of a division"), _wrapped),
    Rule("types/no-cast", ("Cast",), msg("A cast to the type that a value has is left out"), _no_cast),
)


def demote(model: ir.Model, chosen: frozenset[str]) -> tuple[Rule, ...]:
    """Change the types of the model's values in place; the rules of ``chosen`` that changed something.

    Inputs keep their types, but for int8, and are cast where they come in; outputs do not, which alters no value.
    """
    integers = INTEGERS.id in chosen and not _has_integer_operators(model.graph)
    done = []
    for rule, table in ((FLOATS, _FLOATS), (INTEGERS, _INTEGERS)):
        if rule.id in chosen and (rule is FLOATS or integers) and _change(model, table):
            done.append(rule)
    return tuple(done)


def _has_integer_operators(graph: ir.Graph) -> bool:
    return any(any(word in node.op_type for word in _NEEDS_SMALL) for node in graph.all_nodes())


def _change(model: ir.Model, table: Mapping[ir.DataType, ir.DataType]) -> bool:
    main = model.graph
    changed = False
    for graph in model.graphs():
        for node in graph:
            changed |= _change_attributes(node, table)
            for output in node.outputs:
                changed |= _change_type(output, table)
        if graph is not main:
            for value in graph.inputs:
                changed |= _change_type(value, table)
    for value in main.initializers.values():
        if value.const_value is not None and value.const_value.dtype in table:
            value.const_value = _tensor(value.const_value, table)
            changed |= _change_type(value, table)
    for value in main.inputs:
        if value.dtype == _T.INT8:  # which MNN cannot be fed
            changed |= _change_type(value, table)
        elif value.dtype is not None and value.dtype in table:
            _cast_on_entry(main, value, table[value.dtype])
            changed = True
    return changed


def _change_type(value: ir.Value, table: Mapping[ir.DataType, ir.DataType]) -> bool:
    if value.dtype is None or value.dtype not in table:
        return False
    value.type = ir.TensorType(table[value.dtype])
    return True


def _change_attributes(node: ir.Node, table: Mapping[ir.DataType, ir.DataType]) -> bool:
    name = _TYPE_ATTRIBUTES.get(node.op_type)
    changed = False
    if name is not None and (kind := ir.DataType(node.attributes.get_int(name, 0))) in table:
        node.attributes.add(ir.AttrInt64(name, table[kind].value))
        changed = True
    for attribute in list(node.attributes.values()):
        if attribute.type == ir.AttributeType.TENSOR and (tensor := attribute.as_tensor()).dtype in table:
            node.attributes.add(ir.AttrTensor(attribute.name, _tensor(tensor, table)))
            changed = True
    return changed


def _cast_on_entry(graph: ir.Graph, value: ir.Value, kind: ir.DataType) -> None:
    """Give what reads an input the input in another type."""
    readers = list(value.uses())
    inside = ir.Value(name=f"wb_{value.name}_{kind.name}", type=ir.TensorType(kind), shape=value.shape)
    attributes = ir.convenience.convert_attributes({"to": kind.value})
    origin = next((reader.metadata_props[ORIGIN] for reader, _ in readers if ORIGIN in reader.metadata_props), "")
    cast = ir.Node("", "Cast", [value], attributes, outputs=[inside], metadata_props={ORIGIN: origin})
    for reader, position in readers:
        reader.replace_input_with(position, inside)
    first = next(iter(graph), None)
    if first is None:
        graph.append(cast)
    else:
        graph.insert_before(first, cast)


def _tensor(tensor: Any, table: Mapping[ir.DataType, ir.DataType]) -> ir.TensorProtocol:
    return ir.tensor(np.asarray(tensor.numpy()).astype(table[tensor.dtype].numpy()), name=tensor.name)
