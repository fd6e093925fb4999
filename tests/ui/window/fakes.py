"""Steps that stand in for the engine and the devices, at the seam that the window has for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from workbench.app.actions import Feed, Opened
from workbench.core.artifact import AppliedLayer, Artifact, Rewrite
from workbench.core.device import Device, DeviceState
from workbench.core.errors import BadInput, WorkbenchError
from workbench.core.graph import Graph, Initializer, Model, Node, Tensor
from workbench.core.messages import Message, msg
from workbench.core.metric import Accuracy
from workbench.core.plan import QuantPlan
from workbench.core.protocol import Event, Finished, Hello, Loaded, Memory, Sample, Stat
from workbench.core.run import Latency, RunConfig, RunMemory, RunOutputs, RunSummary
from workbench.core.steps import Context
from workbench.core.verdict import Answer, CheckReport, Figure, Status, Verdict, Verification
from workbench.devices.listing import Seen
from workbench.engines.convert import ConvertReport
from workbench.formats.registry import Exporter
from workbench.quantize.forecast import Forecast
from workbench.ui.actions import Actions, Phone

HOST = Device("host", "builder", "x86_64", DeviceState.READY)
PIXEL = Device("39211FDJH0", "Pixel 8", "arm64-v8a", DeviceState.READY, android="15")
LOCKED = Device("R5CT", "SM-S911B", "", DeviceState.UNAUTHORIZED, msg("Unlock the phone and accept its prompt."))


def small_model(path: str = "/models/digits.onnx", blocks: int = 3) -> Opened:
    """Conv and Relu in scopes "block0" ..., then "head/fc"."""
    nodes: list[Node] = []
    weights: list[Initializer] = []
    tensors: dict[str, Tensor] = {"image": Tensor("image", "float32", ("N", 1, 8, 8))}
    last, layers = "image", []
    for block in range(blocks):
        weight = f"block{block}.weight"
        weights.append(Initializer(weight, "float32", (32, 32, 3, 3), 36864))
        conv, relu = f"/block{block}/conv/Conv_output_0", f"/block{block}/act/Relu_output_0"
        nodes.append(
            Node(conv, f"/block{block}/conv/Conv", "Conv", "", (last, weight), (conv,), {"kernel_shape": (3, 3)})
        )
        nodes.append(Node(relu, f"/block{block}/act/Relu", "Relu", "", (conv,), (relu,)))
        tensors |= {name: Tensor(name, "float32", ("N", 32, 8, 8)) for name in (conv, relu)}
        layers.append(conv)
        last = relu
    weights.append(Initializer("head.weight", "float32", (10, 2048), 81920))
    nodes.append(Node("logits", "/head/fc/Gemm", "Gemm", "", (last, "head.weight"), ("logits",), {"transB": 1}))
    tensors["logits"] = Tensor("logits", "float32", ("N", 10))
    layers.append("logits")
    graph = Graph(Path(path).stem, "", tuple(nodes), (tensors["image"],), (tensors["logits"],), tuple(weights), tensors)
    return Opened(Model(path, "onnx", 193_000, "pytorch 2.13", {"": 17}, graph), (), tuple(layers))


FIX = msg("Make the padding explicit.")
EFFECT = msg("The layer cannot be quantized")
RIGHT = Figure(3e-6, 1e-6, 1.0, inputs=5, sizes=2, tolerance=2e-3, right=True)


def check_report(opened: Opened, wrong: tuple[str, ...] = ()) -> CheckReport:
    """Every op right but ``wrong``, which have a reason, evidence and a fix."""
    verdicts = tuple(
        Verdict(
            node.id,
            node.name,
            node.op,
            Status.WRONG if node.id in wrong else Status.RIGHT,
            msg("The engine takes the padding as symmetric.") if node.id in wrong else None,
            {"max_rel_error": 0.44, "cosine": 0.871, "inputs": 5} if node.id in wrong else {},
            FIX if node.id in wrong else None,
        )
        for node in opened.model.graph.all_nodes()
    )
    return CheckReport(
        Answer.WRONG if wrong else Answer.OK,
        {"image": (1, 1, 8, 8)},
        verdicts,
        wrong[0] if wrong else None,
        Verification(RIGHT),
        "MNN",
        "3.6.1",
    )


def rewritable(report: CheckReport) -> CheckReport:
    """A report whose wrong ops are right once rewritten."""
    nodes = tuple(replace(one, fix_effect=EFFECT) if one.fix is not None else one for one in report.nodes)
    return replace(report, verdict=Answer.REWRITABLE, nodes=nodes)


def converted(opened: Opened, plan: QuantPlan, out: Path) -> ConvertReport:
    """A yes: the file is written, the layers have the plan's bits, both figures are right."""
    out.write_bytes(b"MNN" * 1000)
    applied = tuple(AppliedLayer(node, node, plan.of(node).bits, True, 1) for node in opened.layers)
    price = Figure(0.02, 0.019, 0.9998, 5, 2, 0.2, right=True) if plan.changes_weights else None
    verification = Verification(RIGHT, price)
    artifact = Artifact(
        str(out), "ab" * 32, 3000, "cd" * 32, plan, "MNN", "3.6.1", (("mnnconvert",),), (), applied, verification
    )
    return ConvertReport(True, artifact, Answer.OK, verification, None, (), applied, artifact.argv, {})


def run_events(count: int = 400, p50: float = 1.2) -> tuple[Event, ...]:
    """What an agent tells of ``count`` runs."""
    memory = Memory(rss_kb=30_000, peak_kb=31_000, pss_kb=29_000, anon_kb=20_000)
    events: list[Event] = [
        Hello(1, "0.1", "3.6.1", "arm64-v8a", 77, 8, 4096, ("cpu",), ("dotprod", "i8mm"), Memory(rss_kb=12_000)),
        Loaded(14.0, "session", "cpu", 4, (), (), memory),
        Sample("first", 0, 20_000_000, p50 * 1.7),
    ]
    for i in range(count):
        jitter = ((i * 7919) % 100) / 400
        events.append(Sample("steady", i, 25_000_000 + i * 2_000_000, p50 + jitter, 30_000 if i % 10 == 0 else -1))
        if i % 50 == 0:
            events.append(Stat(25_000_000 + i * 2_000_000, memory, i * 1.2, 4_000_000, {"cpu-0-0": 31.0 + i / 100}))
    events.append(Finished("complete", count, 0, count * 2.0, count * 1.3, memory))
    return tuple(events)


def run_summary(count: int = 400) -> RunSummary:
    return RunSummary(
        14.0,
        2.1,
        Latency(1.31, 1.42, 1.45, 1.32, 0.06, (1.30, 1.33), count),
        RunMemory(12_000, 31_000),
        {"cpu-0-0": (31.0, 35.0, 35.0)},
        (),
        RunOutputs(4e-6, True),
        {"backend": "cpu", "threads": 4},
        {"backend": "cpu", "threads": 4},
        0,
    )


@dataclass(frozen=True)
class FakePhone:
    serial: str
    stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        self.stopped.set()


@dataclass(frozen=True)
class FakePage:
    url: str
    model: Path
    stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def is_served(self) -> bool:
        return not self.stopped.is_set()

    def stop(self) -> None:
        self.stopped.set()


class FakeWatch:
    """Tells of the devices once, when it starts."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def start(self) -> None:
        self._tell()

    def stop(self) -> None:
        return None


def forecast(opened: Opened, plan: QuantPlan) -> Forecast:
    """1,000 bytes a bit and layer."""
    return Forecast(1000 * sum(plan.of(node).bits or 32 for node in opened.layers), False, {}, 0)


@dataclass
class FakeWork:
    """What the fake steps do: set its fields before the window asks. ``hold`` keeps a step waiting."""

    opened: Opened = field(default_factory=small_model)
    wrong: tuple[str, ...] = ()
    rewritable: bool = False
    devices: tuple[Device, ...] = (HOST, PIXEL)
    errors: dict[str, WorkbenchError] = field(default_factory=dict)
    hold: dict[str, threading.Event] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    phone: FakePhone | None = None
    samples: int = 400
    summary: RunSummary | None = None
    feeds: list[Feed] = field(default_factory=list)
    problem: Message | None = None
    plugin_faults: tuple[Message, ...] = ()
    exporters: tuple[Exporter, ...] = ()
    pages: list[FakePage] = field(default_factory=list)

    def actions(self) -> Actions:
        return Actions(
            open_model=self._open,
            check_model=self._check,
            convert_model=self._convert,
            forecast=forecast,
            look=self._look,
            watch=lambda changed: FakeWatch(lambda: changed(self._seen())),
            run_artifact=self._run,
            start_phone=self._phone,
            connect=self._connect,
            load_plugins=lambda _ctx: self.plugin_faults,
            exporters=lambda: self.exporters,
            accuracies=self._accuracies,
            serve_in_netron=self._netron,
        )

    def _enter(self, name: str, ctx: Context) -> None:
        self.calls.append(name)
        gate = self.hold.get(name)
        if gate is not None:
            forget = ctx.on_cancel(gate.set)
            gate.wait()
            forget()
            ctx.check()
        if name in self.errors:
            raise self.errors[name]

    def _open(self, path: Path, ctx: Context) -> Opened:
        ctx.progress(0.3, msg("Reading {file}", file=path.name))
        self._enter("open", ctx)
        if not path.suffix == ".onnx":
            raise BadInput(msg("This is not an ONNX file"), where=str(path), hint=msg("Choose an .onnx file."))
        return replace(self.opened, model=replace(self.opened.model, path=str(path)))

    def _check(self, opened: Opened, feed: Feed, ctx: Context) -> CheckReport:
        ctx.progress(0.5, msg("Comparing with onnxruntime: input {i} of {n}", i=3, n=5))
        self.feeds.append(feed)
        self._enter("check", ctx)
        report = check_report(opened, self.wrong)
        return rewritable(report) if self.rewritable else report

    def _convert(
        self, opened: Opened, plan: QuantPlan, rewrite: bool, out: Path, feed: Feed, ctx: Context
    ) -> ConvertReport:
        ctx.progress(0.1, msg("Converting {model}", model=Path(opened.model.path).name))
        ctx.line("Start to Convert Other Model Format To MNN Model...")
        ctx.progress(1.0, msg("Comparing with onnxruntime: input {i} of {n}", i=5, n=5))
        self._enter("convert", ctx)
        return self._rewritten(opened, plan, out, rewrite=rewrite) if self.rewritable else converted(opened, plan, out)

    def _rewritten(self, opened: Opened, plan: QuantPlan, out: Path, *, rewrite: bool) -> ConvertReport:
        """A yes where it may be rewritten, else the check's no."""
        if not rewrite:
            verification = Verification(replace(RIGHT, max_rel_error=0.44, right=False))
            return ConvertReport(False, None, Answer.WRONG, verification, msg("Not right"), (), (), (), {})
        report = converted(opened, plan, out)
        assert report.artifact is not None
        rewrites = tuple(Rewrite("padding/explicit", node, FIX, effect=EFFECT) for node in self.wrong)
        return replace(report, artifact=replace(report.artifact, rewrites=rewrites), rewrites=rewrites)

    def _look(self, ctx: Context) -> Seen:
        self._enter("devices", ctx)
        return self._seen()

    def _seen(self) -> Seen:
        found = self.devices
        if self.phone is not None:
            found = (*found, Device(self.phone.serial, "Simulated", "x86_64", DeviceState.READY))
        return Seen(found, self.problem)

    def _run(self, artifact: Path, serial: str, config: RunConfig, feed: Feed, save: Path, ctx: Context) -> RunSummary:
        ctx.progress(0.5, msg("Pushing {file}", file=artifact.name))
        events = run_events(self.samples)
        ctx.samples(events[:100])
        self._enter("run", ctx)
        ctx.samples(events[100:])
        return self.summary or run_summary(self.samples)

    def _phone(self, ctx: Context) -> Phone:
        self._enter("phone", ctx)
        self.phone = FakePhone("localhost:16001")
        return self.phone

    def _accuracies(
        self, opened: Opened, artifacts: Mapping[str, Artifact], samples: Path, ctx: Context
    ) -> tuple[Accuracy, ...]:
        self._enter("accuracies", ctx)
        return (Accuracy("onnxruntime, float", 356, 360), *(Accuracy(name, 354, 360) for name in artifacts))

    def _netron(self, model: Path, ctx: Context) -> FakePage:
        self._enter("netron", ctx)
        self.pages.append(FakePage(f"http://127.0.0.1:{4000 + len(self.pages)}", model))
        return self.pages[-1]

    def _connect(self, address: str, ctx: Context) -> None:
        self._enter("connect", ctx)
