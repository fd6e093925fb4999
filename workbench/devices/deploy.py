"""What goes to the device: files under names of our own, each folder complete or made anew.

``<link.folder>/<hash>/`` holds files that never change. Its ``complete`` marker, written last,
lists them; a folder without it, or with another list, is pushed again.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.core.errors import DeviceError
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.devices.link import Link

_MARKER: Final = "complete"
_SPARE_BYTES: Final = 8 << 20


@dataclass(frozen=True, slots=True)
class Parcel:
    """A local file and the name and mode it gets on the device."""

    local: Path
    name: str
    sha256: str
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class Delivered:
    """A complete folder on the device. ``pushed_bytes`` is 0 where everything was there already."""

    folder: str
    pushed_bytes: int


def deliver(link: Link, parcels: Sequence[Parcel], ctx: Context) -> Delivered:
    """Bring ``parcels`` into a folder named after their contents; skip what is complete there.

    Raises DeviceError (no space, refused, gone), Cancelled.
    """
    listing = "".join(f"{parcel.sha256} {parcel.mode:o} {parcel.name}\n" for parcel in parcels)
    folder = f"{link.folder}/{hashlib.sha256(listing.encode()).hexdigest()[:24]}"
    if _is_complete(link, folder, listing, parcels):
        return Delivered(folder, 0)
    total = sum(parcel.local.stat().st_size for parcel in parcels)
    _need_space(link, total)
    link.remove(folder)
    link.make_folder(folder)
    done = 0
    for parcel in parcels:
        size = parcel.local.stat().st_size
        link.push(parcel.local, f"{folder}/{parcel.name}", mode=parcel.mode, ctx=_Share(ctx, done, size, total))
        done += size
    _write(link, f"{folder}/{_MARKER}", listing, ctx)
    return Delivered(folder, total)


def _is_complete(link: Link, folder: str, listing: str, parcels: Sequence[Parcel]) -> bool:
    """The marker was written last, so sizes suffice to tell a file that was cut or removed since."""
    marker = link.stat(f"{folder}/{_MARKER}")
    if marker is None or marker.size != len(listing.encode()):
        return False
    for parcel in parcels:
        found = link.stat(f"{folder}/{parcel.name}")
        if found is None or found.size != parcel.local.stat().st_size:
            return False
    return True


def _need_space(link: Link, needed: int) -> None:
    free = link.free_bytes()
    if free is not None and free < needed + _SPARE_BYTES:
        raise DeviceError(
            msg(
                "The device has {free} MB free, {needed} MB are needed",
                free=round(free / 1e6, 1),
                needed=round((needed + _SPARE_BYTES) / 1e6, 1),
            ),
            where=link.serial,
            hint=msg("Remove files from the device, or what earlier runs left in {folder}.", folder=link.folder),
        )


def _write(link: Link, remote: str, text: str, ctx: Context) -> None:
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder) / _MARKER
        local.write_text(text, encoding="utf-8")
        link.push(local, remote, ctx=_Silent(ctx))


class _Silent:
    """The caller's context without its progress: for files of a few bytes."""

    def __init__(self, ctx: Context) -> None:
        self.check = ctx.check
        self.on_cancel = ctx.on_cancel
        self.line = ctx.line
        self.samples = ctx.samples

    def progress(self, fraction: float | None, text: Message) -> None:
        self.check()


class _Share(_Silent):
    """One file's progress as its share of the whole delivery."""

    def __init__(self, ctx: Context, done: int, size: int, total: int) -> None:
        super().__init__(ctx)
        self._ctx = ctx
        self._done = done
        self._size = size
        self._total = max(total, 1)

    def progress(self, fraction: float | None, text: Message) -> None:
        share = None if fraction is None else (self._done + fraction * self._size) / self._total
        self._ctx.progress(share, msg("Pushing {megabytes} MB", megabytes=round(self._total / 1e6, 1)))
