"""What a user can have done, as steps: values in, values out. The window and the commands share them.

Heavy modules are imported inside, so that the command line answers at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import DeviceError, ExitCode
from workbench.core.messages import msg

if TYPE_CHECKING:
    from workbench.app.services import Services
    from workbench.core.contract import InputContract
    from workbench.core.device import Device
    from workbench.core.graph import Model
    from workbench.core.steps import Context


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


def open_model(path: Path, services: Services, ctx: Context) -> Opened:
    """Read a model file in a child. Raises BadInput."""
    from workbench.engines.mnn.names import quantizable_layers
    from workbench.formats import registry
    from workbench.formats.onnx.contract import contracts_of

    model = registry.open_model(path, services.plugins.importers(), services.workers, ctx)
    return Opened(model, contracts_of(model), tuple(layer.node_id for layer in quantizable_layers(model.graph)))


def simulate(abi: str, port: int, faults: tuple[str, ...], *, as_json: bool) -> ExitCode:
    """Be a simulated phone until told to stop. Belongs on the main thread: it handles signals."""
    from workbench.devices.simulated.options import PhoneOptions, fault_help, parse_faults
    from workbench.devices.simulated.serve import serve

    if "help" in faults:
        print(fault_help())
        return ExitCode.YES
    return ExitCode(serve(PhoneOptions(abi, port, parse_faults(faults)), as_json=as_json))


def list_devices(services: Services, ctx: Context) -> tuple[Device, ...]:
    """Every device, "This computer" first; alone where adb cannot be asked, which the log tells."""
    from workbench.devices import listing

    ctx.progress(None, msg("Asking adb for devices"))
    try:
        return listing.list_devices()
    except DeviceError as error:
        ctx.line(str(error))
        return (listing.host_device(),)
