"""The conversion worker, with an ear on every import and without the right to a socket.

The kernel ends this process at the first socket it asks for, Python's or the native library's
(which does link ``connect``): a conversion that succeeds here did not try.
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from typing import Any

HEARD: list[str] = []
_SOCKET_CALL = {"x86_64": 41, "aarch64": 198}  # linux/unistd.h
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2  # linux/prctl.h, linux/seccomp.h
_LOAD_WORD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06  # linux/bpf_common.h
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000  # linux/seccomp.h


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction)))


def _forbid_sockets() -> None:
    instructions = (_Instruction * 4)(
        (_LOAD_WORD, 0, 0, 0),  # the number of the system call
        (_JUMP_IF_EQUAL, 0, 1, _SOCKET_CALL[os.uname().machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_RETURN, 0, 0, _ALLOW),
    )
    program = _Program(len(instructions), instructions)
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "no system call filter")


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "import" and str(arguments[0]).split(".")[0] == "MNN":
        HEARD.append(f"import {arguments[0]}")
    elif event in ("subprocess.Popen", "os.system", "os.posix_spawn", "os.exec"):
        HEARD.append(event)


_forbid_sockets()
sys.addaudithook(_listen)  # cannot be removed: this process is its own

from workbench.children.serve import Job  # noqa: E402 - after the ear is there
from workbench.engines.mnn import convert_worker  # noqa: E402


def heard(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """What was heard so far, and the modules of the engine that are loaded."""
    return {"heard": HEARD, "modules": sorted(name for name in sys.modules if name.split(".")[0] in ("MNN", "_tools"))}


def import_engine(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """An import that must be heard; this one has no module behind it."""
    try:
        __import__("MNN.tools.no_such_module")
    except ImportError:
        return heard(request, job)
    raise AssertionError("there is no such module")


def open_socket(request: dict[str, Any], job: Job) -> dict[str, Any]:
    socket.socket().close()
    return {}


FUNCTIONS = {**convert_worker.FUNCTIONS} | {f.__name__: f for f in (heard, import_engine, open_socket)}
