"""How a device is called and shown."""

from __future__ import annotations

from workbench.core.device import HOST_SERIAL, Device, DeviceState
from workbench.core.messages import plain
from workbench.ui.text import listed, say, tr


def device_title(device: Device) -> str:
    """Its model, "Simulated phone", "This computer"; the serial where it does not say."""
    if device.serial == HOST_SERIAL:
        return tr("This computer")
    if device.simulated:
        return tr("Simulated phone")
    return plain(device.model or device.serial)


def device_icon(device: Device) -> str:
    if device.serial == HOST_SERIAL:
        return "cpu"
    return "monitor-smartphone" if device.simulated else "smartphone"


def device_state(device: Device) -> tuple[str, str]:
    """A word for the state, and the token of its tint."""
    words = {
        DeviceState.READY: (tr("Ready"), "right"),
        DeviceState.UNAUTHORIZED: (tr("Not authorized"), "condition"),
        DeviceState.AUTHORIZING: (tr("Authorizing"), "condition"),
        DeviceState.OFFLINE: (tr("Offline"), "condition"),
        DeviceState.NO_PERMISSIONS: (tr("No permission"), "condition"),
        DeviceState.UNKNOWN: (tr("Not ready"), "condition"),
    }
    return words[device.state]


def device_detail(device: Device) -> str:
    """What to do where it is not ready, else what it is."""
    if device.hint is not None and not device.is_ready:
        return say(device.hint)
    parts = [device.abi]
    if device.android:
        parts.append(tr("Android {version}", version=device.android))
    if device.serial not in (HOST_SERIAL, device.model):
        parts.append(device.serial)
    return listed([plain(part) for part in parts if part])
