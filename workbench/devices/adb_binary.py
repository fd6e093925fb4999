"""The adb command: looked for only when no adb server listens and one must be started."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from workbench.core.errors import DeviceError
from workbench.core.messages import msg

_NAME = "adb.exe" if sys.platform == "win32" else "adb"


def find_adb(env: Mapping[str, str] = os.environ) -> Path:
    """The adb to start a server with: ADBUTILS_ADB_PATH, the Android SDK's, PATH's, the adbutils wheel's.

    The SDK's goes first so that Android Studio, started later, finds a server of its own version.
    Raises DeviceError where there is none.
    """
    for candidate in _candidates(env):
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    raise DeviceError(
        msg("There is no adb command"),
        hint=msg("Install Android's platform-tools, or set ADBUTILS_ADB_PATH to your adb."),
    )


def wheel_adb() -> Path | None:
    """The adb inside the adbutils wheel (Linux and Windows on x86-64 have one)."""
    # find_spec does not import adbutils, which takes 0.2 s.
    spec = find_spec("adbutils")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "binaries" / _NAME


def _candidates(env: Mapping[str, str]) -> Iterator[Path]:
    if named := env.get("ADBUTILS_ADB_PATH"):
        yield Path(named)
    for variable in ("ANDROID_HOME", "ANDROID_SDK_ROOT"):
        if sdk := env.get(variable):
            yield Path(sdk) / "platform-tools" / _NAME
    if found := shutil.which(_NAME, path=env.get("PATH")):
        yield Path(found)
    if (wheel := wheel_adb()) is not None:
        yield wheel
