"""Which devices there are, and in what state; nothing is remembered between two calls.

The list comes from the adb server's ``host:devices-l``. A phone connected by USB and TCP at once
is one device: both answer with the same ``ro.serialno``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from workbench.core.device import HOST_SERIAL, Device, DeviceState
from workbench.core.errors import DeviceError
from workbench.core.messages import Message, msg
from workbench.devices.adb import AdbLink, Properties
from workbench.devices.faults import HINTS
from workbench.devices.host import HostLink
from workbench.devices.link import Link
from workbench.devices.server import AdbServer

_STATES = {
    "device": DeviceState.READY,
    "unauthorized": DeviceState.UNAUTHORIZED,
    "authorizing": DeviceState.AUTHORIZING,
    "connecting": DeviceState.AUTHORIZING,
    "offline": DeviceState.OFFLINE,
    "no permissions": DeviceState.NO_PERMISSIONS,
}
# The serial may hold blanks ("(no serial number)"), and the state too ("no permissions (...); see [...]").
_LINE = re.compile(
    r"^(?P<serial>\S.*?)\s+"
    r"(?P<state>device|unauthorized|authorizing|connecting|offline|no permissions|bootloader|recovery|rescue|"
    r"sideload|host|detached|unknown)\b(?P<rest>.*)$"
)
_APPEARANCE_S: Final = 4.0
"""adb 36.0.0 looks for USB phones for 3.0 s; a simulated phone finds the new server within 0.4 s."""
_APPEARANCE_POLL_S: Final = 0.1
_MODEL = re.compile(r"\bmodel:(\S+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the adb server's list."""

    serial: str
    state: DeviceState
    model: str

    def device(self) -> Device:
        """What is known without asking the phone."""
        return Device(self.serial, self.model, "", self.state, HINTS[self.state])


@dataclass(frozen=True, slots=True)
class Seen:
    """This computer and the phones; ``problem`` says why no phone can be seen."""

    devices: tuple[Device, ...]
    problem: Message | None = None
    hint: Message | None = None


@dataclass(frozen=True, slots=True)
class Phone:
    """A device and every serial under which adb lists it; the first is the device's own."""

    device: Device
    serials: tuple[str, ...]


def parse_entries(text: str) -> tuple[Entry, ...]:
    """The answer of ``host:devices-l``, or the output of ``adb devices -l``."""
    entries = []
    for line in text.splitlines():
        found = _LINE.match(line.strip())
        if found is None or line.startswith("List of devices"):
            continue
        model = _MODEL.search(found["rest"])
        state = _STATES.get(found["state"], DeviceState.UNKNOWN)
        entries.append(Entry(found["serial"], state, model[1].replace("_", " ") if model else ""))
    return tuple(entries)


def merge(found: Iterable[tuple[Entry, Properties | None]]) -> tuple[Phone, ...]:
    """One Phone a phone. Properties are known of entries that are ready; USB is named before TCP."""
    groups: dict[str, list[tuple[Entry, Properties | None]]] = {}
    for entry, properties in found:
        identity = properties.serial_number if properties and properties.serial_number else f"adb {entry.serial}"
        groups.setdefault(identity, []).append((entry, properties))
    phones = []
    for group in groups.values():
        group.sort(key=lambda pair: ":" in pair[0].serial)
        entry, properties = group[0]
        device = properties.device(entry.serial) if properties else entry.device()
        phones.append(Phone(device, tuple(entry.serial for entry, _ in group)))
    return tuple(phones)


def entries(server: AdbServer) -> tuple[Entry, ...]:
    """The server's list as it is now, without a word to any phone. DeviceError where no server listens."""
    return parse_entries(server.ask("host:devices-l"))


def phones(server: AdbServer) -> tuple[Phone, ...]:
    """Every phone with its properties, asked side by side. Starts an adb server where none listens."""
    server.ensure()
    listed = entries(server)
    with ThreadPoolExecutor(max_workers=8) as pool:
        return merge(pool.map(lambda entry: _asked(server, entry), listed))


def list_devices(server: AdbServer | None = None) -> tuple[Device, ...]:
    """This computer first, then every phone that adb sees, with a hint for each that is not ready.

    DeviceError where adb is missing or its server does not come up: ``host_device`` is there anyway.
    """
    return (host_device(), *(phone.device for phone in phones(server or AdbServer())))


def look(server: AdbServer) -> Seen:
    """As ``list_devices``, but what stands in the way of adb is a value."""
    try:
        return Seen(list_devices(server))
    except DeviceError as error:
        return Seen((host_device(),), error.what, error.hint)


def host_device() -> Device:
    """This computer."""
    return HostLink().device()


def choose(serial: str | None, server: AdbServer | None = None) -> Device:
    """The device named ``serial`` (any of the serials adb lists it under), or the only phone for None.

    A server that had to be started is given a moment to see its phones. Raises DeviceError, with a
    hint, where there is none or it is not ready, or several and none named.
    """
    if serial == HOST_SERIAL:
        return host_device()
    server = server or AdbServer()
    deadline = time.monotonic() + (_APPEARANCE_S if server.ensure() else 0.0)
    while True:
        try:
            return _chosen(serial, phones(server))
        except DeviceError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(_APPEARANCE_POLL_S)


def _chosen(serial: str | None, found: tuple[Phone, ...]) -> Device:
    matching = [phone for phone in found if serial is None or serial in phone.serials]
    if serial is None:
        # A phone that is not ready counts only where no other is.
        matching = [phone for phone in matching if phone.device.is_ready] or matching
    if not matching:
        raise _none_found(serial, found)
    if len(matching) > 1:
        raise DeviceError(
            msg("{count} phones are connected, and none is named", count=len(matching)),
            hint=msg(
                "Name one with --device SERIAL: {serials}",
                serials=", ".join(phone.device.serial for phone in matching),
            ),
        )
    device = matching[0].device
    if not device.is_ready:
        raise DeviceError(
            msg("The phone is not ready: {state}", state=device.state.value), where=device.serial, hint=device.hint
        )
    # The serial that was asked for is the one to speak to: the phone may be going to leave the other.
    return replace(device, serial=serial) if serial is not None else device


def open_link(serial: str | None, server: AdbServer | None = None) -> Link:
    """A link to the device that ``choose`` names. Raises DeviceError as it does."""
    if serial == HOST_SERIAL:
        return HostLink()
    server = server or AdbServer()
    return AdbLink(choose(serial, server).serial, server)


def _asked(server: AdbServer, entry: Entry) -> tuple[Entry, Properties | None]:
    if entry.state is not DeviceState.READY:
        return entry, None
    try:
        return entry, AdbLink(entry.serial, server).properties()
    except DeviceError:
        # It left, or hangs, since the list was read: whatever it is, it is not ready. Where the server
        # itself is gone, that is what reading the list again says.
        now = next((again.state for again in entries(server) if again.serial == entry.serial), DeviceState.OFFLINE)
        state = DeviceState.OFFLINE if now is DeviceState.READY else now
        return replace(entry, state=state), None


def _none_found(serial: str | None, found: tuple[Phone, ...]) -> DeviceError:
    if serial is None:
        return DeviceError(
            msg("No phone is connected"),
            hint=msg("Connect one and switch USB debugging on, or name this computer: --device host."),
        )
    known = ", ".join([HOST_SERIAL, *(phone.device.serial for phone in found)])
    return DeviceError(
        msg("There is no such device"), where=serial, hint=msg("Devices that are there: {serials}", serials=known)
    )
