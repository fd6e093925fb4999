"""Whether a window can be shown. Qt ends the process where it cannot: this is found out before."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLibraryInfo

from workbench.core.errors import BadInput
from workbench.core.messages import msg

_XCB: Final = "xcb"


def check_display(environ: Mapping[str, str]) -> None:
    """Raises BadInput where Qt would find no display, or could not load what it needs to use one.

    Looks at X11 on Linux; other systems always have a display, and a Wayland socket is Qt's own to try.
    """
    if sys.platform != "linux":
        return
    wanted = environ.get("QT_QPA_PLATFORM", "")
    if not wanted and not environ.get("DISPLAY") and not environ.get("WAYLAND_DISPLAY"):
        raise BadInput(msg("There is no display"), hint=msg("Set DISPLAY, or run workbench demo"))
    if wanted.split(":")[0] == _XCB or (not wanted and not environ.get("WAYLAND_DISPLAY")):
        _check_xcb(environ.get("DISPLAY", ""))


def _check_xcb(display: str) -> None:
    plugin = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms" / "libqxcb.so"
    try:
        ctypes.CDLL(str(plugin))
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError as error:
        hint = msg("Install the missing library, or run workbench demo")
        raise BadInput(msg("Qt cannot open a window here"), where=str(error), hint=hint) from error
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(display.encode(), None))
    has_error = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if has_error:
        hint = msg("Set DISPLAY, or run workbench demo")
        raise BadInput(msg("The X server does not answer"), where=display, hint=hint)
