"""Python's own import while the window's modules come."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def plain_imports() -> Iterator[None]:
    """PySide 6.11 puts an import of its own in place of Python's.

    It reads the source of each module that comes, to see whether it may use ``__feature__``. Nothing here
    does, and it takes 6 % of the start.
    """
    plain = builtins.__import__
    import PySide6.QtCore  # noqa: F401, PLC0415 - it puts its own in place

    builtins.__import__, pyside = plain, builtins.__import__
    try:
        yield
    finally:
        builtins.__import__ = pyside
