"""A place where a model can run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.core.messages import Message

HOST_SERIAL = "host"


class DeviceState(StrEnum):
    READY = "device"
    UNAUTHORIZED = "unauthorized"
    AUTHORIZING = "authorizing"
    OFFLINE = "offline"
    NO_PERMISSIONS = "no permissions"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Device:
    """``serial`` as adb names it, "host" for this computer. ``hint`` says how to get to READY."""

    serial: str
    model: str
    abi: str
    state: DeviceState
    hint: Message | None = None
    android: str = ""
    simulated: bool = False

    @property
    def is_ready(self) -> bool:
        return self.state is DeviceState.READY
