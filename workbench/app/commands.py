"""One typed function a user action. The command line, the menus and the palette are made from this table.

Nothing heavy is imported at module level: ``workbench --help`` must answer at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from workbench.app.arguments import Argument, Command, Reply
from workbench.app.services import Services
from workbench.core.messages import msg
from workbench.core.run_limits import BACKENDS, MODES
from workbench.core.steps import Context

Model = Annotated[Path, Argument(msg("The model file (ONNX)"), metavar="MODEL")]
Inputs = Annotated[
    Path | None,
    Argument(msg("Arrays by input name, or in0, in1 ... in graph order"), metavar="FILE.npz"),
]
Shapes = Annotated[
    tuple[str, ...], Argument(msg("Size of an input whose axes are open; repeatable"), metavar="NAME=1x3x224x224")
]
Serial = Annotated[str | None, Argument(msg("Serial of the device, or host"), metavar="SERIAL")]
Out = Annotated[Path, Argument(msg("The file to write"), flags=("-o", "--out"), metavar="OUT")]


def check(
    model: Model,
    *,
    inputs: Inputs = None,
    shape: Shapes = (),
    static: Annotated[
        bool, Argument(msg("By what was measured of operators: nothing is run, so nothing is called right"))
    ] = False,
    services: Services,
    ctx: Context,
) -> Reply:
    """Say of every operator whether the engine computes it right."""
    from workbench.app import actions, documents

    opened = actions.open_model(model, services, ctx)
    feed = actions.feed(opened, inputs, shape)
    report = actions.check_model(opened, feed, services, ctx, static=static)
    return documents.check_reply(report)


def plan(
    model: Model,
    *,
    out: Annotated[Path | None, Argument(msg("The plan to write"), flags=("-o", "--out"), metavar="P.json")] = None,
    bits: Annotated[int, Argument(msg("Bits of every layer: 0 for float, or 8 to 2"), metavar="N")] = 0,
    block: Annotated[
        int, Argument(msg("Input channels that share a scale; 0 for one scale a channel"), metavar="N")
    ] = 0,
    symmetric: Annotated[bool, Argument(msg("Symmetric quantization"))] = False,
    layer: Annotated[
        tuple[str, ...],
        Argument(msg("Bits of the layers that an id, a name or a glob names; repeatable"), metavar="ID|NAME|GLOB=BITS"),
    ] = (),
    fp16: Annotated[bool, Argument(msg("Store what stays float as fp16"))] = False,
    hqq: Annotated[bool, Argument(msg("Half-quadratic quantization"))] = False,
    services: Services,
    ctx: Context,
) -> Reply:
    """Write a quantization plan and forecast its size."""
    from workbench.app import actions, documents, files

    opened = actions.open_model(model, services, ctx)
    made = actions.make_plan(opened, bits, block, layer, symmetric=symmetric, half_floats=fp16, hqq=hqq)
    forecast = actions.forecast(opened, made)
    traps = actions.traps(opened, made, services, ctx)
    notes = actions.plan_notes(opened, made)
    if out is not None:
        files.write_document(out, documents.plan_document(made))
    return documents.plan_reply(made, forecast, traps, notes)


def convert(
    model: Model,
    *,
    out: Out,
    plan: Annotated[Path | None, Argument(msg("A plan made by workbench plan"), metavar="P.json")] = None,
    inputs: Inputs = None,
    shape: Shapes = (),
    fp16: Annotated[bool, Argument(msg("Store what stays float as fp16"))] = False,
    hqq: Annotated[bool, Argument(msg("Half-quadratic quantization"))] = False,
    max_error: Annotated[
        float, Argument(msg("Largest relative L2 error that quantization may cost"), metavar="E")
    ] = 0.2,
    keep: Annotated[bool, Argument(msg("Keep the output even where the answer is no"))] = False,
    rewrite: Annotated[
        bool, Argument(msg("Rewrite, exactly, what the engine gets wrong; a model that is right stays as it is"))
    ] = False,
    services: Services,
    ctx: Context,
) -> Reply:
    """Convert a model and compare its numbers with the reference."""
    from workbench.app import actions, documents

    made = actions.read_plan(plan, half_floats=fp16, hqq=hqq)
    opened = actions.open_model(model, services, ctx)
    feed = actions.feed(opened, inputs, shape)
    report = actions.convert_model(
        opened, made, out, feed, services, ctx, max_error=max_error, keep=keep, rewrite=rewrite
    )
    return documents.convert_reply(report)


def devices(*, services: Services, ctx: Context) -> Reply:
    """List the devices a model can run on, this computer first."""
    from workbench.app import actions, documents

    return documents.devices_reply(actions.look_for_devices(ctx))


def simulate(
    *,
    abi: Annotated[str, Argument(msg("Processor of the phone"), choices=("x86_64", "arm64-v8a"))] = "x86_64",
    port: Annotated[int, Argument(msg("Port on the loopback address; 0 for a free one"), metavar="N")] = 0,
    fault: Annotated[
        tuple[str, ...],
        Argument(msg("A fault to act out; repeatable; help lists them"), metavar="NAME=VALUE"),
    ] = (),
    services: Services,
    ctx: Context,
) -> Reply:
    """Start a simulated phone, connect it to adb, and live until told to stop."""
    from workbench.app import actions

    return Reply(None, actions.simulate(abi, port, fault, as_json=services.as_json))


def run(
    artifact: Annotated[Path, Argument(msg("A converted model"), metavar="ARTIFACT")],
    *,
    device: Serial = None,
    inputs: Inputs = None,
    backend: Annotated[str, Argument(msg("Back end to ask for"), choices=BACKENDS)] = "cpu",
    threads: Annotated[int, Argument(msg("Threads of the engine"), metavar="N")] = 1,
    precision: Annotated[str, Argument(msg("Precision mode"), choices=MODES)] = "normal",
    memory: Annotated[str, Argument(msg("Memory mode"), choices=MODES)] = "normal",
    warmup: Annotated[int, Argument(msg("Runs before the measured ones"), metavar="N")] = 3,
    iterations: Annotated[int, Argument(msg("Measured runs"), metavar="N")] = 50,
    duration: Annotated[
        float, Argument(msg("Measure for this long instead, in seconds; 0 for a number of runs"), metavar="S")
    ] = 0.0,
    ops: Annotated[bool, Argument(msg("Per-operator times, in runs of their own"))] = False,
    budget: Annotated[
        tuple[str, ...],
        Argument(
            msg(
                "A limit that the run must keep, such as p90=20ms; repeatable: load, p50, p90, p99, memory over "
                "the baseline, temperature, heating"
            ),
            metavar="NAME=LIMIT",
        ),
    ] = (),
    save: Annotated[Path | None, Argument(msg("Write every event here"), metavar="RUN.jsonl")] = None,
    services: Services,
    ctx: Context,
) -> Reply:
    """Deploy a converted model to a device, run it there and measure."""
    from workbench.app import actions, run_answer
    from workbench.core.budget import parse_budget
    from workbench.core.run import RunConfig

    config = RunConfig(
        backend=backend,
        threads=threads,
        precision=precision,
        memory=memory,
        warmup=warmup,
        iterations=iterations,
        seconds=duration,
        ops=ops,
        budget=parse_budget(budget),
    )
    summary = actions.run_artifact(artifact, device, config, actions.Feed(inputs), save, services, ctx)
    return run_answer.run_reply(summary)


def clean(*, device: Serial = None, services: Services, ctx: Context) -> Reply:
    """Remove everything that Workbench keeps on a device."""
    from workbench.app import actions, documents

    return documents.clean_reply(actions.clean_device(device, ctx))


def demo(
    *,
    out: Annotated[
        Path, Argument(msg("Folder for the report, the pictures and the project"), flags=("-o", "--out"))
    ] = Path("demo"),
    services: Services,
    ctx: Context,
) -> Reply:
    """Do the main job on the bundled sample and leave a report and pictures of the window."""
    from workbench.app import demo as demonstration

    return demonstration.demo(out, services, ctx)


def doctor(*, services: Services, ctx: Context) -> Reply:
    """Say what is missing on this computer and how to mend it."""
    from workbench.app import doctor as physician

    return physician.doctor(services, ctx)


def gui(
    model: Annotated[Path | None, Argument(msg("A model or a project folder to open"), metavar="FILE")] = None,
    *,
    sample: Annotated[bool, Argument(msg("Open the bundled sample"))] = False,
    simulated: Annotated[bool, Argument(msg("Start a simulated phone beside the window"))] = False,
    services: Services,
    ctx: Context,
) -> Reply:
    """Open the window."""
    from workbench.app import samples

    path = samples.digits().model if sample else model
    return Reply({}, services.open_window(path, simulated=simulated))


COMMANDS: Final = (
    Command("check", msg("Check"), msg("Say of every operator whether the engine computes it right."), check),
    Command("plan", msg("Plan"), msg("Write a quantization plan and forecast its size."), plan),
    Command("convert", msg("Convert"), msg("Convert a model and compare its numbers with the reference."), convert),
    Command("devices", msg("Devices"), msg("List the devices a model can run on, this computer first."), devices),
    Command(
        "simulate",
        msg("Start a simulated phone"),
        msg("Start a simulated phone, connect it to adb, and live until told to stop."),
        simulate,
        on_main_thread=True,
    ),
    Command("run", msg("Run"), msg("Deploy a converted model to a device, run it there and measure."), run),
    Command("clean", msg("Clean a device"), msg("Remove everything that Workbench keeps on a device."), clean),
    Command(
        "demo",
        msg("Demo"),
        msg("Do the main job on the bundled sample and leave a report and pictures of the window."),
        demo,
    ),
    Command("doctor", msg("Doctor"), msg("Say what is missing on this computer and how to mend it."), doctor),
    Command("gui", msg("Open the window"), msg("Open the window."), gui, on_main_thread=True),
)
