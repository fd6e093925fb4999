"""The service ``sync``: push, pull, stat and list, versions 1 and 2.

AOSP, packages/modules/adb: file_sync_protocol.h and daemon/file_sync_service.cpp.
"""

from __future__ import annotations

import asyncio
import os
import stat
import struct
from contextlib import suppress
from dataclasses import dataclass
from errno import EACCES, EINVAL, ENOSPC, EPERM, EROFS
from pathlib import Path
from typing import BinaryIO, Final

from workbench.devices.simulated.phone import Phone
from workbench.devices.simulated.stream import Stream, StreamClosedError

_HEADER: Final = struct.Struct("<4sI")
_STAT1: Final = struct.Struct("<3I")
_STAT2: Final = struct.Struct("<IQQIIIIQqqq")
_SEND2: Final = struct.Struct("<4sII")
_MAX_PATH: Final = 1024
_BLOCK_BYTES: Final = 1 << 16
_DRY_RUN: Final = 0x80000000
_COMPRESSIONS: Final = 0b111
_SHELL_USER: Final = 2000


class _Refused(Exception):
    """The phone answers FAIL with these words."""


@dataclass(frozen=True, slots=True)
class _Send:
    """What a SEND or SND2 asks for."""

    path: str
    mode: int
    dry_run: bool


async def serve_sync(phone: Phone, stream: Stream, service: str) -> None:
    """Answer requests until QUIT, the first failure, or the host goes away."""
    await stream.accept()
    with suppress(StreamClosedError):
        while await _answer_one(phone, stream):
            continue


async def _answer_one(phone: Phone, stream: Stream) -> bool:
    kind, length = _HEADER.unpack(await stream.read_exactly(_HEADER.size))
    if kind == b"QUIT":
        return False
    if length > _MAX_PATH:
        await _fail(stream, "path too long")
        return False
    name = os.fsdecode((await stream.read_exactly(length)).partition(b"\0")[0])
    match kind:
        case b"STAT":
            await stream.write(kind + _stat1(phone.files.path(name)))
        case b"STA2" | b"LST2":
            await stream.write(kind + _stat2(phone.files.path(name), follow=kind == b"STA2"))
        case b"LIST" | b"LIS2":
            await stream.write(_listing(phone.files.path(name), version=2 if kind == b"LIS2" else 1))
        case b"SEND" | b"SND2":
            return await _receive(phone, stream, await _send_request(stream, kind, name))
        case b"RECV" | b"RCV2":
            if kind == b"RCV2":
                await stream.read_exactly(_HEADER.size)
            await _send_file(phone, stream, phone.files.path(name))
        case _:
            await _fail(stream, f"unknown command {kind!r}")
            return False
    return True


async def _fail(stream: Stream, text: str) -> None:
    raw = text.encode()
    await stream.write(_HEADER.pack(b"FAIL", len(raw)) + raw)


# Stat and list.


def _stat1(path: Path) -> bytes:
    try:
        found = path.lstat()
    except OSError:
        return bytes(_STAT1.size)  # version 1 has no other way to say that there is none
    return _STAT1.pack(found.st_mode, found.st_size & 0xFFFFFFFF, int(found.st_mtime))


def _stat2(path: Path, *, follow: bool) -> bytes:
    try:
        found = path.stat() if follow else path.lstat()
    except OSError as error:
        return _STAT2.pack(error.errno or EINVAL, *[0] * 10)
    times = (int(found.st_atime), int(found.st_mtime), int(found.st_ctime))
    owner = (_SHELL_USER, _SHELL_USER)
    return _STAT2.pack(0, found.st_dev, found.st_ino, found.st_mode, found.st_nlink, *owner, found.st_size, *times)


def _listing(path: Path, *, version: int) -> bytes:
    names = [".", "..", *sorted(os.listdir(path))] if path.is_dir() else []
    answer = bytearray()
    for name in names:
        raw = os.fsencode(name)
        if version == 2:
            answer += b"DNT2" + _stat2(path / name, follow=False)
        else:
            answer += b"DENT" + _stat1(path / name)
        answer += struct.pack("<I", len(raw)) + raw
    return bytes(answer) + b"DONE" + bytes((_STAT2.size if version == 2 else _STAT1.size) + 4)


# Push.


async def _send_request(stream: Stream, kind: bytes, name: str) -> _Send:
    if kind == b"SEND":
        path, _, mode = name.rpartition(",")
        return _Send(path, int(mode) if mode.isdecimal() else -1, dry_run=False)
    _, mode2, flags = _SEND2.unpack(await stream.read_exactly(_SEND2.size))
    if flags & _COMPRESSIONS:
        return _Send(name, -1, dry_run=False)  # no compression was offered
    return _Send(name, mode2, dry_run=bool(flags & _DRY_RUN))


async def _receive(phone: Phone, stream: Stream, request: _Send) -> bool:
    """Take a pushed file; False ends the service, as adbd does after a failure."""
    part: Path | None = None
    try:
        part, file = _create(phone, request)
        with file:
            mtime = await _receive_blocks(phone, stream, file)
        _finish(phone, request, part, mtime)
    except _Refused as refusal:
        if part is not None:
            part.unlink(missing_ok=True)
        await _fail(stream, str(refusal))
        await _discard(stream)
        return False
    await stream.write(b"OKAY" + bytes(4))
    return True


def _create(phone: Phone, request: _Send) -> tuple[Path, BinaryIO]:
    """The file to write to. A link's target is received like a file's contents."""
    if request.mode < 0:
        raise _Refused("mode or compression not understood")
    if phone.faults.push_denied:
        raise _Refused(f"secure_mkdirs failed: {os.strerror(EPERM)}")
    if phone.faults.read_only:
        raise _Refused(f"couldn't create file: {os.strerror(EROFS)}")
    path = Path(os.devnull) if request.dry_run else phone.files.path(request.path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _Refused(f"secure_mkdirs failed: {os.strerror(error.errno or EACCES)}") from error
    try:
        if not request.dry_run and os.path.lexists(path):
            path.unlink()
        return path, path.open("wb", buffering=0)
    except OSError as error:
        raise _Refused(f"couldn't create file: {os.strerror(error.errno or EACCES)}") from error


async def _receive_blocks(phone: Phone, stream: Stream, file: BinaryIO) -> int:
    """Write DATA until DONE, which carries the file's time in seconds."""
    while True:
        kind, number = _HEADER.unpack(await stream.read_exactly(_HEADER.size))
        if kind == b"DONE":
            return int(number)
        if kind != b"DATA" or number > _BLOCK_BYTES:
            raise _Refused("invalid data message")
        block = await stream.read_exactly(number)
        if not phone.take_space(len(block)):
            raise _Refused(f"write failed: {os.strerror(ENOSPC)}")
        try:
            written = file.write(block)
        except OSError as error:
            raise _Refused(f"write failed: {os.strerror(error.errno or ENOSPC)}") from error
        if written < len(block):
            raise _Refused(f"write failed: {os.strerror(ENOSPC)}")
        await _pace(phone, len(block))


def _finish(phone: Phone, request: _Send, part: Path, mtime: int) -> None:
    if request.dry_run:
        return
    if stat.S_ISLNK(request.mode):
        # The target comes with a trailing NUL (adb 29.0.6 and 36.0.0).
        target = part.read_bytes().split(b"\0")[0]
        part.unlink()
        os.symlink(target, os.fsencode(part))
    else:
        part.chmod(request.mode & 0o777)
    # A link gets its own time, as adbd's lutimes gives it: `adb push --sync` compares it.
    os.utime(part, (mtime, mtime), follow_symlinks=False)


async def _discard(stream: Stream) -> None:
    """Read what the host sends until it has seen the FAIL: data thrown back would hide it."""
    while True:
        kind, number = _HEADER.unpack(await stream.read_exactly(_HEADER.size))
        if kind != b"DATA":
            return
        await stream.read_exactly(number)


# Pull.


async def _send_file(phone: Phone, stream: Stream, path: Path) -> None:
    try:
        file = path.open("rb")
    except OSError as error:
        await _fail(stream, f"open failed: {os.strerror(error.errno or EACCES)}")
        return
    with file:
        while block := file.read(_BLOCK_BYTES):
            await stream.write(_HEADER.pack(b"DATA", len(block)) + block)
            await _pace(phone, len(block))
    await stream.write(b"DONE" + bytes(4))


async def _pace(phone: Phone, count: int) -> None:
    if phone.faults.bandwidth is not None:
        await asyncio.sleep(count / phone.faults.bandwidth)
