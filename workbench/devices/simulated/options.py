"""What a simulated phone may be asked to be: its ABI, port and faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields

from workbench.core.errors import UsageError
from workbench.core.messages import msg

ABIS = ("x86_64", "arm64-v8a")
EMULATOR_PORTS = range(5555, 5586)
"""adb takes these for emulators and looks for devices there by itself."""
SCHEMA = "workbench.simulated/1"
"""Of the line that a phone prints when it is ready."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong with the phone; ``FAULTS`` explains each. The defaults are a healthy phone."""

    unauthorized: bool = False
    authorize_after: float | None = None
    offline_silent: bool = False
    unplug_after: float | None = None
    unplug_in_push: int | None = None
    no_space: int | None = None
    read_only: bool = False
    push_denied: bool = False
    bandwidth: float | None = None
    slow_shell: float = 0.0
    no_thermal: bool = False


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One row of the table: how ``--fault NAME=VALUE`` is read, and what it does (English, for --help)."""

    name: str
    parse: Callable[[str], object]
    value: str
    help: str


def _flag(text: str) -> bool:
    if text not in ("", "0", "1"):
        raise ValueError(text)
    return text != "0"


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError(text)
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


FAULTS = (
    FaultKind("unauthorized", _flag, "", "no key is accepted: the phone stays unauthorized"),
    FaultKind("authorize_after", _positive, "SECONDS", "asks for permission and grants it after so long"),
    FaultKind("offline_silent", _flag, "", "accepts the connection and never answers: the phone stays offline"),
    FaultKind("unplug_after", _positive, "SECONDS", "disappears so long after it came online"),
    FaultKind("unplug_in_push", _count, "BYTES", "disappears once so many bytes were pushed"),
    FaultKind("no_space", _count, "BYTES", "storage is full after so many bytes were pushed"),
    FaultKind("read_only", _flag, "", "pushes fail: the file system is read-only"),
    FaultKind("push_denied", _flag, "", "pushes fail: operation not permitted"),
    FaultKind("bandwidth", _positive, "BYTES_PER_SECOND", "limits the speed of push and pull"),
    FaultKind("slow_shell", _positive, "SECONDS", "every shell command starts so much later"),
    FaultKind("no_thermal", _flag, "", "tells no temperature at all"),
)
"""Every fault that ``--fault`` knows."""

_KINDS = {kind.name: kind for kind in FAULTS}
assert list(_KINDS) == [entry.name for entry in fields(Faults)]


def parse_faults(texts: Iterable[str]) -> Faults:
    """``NAME=VALUE`` or ``NAME`` as the command line gives them. Raises UsageError."""
    values = {}
    for text in texts:
        name, _, value = text.partition("=")
        kind = _KINDS.get(name)
        if kind is None:
            raise UsageError(
                msg("There is no such fault"), where=name, hint=msg("Possible: {names}", names=", ".join(_KINDS))
            )
        try:
            values[name] = kind.parse(value)
        except ValueError as error:
            raise UsageError(
                msg("{value} is not a value for this fault", value=repr(value)),
                where=name,
                hint=msg("Write --fault {form}", form=_form(kind)),
            ) from error
    return Faults(**values)  # type: ignore[arg-type]  # the table's parsers give the fields' types


def fault_help() -> str:
    """One line a fault, for --help."""
    return "\n".join(f"  {_form(kind):32} {kind.help}" for kind in FAULTS)


def _form(kind: FaultKind) -> str:
    return f"{kind.name}={kind.value}" if kind.value else kind.name


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """``abi`` "" is this computer's; ``port`` 0 is any free one outside EMULATOR_PORTS."""

    abi: str = ""
    port: int = 0
    faults: Faults = Faults()

    def __post_init__(self) -> None:
        if self.abi and self.abi not in ABIS:
            raise UsageError(
                msg("There is no simulated phone of ABI {abi}", abi=self.abi),
                where="--abi",
                hint=msg("Possible: {names}", names=", ".join(ABIS)),
            )
        if not 0 <= self.port <= 65535 or self.port in EMULATOR_PORTS:
            raise UsageError(
                msg("Port {port} cannot be used for a simulated phone", port=self.port),
                where="--port",
                hint=msg("Use a port from 1024 to 65535 outside 5555 to 5585: adb takes those for emulators."),
            )
