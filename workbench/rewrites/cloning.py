"""The body of a function written in the place of its call. Worker side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir

from workbench.rewrites.build import Build

Values = dict[ir.Value, ir.Value | None]


def call(
    function: ir.Function,
    inputs: Sequence[ir.Value | None],
    attributes: Mapping[str, ir.Attr],
    build: Build,
) -> list[ir.Value | None]:
    """The outputs of ``function`` for ``inputs``; its nodes are made with ``build``.

    ``attributes``: those of the call; what they lack has the function's default, or is left out.
    """
    known: Values = dict.fromkeys(function.inputs)
    known.update(zip(function.inputs, inputs, strict=False))
    given = {name: attribute for name, attribute in function.attributes.items() if attribute.value is not None}
    _write(function, known, given | dict(attributes), build)
    return [known[value] for value in function.outputs]


def inlined(body: ir.Graph, inputs: Sequence[ir.Value], build: Build) -> list[ir.Value]:
    """The outputs of a body of If, Loop or Scan for ``inputs``; its nodes are made with ``build``.

    What the body sees of the graphs around it stays what it is.
    """
    known: Values = dict(zip(body.inputs, inputs, strict=True))
    for value in body.initializers.values():
        assert value.const_value is not None
        known[value] = build.constants.add(value.const_value.numpy())
    _write(body, known, {}, build)
    outputs = [known.get(value, value) for value in body.outputs]
    return [value for value in outputs if value is not None]


def _write(nodes: ir.Function | ir.Graph, known: Values, attributes: Mapping[str, ir.Attr], build: Build) -> None:
    for node in nodes:
        inputs = [None if value is None else known.get(value, value) for value in node.inputs]
        own = {name: _own(attribute, known, attributes, build) for name, attribute in node.attributes.items()}
        outputs = build.ops(node.op_type, inputs, len(node.outputs), domain=node.domain, **own)
        known.update(zip(node.outputs, outputs, strict=True))


def _own(
    attribute: ir.Attr, known: Values, attributes: Mapping[str, ir.Attr], build: Build
) -> ir.Attr | ir.Graph | None:
    """The attribute of a copy: what it refers to, or None; bodies are copied with what they see around them."""
    if attribute.is_ref():
        referred = attributes.get(attribute.ref_attr_name or "")
        return None if referred is None else ir.Attr(attribute.name, referred.type, referred.value)
    if attribute.type != ir.AttributeType.GRAPH:
        return attribute
    body = attribute.as_graph()
    inside = build.inside()
    own: Values = dict(known)
    inputs = [ir.Value(name=build.names.fresh("in"), type=value.type, shape=value.shape) for value in body.inputs]
    own.update(zip(body.inputs, inputs, strict=True))
    for value in body.initializers.values():
        assert value.const_value is not None
        own[value] = build.constants.add(value.const_value.numpy())
    _write(body, own, attributes, inside)
    outputs = [own[value] for value in body.outputs]
    return inside.body(inputs, [value for value in outputs if value is not None])
