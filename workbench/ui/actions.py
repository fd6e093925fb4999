"""What the window can have done: the application's actions, bound to its services.

A table, so that tests put other steps in its place through the same seam.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from workbench.app import actions
from workbench.app.actions import Feed, Opened
from workbench.app.services import Services
from workbench.core.device import Device
from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.core.plan import QuantPlan
from workbench.core.run import RunConfig, RunSummary
from workbench.core.steps import Context
from workbench.core.verdict import CheckReport
from workbench.devices.server import AdbServer
from workbench.devices.simulated.options import PhoneOptions
from workbench.devices.simulated.process import start_simulated
from workbench.engines.convert import ConvertReport


class Phone(Protocol):
    """A simulated phone that this window started, and stops when it closes."""

    @property
    def serial(self) -> str: ...

    def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Actions:
    """Each may take long, runs in a job, and raises WorkbenchError."""

    open_model: Callable[[Path, Context], Opened]
    check_model: Callable[[Opened, Feed, Context], CheckReport]
    convert_model: Callable[[Opened, QuantPlan, Path, Feed, Context], ConvertReport]
    list_devices: Callable[[Context], tuple[Device, ...]]
    run_artifact: Callable[[Path, str, RunConfig, Feed, Path, Context], RunSummary]
    start_phone: Callable[[Context], Phone]
    connect: Callable[[str, Context], None]


def bound(services: Services) -> Actions:
    """The application's actions with ``services``."""
    return Actions(
        open_model=lambda path, ctx: actions.open_model(path, services, ctx),
        check_model=lambda opened, feed, ctx: actions.check_model(opened, feed, services, ctx),
        convert_model=lambda opened, plan, out, feed, ctx: actions.convert_model(
            opened, plan, out, feed, services, ctx
        ),
        list_devices=lambda ctx: actions.list_devices(services, ctx),
        run_artifact=lambda artifact, serial, config, feed, save, ctx: actions.run_artifact(
            artifact, serial, config, feed, save, services, ctx
        ),
        start_phone=_start_phone,
        connect=_connect,
    )


def _start_phone(ctx: Context) -> Phone:
    ctx.progress(None, msg("Starting a simulated phone"))
    return start_simulated(PhoneOptions())


def _connect(address: str, ctx: Context) -> None:
    """Ask the adb server to connect to a phone at host:port."""
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
