"""What this computer has of what Workbench needs, and how to mend what is missing."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from workbench.app.arguments import Reply, Table
from workbench.app.documents import answer
from workbench.app.services import Services
from workbench.core import codec
from workbench.core.errors import DeviceError, WorkbenchError
from workbench.core.messages import Message, msg
from workbench.core.places import cache_folder, log_file
from workbench.core.steps import Context
from workbench.devices.adb_binary import find_adb
from workbench.devices.listing import host_device
from workbench.devices.runtime import host_runtime, runtime_for
from workbench.devices.server import AdbServer

SCHEMA: Final = "workbench.doctor/1"
_QT_SECONDS: Final = 60
_QT_PACKAGES: Final = "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libxcb-cursor0"
_QT_PROBE: Final = (
    "from PySide6.QtWidgets import QApplication; from PySide6.QtCore import qVersion;"
    "QApplication([]); print(qVersion())"
)


class Health(StrEnum):
    OK = "ok"
    OPTIONAL = "optional"  # missing, and only some things need it
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``mend`` is what to do, None where all is well."""

    name: str | Message
    health: Health
    found: str | Message
    mend: Message | None = None


def doctor(services: Services, ctx: Context) -> Reply:
    """Look at everything; yes where nothing that is always needed is missing."""
    findings = []
    for look in (_python, _engine, _reference, _agent, _adb, _qt, _emulator, _folders):
        ctx.check()
        ctx.progress(None, msg("Looking at {what}", what=look.__name__.strip("_")))
        findings += _told(look)
    rows = tuple((f.health.value, f.name, f.found, f.mend or "") for f in findings)
    heads = (msg("State"), msg("What"), msg("Found"), msg("What to do"))
    healthy = all(finding.health is not Health.MISSING for finding in findings)
    body = {"ok": healthy, "log": str(log_file()), "findings": findings}
    lines = (msg("Log: {path}", path=str(log_file())),)
    return Reply(codec.document(SCHEMA, body), answer(yes=healthy), lines, Table(heads, rows))


def _told(look: Callable[[], Iterator[Finding]]) -> list[Finding]:
    try:
        return list(look())
    except WorkbenchError as error:
        return [Finding(look.__name__.strip("_"), Health.MISSING, error.what, error.hint)]


def _python() -> Iterator[Finding]:
    yield Finding("Python", Health.OK, f"{platform.python_version()} {platform.machine()} {sys.platform}")


def _package(name: str) -> Finding:
    try:
        return Finding(name, Health.OK, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        mend = msg("pip install {package}", package=name)
        return Finding(name, Health.MISSING, "", mend)


def _engine() -> Iterator[Finding]:
    yield _package("mnn")


def _reference() -> Iterator[Finding]:
    yield _package("onnx")
    yield _package("onnxruntime")


def _agent() -> Iterator[Finding]:
    own = runtime_for(host_device())
    kind = "Python" if own.argv else "C++"
    yield Finding(msg("agent of this computer"), Health.OK, f"{kind}, {own.abi}, MNN {own.version}")
    try:
        shipped = host_runtime()
    except DeviceError as error:  # "This computer" runs models without it
        yield Finding(msg("agent of phones"), Health.OPTIONAL, error.what, error.hint)
        return
    yield Finding(msg("agent of phones"), Health.OK, f"{shipped.abi}, MNN {shipped.version}")


def _adb() -> Iterator[Finding]:
    server = AdbServer()
    adb = str(find_adb())
    found = (
        msg("{adb}; a server listens on port {port}", adb=adb, port=server.port)
        if server.listens()
        else msg("{adb}; no server listens", adb=adb)
    )
    yield Finding("adb", Health.OK, found)


def _qt() -> Iterator[Finding]:
    """In a child: a Qt whose libraries are missing may end its process."""
    probe = subprocess.run(
        [sys.executable, "-c", _QT_PROBE],
        capture_output=True,
        text=True,
        timeout=_QT_SECONDS,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    if probe.returncode == 0:
        yield Finding("Qt", Health.OK, probe.stdout.strip())
        return
    said = probe.stderr.strip().splitlines()
    yield Finding(
        "Qt",
        Health.MISSING,
        said[-1] if said else msg("exit code {code}", code=probe.returncode),
        msg("On Debian or Ubuntu: apt-get install {packages}", packages=_QT_PACKAGES),
    )


def _emulator() -> Iterator[Finding]:
    if sys.platform != "linux":
        return
    found = shutil.which("qemu-aarch64-static")
    mend = None if found else msg("Only simulated arm64 phones need it: apt-get install qemu-user-static")
    yield Finding("qemu-aarch64-static", Health.OK if found else Health.OPTIONAL, found or "", mend)


def _folders() -> Iterator[Finding]:
    for name, folder in ((msg("cache"), cache_folder()), (msg("log"), log_file().parent)):
        yield _writable(name, folder)


def _writable(name: Message, folder: Path) -> Finding:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        mend = msg("Make {folder} writable, or set WORKBENCH_HOME to a folder that is.", folder=str(folder))
        return Finding(name, Health.MISSING, error.strerror or str(error), mend)
    return Finding(name, Health.OK, str(folder))
