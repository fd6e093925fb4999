"""Android's names for processors."""

from __future__ import annotations

import platform
from typing import Final

_ABI_OF_MACHINE: Final = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "arm64-v8a", "arm64": "arm64-v8a"}


def host_abi() -> str:
    """The ABI of this computer's programs; the machine's own name where Android has none for it."""
    machine = platform.machine()
    return _ABI_OF_MACHINE.get(machine, machine)
