"""A page of Netron on the loopback address, served by a child process."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.app.netron.server import HOST
from workbench.children.lifeline import end_by_eof
from workbench.core.errors import EngineError
from workbench.core.messages import msg
from workbench.core.steps import Context

_STOP_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class NetronPage:
    """``url`` shows ``model`` for as long as the process lives."""

    url: str
    model: Path
    process: subprocess.Popen[bytes]

    @property
    def is_served(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """End the server, that process only."""
        end_by_eof(self.process, _STOP_SECONDS)


def serve_in_netron(model: Path, ctx: Context) -> NetronPage:
    """Start a server for ``model`` and return once it answers. No browser is opened. Raises EngineError."""
    ctx.progress(None, msg("Starting Netron"))
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench.app.netron.server", str(model.absolute())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    forget = ctx.on_cancel(process.kill)
    try:
        told = _port(process.stdout.readline())
    finally:
        forget()
    if told:
        process.stderr.close()  # nobody reads it from now on: what is written to it is dropped
        return NetronPage(f"http://{HOST}:{told}", model, process)
    process.kill()
    said = process.communicate()[1].decode(errors="replace").strip().splitlines()
    ctx.check()
    raise EngineError(
        msg("Netron did not start: {reason}", reason=said[-1] if said else str(process.returncode)),
        where=str(model),
        hint=msg("workbench doctor says what is missing."),
    )


def _port(line: bytes) -> int:
    """The port on the last word of ``line``, 0 where it has none."""
    word = line.split()[-1] if line.split() else b""
    return int(word) if word.isdigit() else 0
