"""Children that live for as long as their stdin is open."""

from __future__ import annotations

import contextlib
import subprocess


def end_by_eof(process: subprocess.Popen[bytes], patience_s: float) -> None:
    """Close the stdin of ``process``, wait, and kill that process alone where it has not ended after ``patience_s``."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
