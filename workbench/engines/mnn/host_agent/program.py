"""``workbench --agent``: one line of options on stdin, one event a line on stdout.

Ends with ``done`` (exit code 0) or ``error`` (2); 1 where the host closed the stream. Stdin stays
open as long as the run is wanted.
"""

from __future__ import annotations

import ctypes
import os
import sys
import traceback
from typing import Any, Final, NoReturn

from workbench.children.serve import die_with_parent
from workbench.engines.mnn.host_agent.channel import Channel
from workbench.engines.mnn.host_agent.failure import Failure
from workbench.engines.mnn.host_agent.state import RunState
from workbench.engines.mnn.host_agent.watcher import start_watcher

_STDIN: Final = 0
_STDOUT: Final = 1
_STDERR: Final = 2
_REFUSED: Final = 2
_MAX_LINE: Final = 1 << 20
_LINE_BUFFERED: Final = 1  # _IOLBF of stdio.h, on Linux and macOS
_C_STDOUT: Final = {"linux": "stdout", "darwin": "__stdoutp"}


def main() -> NoReturn:
    """Run once, and end the process."""
    die_with_parent()
    state = RunState()
    channel = Channel(_take_stdout())
    line = _read_line(_STDIN)
    start_watcher(_STDIN, state, channel)
    code = _REFUSED
    try:
        from workbench.engines.mnn.host_agent.run import run  # noqa: PLC0415 - so that the engine prints elsewhere

        channel.finish("done", **run(line, state, channel))
        code = 0
    except Failure as failure:
        channel.finish("error", stage=failure.stage, text=failure.text)
    except ImportError as error:
        channel.finish("error", stage="load", text=f"the engine cannot be imported: {error}")
    except Exception as error:  # noqa: BLE001 - the edge of the process: the host gets the reason, and the rest on stderr
        traceback.print_exc()
        channel.finish("error", stage="run", text=f"{type(error).__name__}: {error}")
    sys.stderr.flush()
    os._exit(code)  # threads of the engine may still hold locks that an orderly end would wait for


def _take_stdout() -> int:
    """A descriptor for events alone. The engine's prints on stdout go to stderr, each line as it comes."""
    events = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    if sys.platform in _C_STDOUT:
        library: Any = ctypes.CDLL(None)
        stream = ctypes.c_void_p.in_dll(library, _C_STDOUT[sys.platform])
        library.setvbuf(stream, None, _LINE_BUFFERED, 0)
    return events


def _read_line(descriptor: int) -> bytes:
    """Byte by byte: what follows the line is the watcher's."""
    line = bytearray()
    while len(line) < _MAX_LINE:
        byte = os.read(descriptor, 1)
        if byte in (b"", b"\n"):
            break
        line += byte
    return bytes(line)
