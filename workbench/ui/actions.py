"""What the window can have done: the application's actions, bound to its services.

A table, so that tests put other steps in its place through the same seam.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workbench.app import actions
from workbench.app.actions import Feed, Opened
from workbench.app.services import Services
from workbench.core.errors import DeviceError
from workbench.core.messages import Message, msg
from workbench.core.steps import Context

if TYPE_CHECKING:
    from workbench.core.artifact import Artifact
    from workbench.core.metric import Accuracy
    from workbench.core.plan import QuantPlan
    from workbench.core.run import RunConfig, RunSummary
    from workbench.core.verdict import CheckReport
    from workbench.devices.listing import Seen
    from workbench.engines.convert import ConvertReport
    from workbench.formats.registry import Exporter
    from workbench.quantize.forecast import Forecast


class Phone(Protocol):
    """A simulated phone that this window started, and stops when it closes."""

    @property
    def serial(self) -> str: ...

    def stop(self) -> None: ...


class Page(Protocol):
    """A page for the browser, served on this computer until it is stopped."""

    @property
    def url(self) -> str: ...

    @property
    def model(self) -> Path: ...

    @property
    def is_served(self) -> bool: ...

    def stop(self) -> None: ...


class Watch(Protocol):
    """Follows devices on a thread of its own."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Actions:
    """Those that take a Context run in jobs and raise WorkbenchError.

    ``convert_model`` is told after the plan whether it may rewrite. ``watch`` calls back from another
    thread. ``load_plugins`` answers what went wrong, a line each.
    """

    open_model: Callable[[Path, Context], Opened]
    check_model: Callable[[Opened, Feed, Context], CheckReport]
    convert_model: Callable[[Opened, QuantPlan, bool, Path, Feed, Context], ConvertReport]
    forecast: Callable[[Opened, QuantPlan], Forecast]
    look: Callable[[Context], Seen]
    watch: Callable[[Callable[[Seen], None]], Watch]
    run_artifact: Callable[[Path, str, RunConfig, Feed, Path, Context], RunSummary]
    start_phone: Callable[[Context], Phone]
    connect: Callable[[str, Context], None]
    load_plugins: Callable[[Context], tuple[Message, ...]]
    exporters: Callable[[], tuple[Exporter, ...]]
    accuracies: Callable[[Opened, Mapping[str, Artifact], Path, Context], tuple[Accuracy, ...]]
    serve_in_netron: Callable[[Path, Context], Page]


def bound(services: Services) -> Actions:
    """The application's actions with ``services``."""
    return Actions(
        open_model=lambda path, ctx: actions.open_model(path, services, ctx),
        check_model=lambda opened, feed, ctx: actions.check_model(opened, feed, services, ctx),
        convert_model=lambda opened, plan, rewrite, out, feed, ctx: actions.convert_model(
            opened, plan, out, feed, services, ctx, rewrite=rewrite
        ),
        forecast=actions.forecast,
        look=_look,
        watch=_watch,
        run_artifact=lambda artifact, serial, config, feed, save, ctx: actions.run_artifact(
            artifact, serial, config, feed, save, services, ctx
        ),
        start_phone=_start_phone,
        connect=_connect,
        load_plugins=lambda _ctx: _load_plugins(services),
        exporters=partial(_exporters, services),
        accuracies=partial(_accuracies, services),
        serve_in_netron=_serve_in_netron,
    )


def _accuracies(
    services: Services, opened: Opened, artifacts: Mapping[str, Artifact], samples: Path, ctx: Context
) -> tuple[Accuracy, ...]:
    from workbench.app import labelled

    return labelled.accuracies(opened, artifacts, samples, services, ctx)


def _serve_in_netron(model: Path, ctx: Context) -> Page:
    from workbench.app.netron.page import serve_in_netron

    return serve_in_netron(model, ctx)


def _start_phone(ctx: Context) -> Phone:
    from workbench.devices.simulated.options import PhoneOptions
    from workbench.devices.simulated.process import start_simulated

    ctx.progress(None, msg("Starting a simulated phone"))
    return start_simulated(PhoneOptions())


def _look(_ctx: Context) -> Seen:
    from workbench.devices import listing
    from workbench.devices.server import AdbServer

    return listing.look(AdbServer())


def _watch(changed: Callable[[Seen], None]) -> Watch:
    from workbench.devices.watch import DeviceWatch

    return DeviceWatch(changed)


def _exporters(services: Services) -> tuple[Exporter, ...]:
    return services.plugins.exporters()


def _load_plugins(services: Services) -> tuple[Message, ...]:
    services.load_plugins()
    return tuple(fault.what for fault in services.plugins.faults)


def _connect(address: str, ctx: Context) -> None:
    """Ask the adb server to connect to a phone at host:port."""
    from workbench.devices.server import AdbServer

    ctx.progress(None, msg("Connecting to {address}", address=address))
    server = AdbServer()
    server.ensure()
    answer = server.ask(f"host:connect:{address}", where=address)
    # adb answers OKAY and tells a failure in the text, as "failed to connect to ..." or "unable to ...".
    if not answer.startswith(("connected to", "already connected to")):
        raise DeviceError(
            msg("The phone could not be connected: {answer}", answer=answer.strip()),
            where=address,
            hint=msg("Use the address and port that the phone shows under wireless debugging."),
        )
