"""What runs models on a device: an agent that is pushed with the engine of the installed wheel, or one that is here."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from workbench.core.abi import host_abi
from workbench.core.device import HOST_SERIAL, Device
from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.core.places import resources
from workbench.devices.deploy import Parcel

_PROGRAM: Final = "agent"
_ENGINE: Final = "libmnnengine.so"
_ENGINE_MODULE: Final = "_mnncengine"
_EXECUTABLE: Final = 0o755


@dataclass(frozen=True, slots=True)
class Runtime:
    """``program``: which of ``parcels`` is started. All lie in one folder. ``version``: the engine's.

    ``argv`` starts an agent that needs no delivery: there are no parcels then, and no program.
    """

    parcels: tuple[Parcel, ...]
    program: str
    version: str
    abi: str
    argv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shipped:
    """What build.json says of the shipped agent."""

    engine_version: str
    files: dict[str, str]


def runtime_for(device: Device) -> Runtime:
    """The runtime for ``device``. Raises DeviceError as ``host_runtime`` does, or where the processor is another.

    This computer gets the agent of phones where one is shipped for it. In Python a Module takes 30 us more an
    inference (0.258 against 0.226 ms, medians of six pairs), and its operators cannot be timed; a Session takes
    the same.
    """
    if device.serial == HOST_SERIAL:
        return host_runtime() if _shipped_folder().is_dir() else python_runtime()
    shipped = host_runtime()
    if device.abi != shipped.abi:
        raise DeviceError(
            msg("No agent is shipped for the phone's processor ({abi})", abi=device.abi),
            where=device.serial,
            hint=msg("Use a phone or an emulator whose ABI is {abi}, or this computer: --device host.",
                     abi=shipped.abi),
        )  # fmt: skip
    return shipped


def python_runtime() -> Runtime:
    """The agent that runs where Workbench does: this program, as a child. Raises DeviceError without an engine."""
    command = (sys.executable,) if getattr(sys, "frozen", False) else (sys.executable, "-m", "workbench")
    return Runtime((), "", _installed_version(), host_abi(), (*command, "--agent"))


def host_runtime() -> Runtime:
    """The runtime for this computer and for simulated phones: the shipped agent, the installed engine.

    The engine is found as a file, never imported. Raises DeviceError where no agent is shipped for
    this machine, or the engine is missing or of another version.
    """
    folder = _shipped_folder()
    shipped = _shipped(folder)
    version = _installed_version()
    if version != shipped.engine_version:
        raise DeviceError(
            msg("The agent is made for MNN {wanted}; MNN {found} is installed",
                wanted=shipped.engine_version, found=version),
            where=str(folder),
            hint=msg("Install the version that fits: pip install mnn=={wanted}", wanted=shipped.engine_version),
        )  # fmt: skip
    agent = tuple(_agent_parcel(folder / name, digest) for name, digest in shipped.files.items())
    return Runtime((*agent, *_engine_parcels()), _PROGRAM, version, host_abi())


def _shipped_folder() -> Path:
    return resources() / _PROGRAM / f"{sys.platform}-{platform.machine()}"


def _shipped(folder: Path) -> _Shipped:
    try:
        return msgspec.json.decode((folder / "build.json").read_bytes(), type=_Shipped)
    except (OSError, msgspec.DecodeError) as error:
        raise DeviceError(
            msg("No agent is shipped for this machine: {reason}", reason=str(error)),
            where=str(folder),
            hint=msg("In a checkout, build it: python packaging/agent/build.py"),
        ) from error


def _installed_version() -> str:
    try:
        return importlib.metadata.version("mnn")
    except importlib.metadata.PackageNotFoundError as error:
        raise _no_engine() from error


def _no_engine() -> DeviceError:
    return DeviceError(
        msg("The engine MNN is not installed"), where=sys.prefix, hint=msg("Install it: pip install mnn")
    )


def _agent_parcel(path: Path, digest: str) -> Parcel:
    """A shipped file; a copy that git or a packer changed is refused here, not by the phone's linker."""
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        found = str(error)
    if found != digest:
        raise DeviceError(
            msg("The shipped agent is damaged"),
            where=str(path),
            hint=msg("Install Workbench again; in a checkout: python packaging/agent/build.py"),
        )
    return Parcel(path, path.name, digest, _EXECUTABLE)


def _engine_parcels() -> Iterator[Parcel]:
    """The engine under its neutral name, and the libraries that its wheel brings (OpenMP's)."""
    spec = importlib.util.find_spec(_ENGINE_MODULE)
    if spec is None or spec.origin is None:
        raise _no_engine()
    engine = Path(spec.origin)
    yield Parcel(engine, _ENGINE, _sha256(engine), _EXECUTABLE)
    for library in sorted((engine.parent / "mnn.libs").glob("*.so*")):
        yield Parcel(library, library.name, _sha256(library), _EXECUTABLE)


def _sha256(path: Path) -> str:
    """30 ms for the engine's 23 MB: no digest is kept, so none can be out of date."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
