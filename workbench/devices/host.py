"""This computer as a device: the same protocol, without adb."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import psutil

from workbench.core.abi import host_abi
from workbench.core.device import HOST_SERIAL, Device, DeviceState
from workbench.core.errors import BadInput, DeviceError, InternalError
from workbench.core.messages import msg
from workbench.core.places import cache_folder
from workbench.core.steps import Context
from workbench.devices.link import SHELL_TIMEOUT_S, FileStat, Program, Running, ShellResult

_BLOCK_BYTES: Final = 1 << 20
_ERROR_TAIL_BYTES: Final = 1 << 16
_RUN_AGAIN: Final = msg("Run it again.")


class HostLink:
    """Implements Link. ``folder`` defaults to one of this user's cache."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder() / "device"

    @property
    def serial(self) -> str:
        return HOST_SERIAL

    @property
    def folder(self) -> str:
        return self._folder.as_posix()

    def device(self) -> Device:
        return Device(HOST_SERIAL, platform.node(), host_abi(), DeviceState.READY)

    def shell(self, command: str, *, timeout_s: float = SHELL_TIMEOUT_S) -> ShellResult:
        if sys.platform == "win32":
            raise DeviceError(
                msg("Windows has no POSIX shell"),
                where=HOST_SERIAL,
                hint=msg("Name a phone: workbench devices lists them."),
            )
        running = self._popen(["/bin/sh", "-c", command], "", {}, stdin=subprocess.DEVNULL)
        try:
            out, errors = running.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired as error:
            _kill_tree(running)
            running.communicate()
            raise DeviceError(
                msg("The command did not end within {seconds} s", seconds=timeout_s),
                where=HOST_SERIAL,
                hint=msg("Try again when this computer has less to do."),
            ) from error
        return ShellResult(_shell_code(running.returncode), out.decode("utf-8", "replace"), _decoded(errors))

    def start(self, program: Program) -> Running:
        return HostProgram(self._popen(list(program.argv), program.cwd, dict(program.env), stdin=subprocess.PIPE))

    def push(self, local: Path, remote: str, *, mode: int = 0o644, ctx: Context) -> None:
        target = Path(remote)
        _writing(target, lambda: target.parent.mkdir(parents=True, exist_ok=True))
        _copy(local, target, ctx)
        _writing(target, lambda: target.chmod(mode))

    def pull(self, remote: str, local: Path, *, ctx: Context) -> None:
        if not Path(remote).is_file():
            raise DeviceError(msg("There is no such file on this computer"), where=remote, hint=_RUN_AGAIN)
        _copy(Path(remote), local, ctx)

    def stat(self, remote: str) -> FileStat | None:
        if not os.path.lexists(remote):
            return None
        found = Path(remote).lstat()
        return FileStat(found.st_mode, found.st_size)

    def sha256(self, remote: str) -> str | None:
        path = Path(remote)
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def make_folder(self, remote: str) -> None:
        _writing(Path(remote), lambda: Path(remote).mkdir(parents=True, exist_ok=True))

    def remove(self, remote: str) -> None:
        path = Path(remote)
        if not path.is_relative_to(self._folder) or ".." in path.parts:
            raise InternalError(msg("Only what lies below {folder} is removed", folder=self.folder), where=remote)
        if path.is_dir() and not path.is_symlink():
            _writing(path, lambda: shutil.rmtree(path))
        else:
            _writing(path, lambda: path.unlink(missing_ok=True))

    def free_bytes(self) -> int | None:
        there = next(path for path in (self._folder, *self._folder.parents) if path.exists())
        return shutil.disk_usage(there).free

    def _popen(self, argv: list[str], cwd: str, env: dict[str, str | None], *, stdin: int) -> subprocess.Popen[bytes]:
        self.make_folder(self.folder)
        merged = os.environ | {name: value for name, value in env.items() if value is not None}
        try:
            return subprocess.Popen(
                argv,
                cwd=cwd or self.folder,
                env={name: value for name, value in merged.items() if env.get(name, value) is not None},
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise DeviceError(
                msg("The program does not start: {reason}", reason=error.strerror or str(error)),
                where=argv[0],
                hint=msg("Check its permissions, and the limits on processes and open files (ulimit -a)."),
            ) from error


class HostProgram:
    """Implements Running. A thread keeps stderr from filling up."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._killed = False
        self._lock = threading.Lock()
        self._errors = bytearray()
        self._drain = threading.Thread(target=self._read_errors, name="stderr", daemon=True)
        self._drain.start()

    def write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except (OSError, ValueError) as error:  # ValueError: closed by ``kill``
            raise DeviceError(
                msg("The program ended before it was told everything"), where=HOST_SERIAL, hint=_RUN_AGAIN
            ) from error

    def close_input(self) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            return  # the program ended first, and its stdin with it

    def lines(self) -> Iterator[bytes]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield line.rstrip(b"\r\n")
        self._drain.join()
        self._process.wait()
        self.close_input()
        self._process.stdout.close()

    def kill(self) -> None:
        with self._lock:
            if self._process.poll() is None:
                self._killed = True
                _kill_tree(self._process)

    def wait(self) -> int | None:
        assert self._process.stdout is not None
        if not self._process.stdout.closed:
            for _ in self.lines():
                pass
        return None if self._killed else _shell_code(self._process.wait())

    @property
    def errors(self) -> str:
        return _decoded(self._errors)

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            for line in stream:
                self._errors += line
                del self._errors[:-_ERROR_TAIL_BYTES]


def _kill_tree(process: subprocess.Popen[bytes]) -> None:
    try:
        root = psutil.Process(process.pid)
        for one in (*root.children(recursive=True), root):
            one.kill()
    except psutil.NoSuchProcess:
        return  # it ended by itself meanwhile


def _copy(source: Path, target: Path, ctx: Context) -> None:
    """Copy with progress; ``target`` appears when all of it is there."""
    text = msg("Copying {name}", name=source.name)
    part = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with source.open("rb") as read, part.open("wb") as write:
            size = max(os.fstat(read.fileno()).st_size, 1)
            done = 0
            while block := read.read(_BLOCK_BYTES):
                write.write(block)
                done += len(block)
                ctx.progress(min(done / size, 1.0), text)
        part.replace(target)
    except OSError as error:
        raise BadInput(
            msg("The file cannot be copied: {reason}", reason=error.strerror or str(error)),
            where=str(error.filename or source),
            hint=msg("Check the file, its permissions and the free space."),
        ) from error
    finally:
        part.unlink(missing_ok=True)
    ctx.progress(1.0, text)


def _writing(path: Path, action: Callable[[], object]) -> None:
    try:
        action()
    except OSError as error:
        raise DeviceError(
            msg("This computer does not permit it: {reason}", reason=error.strerror or str(error)),
            where=str(path),
            hint=msg("Free space and permissions there, or set WORKBENCH_HOME to another folder."),
        ) from error


def _shell_code(returncode: int) -> int:
    return returncode if returncode >= 0 else 128 - returncode


def _decoded(raw: bytes | bytearray) -> str:
    return raw.decode("utf-8", "replace")
