"""What a user can have done, as steps: values in, values out. The window and the commands share them.

Heavy modules are imported inside, so that the command line answers at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import BadInput, EngineError, ExitCode, UsageError
from workbench.core.messages import Message, msg

if TYPE_CHECKING:
    from workbench.app.services import Services
    from workbench.core.artifact import OpNode
    from workbench.core.contract import InputContract
    from workbench.core.graph import Graph, Model
    from workbench.core.plan import QuantPlan
    from workbench.core.run import RunConfig, RunSummary
    from workbench.core.steps import Context
    from workbench.core.verdict import CheckReport
    from workbench.devices.cleaning import Cleaned
    from workbench.devices.listing import Seen
    from workbench.engines.convert import ConvertReport
    from workbench.quantize.forecast import Forecast
    from workbench.quantize.traps import Trap


@dataclass(frozen=True, slots=True)
class Opened:
    """A model that was read. ``layers`` are the ids of the nodes whose weights a plan can quantize."""

    model: Model
    contracts: tuple[InputContract, ...]
    layers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Feed:
    """What a model is tried on: the user's arrays (.npz) and the sizes of open axes, by input name."""

    inputs: Path | None = None
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """A child that was killed does not know whose work it did: it is that on ``path``."""
    try:
        yield
    except EngineError as error:
        error.where = error.where or str(path)
        raise


def open_model(path: Path, services: Services, ctx: Context) -> Opened:
    """Read a model file in a child. Raises BadInput."""
    from workbench.formats import registry

    if any("\ud800" <= character <= "\udfff" for character in str(path)):  # bytes that Python could not decode
        raise BadInput(
            msg("The path is not UTF-8 text, which the reference needs"), where=str(path), hint=msg("Rename the file.")
        )
    if not registry.knows(path, services.plugins.importers()):  # a plugin's format: a command has not loaded them yet
        services.load_plugins()
    with _about(path):
        model = registry.open_model(path, services.plugins.importers(), services.workers, ctx)
    from workbench.engines.mnn.names import quantizable_layers  # numpy, which a file that is no model can do without
    from workbench.formats.onnx.contract import contracts_of

    return Opened(model, contracts_of(model), tuple(layer.node_id for layer in quantizable_layers(model.graph)))


def feed(opened: Opened, inputs: Path | None, shapes: tuple[str, ...]) -> Feed:
    """What the user said a model shall be tried on. Raises BadInput for a shape that does not fit."""
    from workbench.app import files
    from workbench.formats.shapes import chosen_shapes

    if inputs is not None:
        files.must_be_there(inputs)
    return Feed(inputs, chosen_shapes(opened.model, shapes))


def make_plan(
    opened: Opened,
    bits: int,
    block: int,
    layers: tuple[str, ...],
    *,
    symmetric: bool,
    half_floats: bool,
    hqq: bool,
) -> QuantPlan:
    """The plan that the words of ``workbench plan`` ask for. Raises UsageError, BadInput."""
    from workbench.core.plan import LayerQuant
    from workbench.quantize import plans

    default = LayerQuant(bits, symmetric, block)
    overrides = [plans.parse_override(text, default) for text in layers]
    made = plans.make_plan(opened.model.graph, default, overrides, hqq=hqq, half_floats=half_floats)
    must_have_layers(opened, made)
    return made


def must_have_layers(opened: Opened, plan: QuantPlan) -> None:
    """Raises UsageError where ``plan`` asks for integers and the converter can quantize no layer of the model."""
    if not plan.is_float and not opened.layers:
        raise UsageError(
            msg("No layer of this model can be quantized: a plan of integers would change nothing"),
            where=opened.model.path,
            hint=msg("Keep it in float, or use fp16."),
        )


def forecast(opened: Opened, plan: QuantPlan) -> Forecast:
    """What the converted model will weigh."""
    from workbench.quantize.forecast import forecast_bytes

    return forecast_bytes(opened.model.graph, plan)


def traps(opened: Opened, plan: QuantPlan, services: Services, ctx: Context) -> tuple[Trap, ...]:
    """The layers that ``plan`` would destroy, told before anything is converted."""
    from workbench.quantize.traps import find_traps

    return find_traps(opened.model, plan, services.workers, ctx)


def plan_notes(opened: Opened, plan: QuantPlan) -> tuple[Message, ...]:
    """What the converter would make of ``plan`` without a word, such as one scale a channel where no block fits."""
    from workbench.engines.mnn.compression import ignored_blocks
    from workbench.engines.mnn.names import quantizable_layers

    return ignored_blocks(plan, quantizable_layers(opened.model.graph))


def read_plan(path: Path | None, *, half_floats: bool, hqq: bool) -> QuantPlan:
    """The plan in a file, or a float one; the options add to it. Raises BadInput."""
    from workbench.app import documents, files
    from workbench.core import codec
    from workbench.core.plan import QuantPlan

    plan = QuantPlan()
    if path is not None:
        doc = codec.loads(files.read_text(path), where=str(path))
        plan = codec.value(QuantPlan, doc, schema=documents.PLAN_SCHEMA, where=str(path))
    return replace(plan, half_floats=plan.half_floats or half_floats, hqq=plan.hqq or hqq)


def check_model(opened: Opened, feed: Feed, services: Services, ctx: Context, *, static: bool = False) -> CheckReport:
    """Whether the engine computes every operator right. Raises BadInput."""
    from workbench.engines.check import check
    from workbench.rewrites.gate import remedy

    source = Path(opened.model.path)
    with _about(source):
        return check(
            opened.model,
            source,
            opened.contracts,
            services.workers,
            ctx,
            given=feed.inputs,
            shapes=feed.shapes,
            static=static,
            remedy=remedy,
        )


def convert_model(
    opened: Opened,
    plan: QuantPlan,
    out: Path,
    feed: Feed,
    services: Services,
    ctx: Context,
    *,
    max_error: float = 0.2,
    keep: bool = False,
    rewrite: bool = False,
) -> ConvertReport:
    """Convert and verify; ``out``, its record and its witness appear only where the answer is yes, or with ``keep``.

    ``rewrite``: a model that is not right as it is may be rewritten, exactly. Raises BadInput, UsageError.
    """
    from workbench.app import artifacts, files
    from workbench.engines.convert import check_output, convert
    from workbench.rewrites.gate import remedy

    if not 0 <= max_error < math.inf:
        raise UsageError(
            msg("{value} is not an error that can be allowed", value=max_error),
            where="--max-error",
            hint=msg("Use a number from 0 up, such as 0.2."),
        )
    must_have_layers(opened, plan)
    source = Path(opened.model.path)
    if out.name:  # "." and "/" have none: check_output says what they are
        files.must_be_nameable(artifacts.family(out))
    check_output(out, source, opened.model)
    with _about(source), files.staged(out.absolute().parent) as stage, files.told_as(stage / out.name, out):
        report = convert(
            opened.model,
            source,
            plan,
            stage / out.name,
            opened.contracts,
            services.workers,
            ctx,
            given=feed.inputs,
            shapes=feed.shapes,
            max_error=max_error,
            keep=keep,
            remedy=remedy if rewrite else None,
        )
        lost = traps(opened, plan, services, ctx) if plan.changes_weights else ()
        report = replace(report, notes=(*report.notes, *(trap.warning for trap in lost)))
        if report.artifact is None:
            return report
        artifact = replace(report.artifact, path=str(out), op_nodes=_op_nodes(opened.model.graph, report))
        artifacts.write_record(artifact, stage / out.name)
        files.put_in_place(stage, artifacts.family(out))
    return replace(report, artifact=artifact)


def _op_nodes(graph: Graph, report: ConvertReport) -> dict[str, OpNode]:
    """The nodes of ``graph``, the model's own, by the engine's names; rewritten ones count as what they replace."""
    from workbench.core.artifact import OpNode
    from workbench.engines.mnn.op_names import nodes_by_op_name

    nodes = {node.id: OpNode(node.id, node.name) for node in graph.all_nodes()}
    origins = {new: rewrite.node for rewrite in report.rewrites for new in rewrite.new}
    named = nodes_by_op_name(report.converted_graph or graph).items()
    found = ((name, nodes.get(origins.get(node_id, node_id))) for name, node_id in named)
    return {name: node for name, node in found if node is not None}


def run_artifact(
    artifact: Path,
    serial: str | None,
    config: RunConfig,
    feed: Feed,
    save: Path | None,
    services: Services,
    ctx: Context,
) -> RunSummary:
    """Deploy, run and measure. Agent events go to ``ctx.samples`` as they come, and raw to ``save``.

    Raises BadInput, DeviceError.
    """
    from workbench.app.running import run

    with _about(artifact):
        return run(artifact, serial, config, feed.inputs, save, services.workers, ctx)


def simulate(abi: str, port: int, faults: tuple[str, ...], *, as_json: bool) -> ExitCode:
    """Be a simulated phone until told to stop. Belongs on the main thread: it handles signals."""
    from workbench.devices.simulated.options import PhoneOptions, fault_help, parse_faults
    from workbench.devices.simulated.serve import serve

    if "help" in faults:
        print(fault_help())
        return ExitCode.YES
    return ExitCode(serve(PhoneOptions(abi, port, parse_faults(faults)), as_json=as_json))


def look_for_devices(ctx: Context) -> Seen:
    """Every device, "This computer" first; alone where adb cannot be asked, with the reason."""
    from workbench.devices.listing import look
    from workbench.devices.server import AdbServer

    ctx.progress(None, msg("Asking adb for devices"))
    return look(AdbServer())


def clean_device(serial: str | None, ctx: Context) -> Cleaned:
    """Remove everything that Workbench keeps on the device ``serial`` (the only phone for None).

    Raises DeviceError, also while a run is on.
    """
    from workbench.devices.cleaning import clean
    from workbench.devices.listing import open_link

    ctx.progress(None, msg("Cleaning"))
    return clean(open_link(serial))
