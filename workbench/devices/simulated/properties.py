"""The phone's system properties and the small programs that tell them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Final

_PRODUCT: Final = {
    "ro.product.name": "workbench_sim",
    "ro.product.model": "Simulated phone",
    "ro.product.device": "sim",
    "ro.product.brand": "Workbench",
    "ro.product.manufacturer": "Workbench",
    "ro.build.version.release": "14",
    "ro.build.version.sdk": "34",
    "ro.hardware": "sim",
    "ro.soc.model": "simulated",
    "ro.workbench.simulated": "1",
}
BANNER: Final = ("ro.product.name", "ro.product.model", "ro.product.device")
"""What a phone tells adb when it connects."""


def properties(abi: str, serial_number: str) -> dict[str, str]:
    """All of them."""
    return {
        **_PRODUCT,
        "ro.serialno": serial_number,
        "ro.product.cpu.abi": abi,
        "ro.product.cpu.abilist": abi,
        "ro.product.cpu.abilist64": abi,
        "ro.product.cpu.abilist32": "",
    }


def getprop_script(values: Mapping[str, str]) -> str:
    """``getprop [NAME [DEFAULT]]``, as toybox's."""
    cases = "".join(f"{shlex.quote(name)}) echo {shlex.quote(value)};;\n" for name, value in values.items())
    listed = "".join(f"[{name}]: [{value}]\n" for name, value in sorted(values.items()))
    return (
        "#!/bin/sh\n"
        f"[ $# = 0 ] && {{ printf %s {shlex.quote(listed)}; exit; }}\n"
        f'case "$1" in\n{cases}*) echo "$2";;\nesac\n'
    )


def dumpsys_script(folder: str) -> str:
    """``dumpsys SERVICE`` prints the file of that name in ``folder``."""
    quoted = shlex.quote(folder)
    return (
        "#!/bin/sh\n"
        f'case "$1" in\nbattery|thermalservice) cat {quoted}/"$1";;\n'
        '*) echo "Can\'t find service: $1" >&2; exit 20;;\nesac\n'
    )
