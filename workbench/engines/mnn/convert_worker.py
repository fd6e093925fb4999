"""The child that runs MNN's converter.

Only ``_tools`` is imported, the converter's extension module: ``MNN.tools`` installs packages and
sends telemetry when imported. The job's folder is the cwd and belongs to this job alone, because
the converter spills weights into ``./.__convert_external_data.bin``: two conversions in one folder
corrupt each other.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

import _tools

from workbench.children.serve import LOG, Job, Refusal
from workbench.engines.mnn.weights_file import weights_path

_PROGRAM = "MNNConvert"
_IOLBF = {"linux": 1, "darwin": 1}
_SUCCESS = "Converted Success!"
_UNSUPPORTED = "These Op Not Support:"
_OPS_BEGIN, _OPS_END = "Dump ONNX support Ops", "Total:"


def convert(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Run the converter once for each of ``calls``: {"argv": its arguments, "made": the file it writes}.

    The last file is described (see read_back.describe) where ``describe`` is true, and the weights of
    the operators ``weights_of`` are saved (see stored_values.save_weights). Returns {"description"}.
    Refuses with "unsupported_ops" (details ``ops``) or "no_model".
    """
    made = job.folder
    for call in request["calls"]:
        made = job.folder / call["made"]
        for old in (made, weights_path(made)):
            old.unlink(missing_ok=True)
        text = _run([_PROGRAM, *call["argv"]])
        if ops := _unsupported(text):
            raise Refusal("unsupported_ops", "The converter does not know these operators", ops=ops)
        # MNN 3.6.1 returns True and exits with 0 whatever happened, and says "Success" without a file.
        if _SUCCESS not in text or not made.is_file() or made.stat().st_size == 0:
            raise Refusal("no_model", _reason(text))
    # Imported where a plan needs them: these cost as much time as a small model's conversion.
    if request["weights_of"]:
        from workbench.engines.mnn.stored_values import save_weights

        save_weights(made, request["weights_of"], job.folder)
    if request["describe"]:
        from workbench.engines.mnn.read_back import describe

        return {"description": describe(made)}
    return {"description": {}}


def op_list(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """The names of the ONNX operators that the converter has code for: {"ops": [...]}."""
    lines = _run([_PROGRAM, "-f", "ONNX", "--OP"]).splitlines()
    try:
        begin = lines.index(_OPS_BEGIN)
        end = next(i for i, line in enumerate(lines) if i > begin and line.startswith(_OPS_END))
    except (ValueError, StopIteration) as error:
        raise Refusal("no_list", "The converter printed no list of operators") from error
    return {"ops": sorted(line.strip() for line in lines[begin + 1 : end])}


def _run(argv: list[str]) -> str:
    """Run the converter; what it printed."""
    log = Path(LOG)
    before = log.stat().st_size
    _tools.mnnconvert(argv)
    _C.fflush(None)
    with log.open("rb") as printed:
        printed.seek(before)
        return printed.read().decode("utf-8", "replace")


def _unsupported(text: str) -> list[str]:
    """Operators in "[..] :220: These Op Not Support: ONNX::A | ONNX::B", without their framework."""
    for line in text.splitlines():
        _, found, names = line.partition(_UNSUPPORTED)
        if found:
            return sorted({name.strip().removeprefix("ONNX::") for name in names.split("|") if name.strip()})
    return []


def _reason(text: str) -> str:
    """The converter's last line that tells a fault, else its last line."""
    lines = [line for line in text.splitlines() if line.strip()]
    faults = [line for line in lines if "error" in line.lower() or "not exist" in line.lower() or "Can't" in line]
    return (faults or lines or [""])[-1]


def _c_library() -> ctypes.CDLL:
    """The C library, its stdout buffered by lines: what a crashing converter said last must not be lost."""
    library = ctypes.CDLL("ucrtbase") if sys.platform == "win32" else ctypes.CDLL(None)
    if sys.platform in _IOLBF:
        stream = ctypes.c_void_p.in_dll(library, "__stdoutp" if sys.platform == "darwin" else "stdout")
        library.setvbuf(stream, None, _IOLBF[sys.platform], 0)
    return library


_C = _c_library()
FUNCTIONS = {"convert": convert, "op_list": op_list}
