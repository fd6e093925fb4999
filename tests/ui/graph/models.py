"""Graphs for the tests of the view: made here, of the sizes and oddities that matter."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from workbench.core.graph import Graph, Initializer, Node, Subgraph, Tensor
from workbench.core.messages import msg
from workbench.core.verdict import Status, Verdict


def tensor(name: str, *shape: int | str, dtype: str = "float32") -> Tensor:
    return Tensor(name, dtype, shape)


def node(name: str, op: str, inputs: Sequence[str], outputs: Sequence[str] = (), **attributes: int | str) -> Node:
    outs = tuple(outputs) or (f"{name}_out",)
    return Node(outs[0], name, op, "", tuple(inputs), outs, attributes)


def graph(
    nodes: Iterable[Node],
    inputs: Sequence[Tensor] = (),
    outputs: Sequence[Tensor] = (),
    initializers: Sequence[Initializer] = (),
    tensors: Iterable[Tensor] = (),
    subgraphs: Sequence[Subgraph] = (),
    path: str = "",
) -> Graph:
    known = {t.name: t for t in (*inputs, *outputs, *tensors)}
    return Graph(
        "graph", path, tuple(nodes), tuple(inputs), tuple(outputs), tuple(initializers), known, tuple(subgraphs)
    )


def weight(name: str, *shape: int) -> Initializer:
    elements = 1
    for size in shape:
        elements *= size
    return Initializer(name, "float32", shape, 4 * elements)


def chain(count: int, op: str = "Relu") -> Graph:
    """``count`` nodes without scopes, one after the other."""
    ops = [node(f"{op}_{i}", op, [f"v{i}"], [f"v{i + 1}"]) for i in range(count)]
    shapes = [tensor(f"v{i}", 1, 8) for i in range(count + 1)]
    return graph(ops, [shapes[0]], [shapes[-1]], tensors=shapes)


def silero_like() -> Graph:
    """47 ops with scopes: stft, an encoder of four equal blocks, a decoder with an LSTM, post."""
    nodes: list[Node] = []
    tensors: list[Tensor] = []
    weights: list[Initializer] = []

    def add(
        name: str, op: str, inputs: Sequence[str], *shape: int | str, outputs: int = 1, **attributes: int | str
    ) -> str:
        outs = [f"{name}_output_{i}" for i in range(outputs)]
        nodes.append(node(name, op, inputs, outs, **attributes))
        tensors.extend(tensor(out, *shape) for out in outs)
        return outs[0]

    value = add("/stft/Pad", "Pad", ["input"], 1, 640, mode="reflect")
    value = add("/stft/Unsqueeze", "Unsqueeze", [value], 1, 1, 640)
    weights.append(weight("stft.basis", 258, 1, 256))
    value = add("/stft/Conv", "Conv", [value, "stft.basis"], 1, 258, "seq")
    real = add("/stft/Slice", "Slice", [value], 1, 129, "seq")
    power = add("/stft/Pow", "Pow", [real], 1, 129, "seq")
    value = add("/stft/Sqrt", "Sqrt", [power], 1, 129, "seq")
    for block in range(4):
        scope = f"/encoder/{block}"
        weights += [weight(f"e{block}.w", 128, 128, 3), weight(f"e{block}.p", 128, 128, 1)]
        a = add(f"{scope}/reparam_conv/Conv", "Conv", [value, f"e{block}.w"], 1, 128, "seq")
        b = add(f"{scope}/Relu", "Relu", [a], 1, 128, "seq")
        c = add(f"{scope}/pw/Conv", "Conv", [b, f"e{block}.p"], 1, 128, "seq")
        d = add(f"{scope}/proj/Conv", "Conv", [value, f"e{block}.p"], 1, 128, "seq")
        e = add(f"{scope}/Add", "Add", [c, d], 1, 128, "seq")
        f = add(f"{scope}/Relu_1", "Relu", [e], 1, 128, "seq")
        value = add(f"{scope}/Identity", "Identity", [f], 1, 128, "seq")
    value = add("/decoder/Transpose", "Transpose", [value], "seq", 1, 128)
    weights += [weight("lstm.w", 1, 512, 128), weight("lstm.r", 1, 512, 128)]
    lstm = add(
        "/decoder/rnn/LSTM",
        "LSTM",
        [value, "lstm.w", "lstm.r", "", "", "state"],
        "seq",
        1,
        1,
        128,
        outputs=3,
        hidden_size=128,
    )
    value = add("/decoder/Squeeze", "Squeeze", [lstm], "seq", 1, 128)
    value = add("/decoder/Transpose_1", "Transpose", [value], 1, 128, "seq")
    value = add("/decoder/decoder/0/Relu", "Relu", [value], 1, 128, "seq")
    weights.append(weight("out.w", 1, 128, 1))
    value = add("/decoder/decoder/1/Conv", "Conv", [value, "out.w"], 1, 1, "seq")
    value = add("/decoder/decoder/2/Sigmoid", "Sigmoid", [value], 1, 1, "seq")
    h = add("/decoder/Slice_h", "Slice", ["/decoder/rnn/LSTM_output_1"], 1, 1, 128)
    c = add("/decoder/Slice_c", "Slice", ["/decoder/rnn/LSTM_output_2"], 1, 1, 128)
    nodes.append(node("/decoder/Concat_state", "Concat", [h, c], ["stateN"]))
    value = add("/decoder/Pad", "Pad", [value], 1, 1, 640)
    value = add("/post/ReduceMean", "ReduceMean", [value], 1, 1)
    nodes.append(node("/post/Squeeze", "Squeeze", [value], ["output"]))
    return graph(
        nodes,
        [tensor("input", 1, 576), tensor("state", 2, 1, 128)],
        [tensor("output", 1, 1), tensor("stateN", 2, 1, 128)],
        weights,
        tensors,
    )


def silero_verdicts(model: Graph) -> dict[str, Verdict]:
    """All right but an LSTM that is wrong and can be fixed, and a Pad under a condition."""
    states = {"/decoder/rnn/LSTM": Status.WRONG, "/decoder/Pad": Status.CONDITION}
    return {
        n.id: Verdict(
            n.id,
            n.name,
            n.op,
            states.get(n.name, Status.RIGHT),
            msg("Initial state with dynamic sequence is computed wrongly") if n.op == "LSTM" else None,
            fix=msg("Exact rewrite") if n.op == "LSTM" else None,
        )
        for n in model.nodes
    }


def transformer(layers: int, scopes: bool = True) -> Graph:
    """A transformer of 51 ops a layer; mask, cos and sin are read by every layer."""
    nodes: list[Node] = []
    tensors: list[Tensor] = []
    counter = 0

    def add(scope: str, op: str, *inputs: str) -> str:
        nonlocal counter
        counter += 1
        name = f"{scope}/{op}_{counter}" if scopes else f"{op}_{counter}"
        out = f"t{counter}"
        nodes.append(node(name, op, inputs, [out]))
        tensors.append(tensor(out, 1, "seq", 64))
        return out

    value = add("/model/embed", "Gather", "ids")
    mask = add("/model", "Where", "attention_mask")
    cos, sin = add("/model/rotary", "Cos", "position"), add("/model/rotary", "Sin", "position")

    def norm(scope: str, value: str) -> str:
        square = add(scope, "Pow", value)
        mean = add(scope, "ReduceMean", square)
        root = add(scope, "Sqrt", add(scope, "Add", mean))
        return add(scope, "Mul", add(scope, "Div", value, root))

    def rotate(scope: str, value: str) -> str:
        half = add(scope, "Neg", add(scope, "Slice", value))
        turned = add(scope, "Concat", half, add(scope, "Slice", value))
        return add(scope, "Add", add(scope, "Mul", value, cos), add(scope, "Mul", turned, sin))

    for layer in range(layers):
        scope = f"/model/layers.{layer}"
        normed = norm(f"{scope}/input_layernorm", value)
        heads = []
        for part in ("q", "k", "v"):
            projected = add(f"{scope}/self_attn/{part}_proj", "MatMul", normed)
            heads.append(add(f"{scope}/self_attn", "Transpose", add(f"{scope}/self_attn", "Reshape", projected)))
        q, k = rotate(f"{scope}/self_attn", heads[0]), rotate(f"{scope}/self_attn", heads[1])
        scores = add(f"{scope}/self_attn", "MatMul", q, add(f"{scope}/self_attn", "Transpose", k))
        scores = add(f"{scope}/self_attn", "Add", add(f"{scope}/self_attn", "Mul", scores), mask)
        mixed = add(f"{scope}/self_attn", "MatMul", add(f"{scope}/self_attn", "Softmax", scores), heads[2])
        mixed = add(f"{scope}/self_attn", "Reshape", add(f"{scope}/self_attn", "Transpose", mixed))
        value = add(scope, "Add", value, add(f"{scope}/self_attn/o_proj", "MatMul", mixed))
        normed = norm(f"{scope}/post_layernorm", value)
        gate = add(f"{scope}/mlp/gate", "MatMul", normed)
        gated = add(f"{scope}/mlp", "Mul", gate, add(f"{scope}/mlp", "Sigmoid", gate))
        up = add(f"{scope}/mlp/up", "MatMul", normed)
        value = add(scope, "Add", value, add(f"{scope}/mlp/down", "MatMul", add(f"{scope}/mlp", "Mul", gated, up)))
    value = norm("/model/norm", value)
    nodes.append(node("/lm_head/MatMul", "MatMul", [value], ["logits"]))
    inputs = [
        tensor("ids", 1, "seq", dtype="int64"),
        tensor("attention_mask", 1, "seq"),
        tensor("position", 1, "seq", dtype="int64"),
    ]
    return graph(nodes, inputs, [tensor("logits", 1, "seq", 32000)], tensors=tensors)


def random_graph(count: int, seed: int, scopes: int = 3) -> Graph:
    """A random DAG; ``scopes`` names a level, 0 for none. Scopes interleave, so groups form cycles."""
    chance = random.Random(seed)
    nodes = []
    for number in range(count):
        inputs = [f"v{chance.randrange(number)}" for _ in range(chance.randint(0, 3)) if number]
        path = "".join(f"/s{chance.randrange(scopes)}" for _ in range(chance.randint(0, 2))) if scopes else ""
        nodes.append(
            node(f"{path}/op{number}", chance.choice(["Conv", "Add", "Relu"]), inputs or ["x"], [f"v{number}"])
        )
    outputs = [tensor(f"v{count - 1}", 1)] if count else []
    return graph(nodes, [tensor("x", 1)], outputs)


def with_bodies() -> Graph:
    """An If whose branches read a value from outside."""
    then = graph(
        [node("", "Relu", ["x"], ["t"]), node("", "Neg", ["t"], ["y1"])],
        [],
        [tensor("y1", 4)],
        path="choice/then_branch/",
    )
    other = graph([node("", "Tanh", ["x"], ["y2"])], [], [tensor("y2", 4)], path="choice/else_branch/")
    choice = node("If_0", "If", ["flag"], ["choice"])
    after = node("After", "Sqrt", ["choice"], ["out"])
    return graph(
        [node("Before", "Abs", ["raw"], ["x"]), choice, after],
        [tensor("raw", 4), tensor("flag", dtype="bool")],
        [tensor("out", 4)],
        subgraphs=[Subgraph("choice", "then_branch", then), Subgraph("choice", "else_branch", other)],
    )


ODD_NAMES = (
    "",
    "",
    "twice",
    "twice",
    "<b>bold</b><img src=x>",
    "\x1b]0;title\x07\x1b[31mred",
    "卷积层/😀/注意力",
    "a/" * 3000 + "deep",
    "x" * 100_000,
    "\u202egnp.exe",
    "line\nbreak\ttab",
)


def oddly_named() -> Graph:
    nodes = [node(name, "Relu", [f"v{i}"], [f"v{i + 1}"]) for i, name in enumerate(ODD_NAMES)]
    return graph(nodes, [tensor("v0", 1)], [tensor(f"v{len(ODD_NAMES)}", 1)])
