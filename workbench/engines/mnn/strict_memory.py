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

# 165 fills what is allocated with 0x5a, 1.5e16 as a float; the thread cache would hand out memory as it
# was filled when freed, with 0xa5, -2.9e-16: no error at all beside ordinary numbers.
_FILLED: Final = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"
PATTERN: Final[Mapping[str, str]] = {"GLIBC_TUNABLES": _FILLED}
"""Fills memory: a fifth more time for a conversion."""
CHECKED: Final[Mapping[str, str]] = {
    "GLIBC_TUNABLES": f"{_FILLED}:glibc.malloc.check=3",
    "LD_PRELOAD": "libc_malloc_debug.so.0",
}
"""Fills memory and checks the heap: a tenth more time for a run."""
