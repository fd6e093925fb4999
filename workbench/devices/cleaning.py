"""Removing everything that Workbench keeps on a device."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.devices.link import Link
from workbench.devices.phone_lock import phone_lock


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A device without files of Workbench: ``folder`` is gone."""

    serial: str
    folder: str


def clean(link: Link) -> Cleaned:
    """Remove the device's folder. Raises DeviceError, also while a run is on."""
    with phone_lock(link):
        link.remove(link.folder)
    return Cleaned(link.serial, link.folder)
