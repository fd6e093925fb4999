"""Environments for workers in which the engine's memory faults show, instead of going well by luck.

MNN 3.6.1 reads memory that it never wrote (a ConstantOfShape without value comes out as zeros or as
anything), past the end of arrays (an LSTM with one output sometimes converts), and writes past the
end (a MatMul of two vectors corrupts the heap and computes the right number). glibc fills what is
allocated with a pattern, and checks its heap at each free: then such a model is wrong, or crashes,
every time. Elsewhere than on glibc both variables are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PATTERN: Final[Mapping[str, str]] = {"GLIBC_TUNABLES": "glibc.malloc.perturb=165"}
"""Fills memory: a fifth more time for a conversion."""
CHECKED: Final[Mapping[str, str]] = {
    "GLIBC_TUNABLES": "glibc.malloc.check=3:glibc.malloc.perturb=165",
    "LD_PRELOAD": "libc_malloc_debug.so.0",
}
"""Fills memory and checks the heap: a tenth more time for a run."""
