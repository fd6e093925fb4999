"""Which MNN is installed, without loading it."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Final

ENGINE_NAME: Final = "MNN"


@cache
def engine_version() -> str:
    """The version of the installed wheel, such as "3.6.1"."""
    return version("mnn")
