"""The threads that end a run when the host wants it, or is gone."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Final

from workbench.engines.mnn.host_agent.channel import HOST_GONE, Channel
from workbench.engines.mnn.host_agent.state import RunState

_PATIENCE_S: Final = 2.0
_BACKSTOP_S: Final = 5.0
_BLOCK: Final = 256


def start_watcher(host_in: int, state: RunState, channel: Channel) -> None:
    """Watch stdin and, where there are any, the signals that stop a program. Call it before other threads start.

    A run that does not end within two seconds is ended as it is, unless its call of the engine holds
    Python's lock, which a Module's does: nothing but the host's kill ends that.
    """
    if sys.platform != "win32":
        stops = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}
        signal.pthread_sigmask(signal.SIG_BLOCK, stops)  # threads that start from here on inherit it
        _start(lambda: signal.sigwait(stops), state, channel)
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole console; the host decides
    _start(lambda: _read_to_end(host_in), state, channel)


def _start(wait: Callable[[], object], state: RunState, channel: Channel) -> None:
    def watch() -> None:
        wait()
        state.request_stop()
        # Where the host does not read, the last line would block for ever.
        backstop = threading.Timer(_BACKSTOP_S, os._exit, (HOST_GONE,))
        backstop.daemon = True
        backstop.start()
        time.sleep(_PATIENCE_S)
        channel.finish("done", **state.finished("stopped", []))
        os._exit(0)

    threading.Thread(target=watch, name="watcher", daemon=True).start()


def _read_to_end(descriptor: int) -> None:
    while os.read(descriptor, _BLOCK):
        pass
