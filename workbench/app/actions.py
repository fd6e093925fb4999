"""What a user can have done, as steps: values in, values out. The window and the commands share them.

Heavy modules are imported inside, so that the command line answers at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.app.services import Services
    from workbench.core.contract import InputContract
    from workbench.core.device import Device
    from workbench.core.graph import Model
    from workbench.core.plan import QuantPlan
    from workbench.core.run import RunConfig, RunSummary
    from workbench.core.steps import Context
    from workbench.core.verdict import CheckReport
    from workbench.engines.convert import ConvertReport


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
    shapes: Mapping[str, tuple[int, ...]] | None = None


def open_model(path: Path, services: Services, ctx: Context) -> Opened:
    """Read a model file in a child. Raises BadInput."""
    raise NotImplementedError


def check_model(opened: Opened, feed: Feed, services: Services, ctx: Context, *, static: bool = False) -> CheckReport:
    """Whether the engine computes every operator right."""
    raise NotImplementedError


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
) -> ConvertReport:
    """Convert and verify; ``out`` appears only where the answer is yes, or with ``keep``."""
    raise NotImplementedError


def list_devices(services: Services, ctx: Context) -> tuple[Device, ...]:
    """Every device, "This computer" first."""
    raise NotImplementedError


def run_artifact(
    artifact: Path,
    serial: str | None,
    config: RunConfig,
    feed: Feed,
    save: Path | None,
    services: Services,
    ctx: Context,
) -> RunSummary:
    """Deploy, run and measure. Agent events go to ``ctx.samples`` as they come, and raw to ``save``."""
    raise NotImplementedError
