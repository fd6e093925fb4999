"""Whether a window can be shown. Qt ends the process where it cannot: this is found out before."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.messages import msg

_XCB: Final = "xcb"
_WAYLAND: Final = "wayland"


def check_display(environ: Mapping[str, str]) -> None:
    """Raises BadInput where Qt would find no display, or could not load what it needs to use one.

    Looks at X11 and Wayland on Linux; other systems always have a display. As Qt does, it is content
    with the first that works.
    """
    if sys.platform != "linux":
        return
    names = _platforms(environ)
    if not names:
        raise BadInput(msg("There is no display"), hint=msg("Set DISPLAY, or run workbench demo"))
    problems: list[BadInput] = []
    for name in names:
        if name not in _CHECKS:
            return
        try:
            _CHECKS[name](environ)
        except BadInput as error:
            problems.append(error)
        else:
            return
    raise problems[0]


def _platforms(environ: Mapping[str, str]) -> list[str]:
    """What Qt 6.11 tries, in its order: the names in QT_QPA_PLATFORM, else by what the session says it has."""
    wanted = environ.get("QT_QPA_PLATFORM", "")
    if wanted:
        return [name.split(":")[0] for name in wanted.split(";")]
    said = ((_WAYLAND, "WAYLAND_DISPLAY"), (_XCB, "DISPLAY"))
    return [name for name, variable in said if environ.get(variable)]


def _check_plugin(name: str) -> None:
    """Load Qt's plugin for a platform: what it is linked with may be missing."""
    import ctypes

    from PySide6.QtCore import QLibraryInfo

    plugin = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms" / f"libq{name}.so"
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        hint = msg("Install the missing library, or run workbench demo")
        raise BadInput(msg("Qt cannot open a window here"), where=str(error), hint=hint) from error


def _check_xcb(environ: Mapping[str, str]) -> None:
    import ctypes

    _check_plugin(_XCB)
    display = environ.get("DISPLAY", "")
    xcb = ctypes.CDLL("libxcb.so.1")  # the plugin is linked with it
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(display.encode(), None))
    has_error = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if has_error:
        hint = msg("Set DISPLAY, or run workbench demo")
        raise BadInput(msg("The X server does not answer"), where=display, hint=hint)


def _check_wayland(environ: Mapping[str, str]) -> None:
    import socket

    _check_plugin(_WAYLAND)
    name = environ.get("WAYLAND_DISPLAY") or "wayland-0"
    place = str(Path(environ.get("XDG_RUNTIME_DIR", "/")) / name)  # an absolute name stays as it is
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(place)
        except OSError as error:
            hint = msg("Set WAYLAND_DISPLAY or DISPLAY, or run workbench demo")
            raise BadInput(msg("The Wayland compositor does not answer"), where=place, hint=hint) from error


_CHECKS: Final[Mapping[str, Callable[[Mapping[str, str]], None]]] = {_XCB: _check_xcb, _WAYLAND: _check_wayland}
