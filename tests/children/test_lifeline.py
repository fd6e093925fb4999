from __future__ import annotations

import signal
import subprocess
import sys

from workbench.children.lifeline import end_by_eof

PATIENT_S = 60.0


def started(script: str) -> subprocess.Popen[bytes]:
    """A child that has said that it is there."""
    child = subprocess.Popen(
        [sys.executable, "-c", f"import sys, signal; print('there', flush=True); {script}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"there\n"
    return child


def test_a_child_that_ends_with_its_stdin_ends_in_its_own_way() -> None:
    child = started("sys.stdin.read(); sys.exit(3)")
    end_by_eof(child, PATIENT_S)
    assert child.returncode == 3


def test_a_child_that_stays_is_killed() -> None:
    child = started("signal.pause()")
    end_by_eof(child, 0.05)
    assert child.returncode == -signal.SIGKILL


def test_a_child_that_is_gone_already_is_no_fault() -> None:
    child = started("sys.exit(0)")
    child.wait()
    end_by_eof(child, PATIENT_S)
    assert child.stdout is not None
    assert child.stdout.closed
