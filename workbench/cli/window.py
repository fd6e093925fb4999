"""Opening the window from the command line: Qt's own libraries may be missing."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workbench.core.errors import BadInput, ExitCode
from workbench.core.messages import Message, msg

if TYPE_CHECKING:
    from workbench.app.services import Services

PACKAGES: Final = {
    "libEGL": "libegl1",
    "libGL": "libgl1",
    "libGLX": "libglx0",
    "libOpenGL": "libopengl0",
    "libxkbcommon": "libxkbcommon0",
    "libxkbcommon-x11": "libxkbcommon-x11-0",
    "libdbus-1": "libdbus-1-3",
    "libfontconfig": "libfontconfig1",
    "libfreetype": "libfreetype6",
    "libglib-2.0": "libglib2.0-0",
    "libX11": "libx11-6",
    "libwayland-client": "libwayland-client0",
    "libwayland-cursor": "libwayland-cursor0",
    "libwayland-egl": "libwayland-egl1",
}
"""Debian's and Ubuntu's package of each library that PySide6-Essentials 6.11 links and does not bring."""
_LIBRARY: Final = re.compile(r"\b(lib[\w.+-]+?)\.so\b[\d.]*")


def open_window(services: Services, path: Path | None, *, simulated: bool) -> ExitCode:
    """Open the window and return when it is closed. Raises BadInput where Qt cannot be loaded."""
    gc.disable()  # collections amid the imports were 5 % of the start; the window's Collector takes over
    try:
        from workbench.ui.plain_imports import plain_imports

        with plain_imports():
            from workbench.ui.app import start_gui

        return ExitCode(start_gui(services, path, simulated=simulated))
    except ImportError as error:
        missing = _LIBRARY.search(str(error))
        if missing is None:  # not about a library of the system: a fault of ours, or of the installation
            raise
        raise BadInput(
            msg("Qt cannot be loaded: a library of the system is missing"),
            where=missing[0],
            hint=_hint(missing[1]),
        ) from error


def _hint(library: str) -> Message:
    package = PACKAGES.get(library)
    if package is None:
        return msg("Install the package that has it, or run workbench demo.")
    return msg("On Debian or Ubuntu: apt-get install {packages}", packages=package)
