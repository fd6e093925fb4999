"""What goes to the device: files under names of our own, each folder complete or made anew.

``<link.folder>/<hash>/`` holds files that never change. Its ``complete`` marker, written last,
lists them; a folder without it, or with another list, is pushed again.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
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
    link.remove(folder)
    _need_space(link, total)
    link.make_folder(folder)
    load = _Load(ctx, total)
    for parcel in parcels:
        size = parcel.local.stat().st_size
        link.push(parcel.local, f"{folder}/{parcel.name}", mode=parcel.mode, ctx=_Share(load, size))
        load.done += size
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


class _Load:
    """What one delivery has pushed so far, and how fast."""

    def __init__(self, ctx: Context, total: int) -> None:
        self.ctx = ctx
        self.done = 0
        self._total = max(total, 1)
        self._began = time.monotonic()

    def progress(self, sent: float) -> None:
        """``sent``: bytes of the present file."""
        pushed = self.done + sent
        rate = pushed / max(time.monotonic() - self._began, 1e-3)
        text = msg(
            "Pushing {done} of {total} MB, {rate} MB/s",
            done=f"{pushed / 1e6:.1f}",
            total=f"{self._total / 1e6:.1f}",
            rate=f"{rate / 1e6:.1f}",
        )
        self.ctx.progress(pushed / self._total, text)


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

    def __init__(self, load: _Load, size: int) -> None:
        super().__init__(load.ctx)
        self._load = load
        self._size = size

    def progress(self, fraction: float | None, text: Message) -> None:
        self._load.progress((fraction or 0.0) * self._size)
