"""What the inspector says of models, operators and tensors, as names and values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from workbench.core.artifact import AppliedLayer, Artifact
from workbench.core.graph import AttributeValue, Graph, Initializer, Model, Node, Tensor
from workbench.core.messages import plain
from workbench.ui.graph.texts import amount
from workbench.ui.layers.outline import Outline
from workbench.ui.layers.row import shape_text
from workbench.ui.numbers import bytes_text, count_text
from workbench.ui.text import tr

Facts = tuple[tuple[str, str], ...]


def model_facts(model: Model, outline: Outline) -> Facts:
    """What the file says of itself."""
    opsets = ", ".join(f"{name or 'ai.onnx'} {version}" for name, version in model.opsets.items())
    return (
        (tr("File"), Path(model.path).name),
        (tr("Folder"), str(Path(model.path).parent)),
        (tr("Format"), model.format),
        (tr("Size"), bytes_text(model.bytes)),
        (tr("Ops"), count_text(len(outline.rows))),
        (tr("Parameters"), amount(outline.parameters)),
        (tr("Made by"), model.producer or tr("not said")),
        (tr("Opset"), opsets),
    )


def tensor_facts(tensors: Iterable[Tensor]) -> Facts:
    """By name: type and shape."""
    return tuple((tensor.name, f"{tensor.dtype} {shape_text(tensor.shape)}") for tensor in tensors)


def attribute_facts(attributes: Mapping[str, AttributeValue]) -> Facts:
    return tuple((name, _attribute(value)) for name, value in attributes.items())


def _attribute(value: AttributeValue) -> str:
    if isinstance(value, tuple):
        shown = ", ".join(str(one) for one in value[:16])
        return f"[{shown}, …]" if len(value) > 16 else f"[{shown}]"
    return plain(str(value))[:400]


def node_tensors(graph: Graph, node: Node) -> tuple[Facts, Facts]:
    """Inputs and outputs of ``node``, weights among the inputs, with type, shape and size."""
    weights = {item.name: item for item in graph.initializers}
    inputs = tuple((name, _value(graph, weights, name)) for name in node.inputs if name)
    outputs = tuple((name, _value(graph, weights, name)) for name in node.outputs if name)
    return inputs, outputs


def _value(graph: Graph, weights: Mapping[str, Initializer], name: str) -> str:
    if name in weights:
        weight = weights[name]
        return f"{weight.dtype} {shape_text(weight.shape)} {bytes_text(weight.nbytes)}"
    tensor = graph.tensors.get(name)
    return f"{tensor.dtype} {shape_text(tensor.shape)}" if tensor is not None else tr("type not known")


def applied_facts(layer: AppliedLayer) -> Facts:
    """What the converter wrote for a layer, read back from its output."""
    bits = tr("float") if layer.bits == 0 else tr("{n} bit", n=layer.bits)
    facts = [(tr("Op in MNN"), layer.op_name), (tr("Weights"), bits)]
    if layer.bits:
        facts.append((tr("Zero point"), tr("Asymmetric") if layer.asymmetric else tr("Symmetric")))
        facts.append((tr("Scales"), count_text(layer.blocks)))
    return tuple(facts)


def applied_layer(artifact: Artifact | None, node: str) -> AppliedLayer | None:
    if artifact is None:
        return None
    return next((layer for layer in artifact.layers_applied if layer.node == node), None)
