"""The columns of the layers table: what each says, sorts by, and in which steps it is there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from workbench.core.messages import Message, msg
from workbench.ui.step import Step


class Column(StrEnum):
    NAME = "name"
    OP = "op"
    OUTPUT = "output"
    PARAMETERS = "parameters"
    BITS = "bits"
    SIZE = "size"
    VERDICT = "verdict"


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """``width`` in design pixels; the name column takes what is left."""

    title: Message
    width: int
    is_number: bool = False


LOOKS: Final = {
    Column.NAME: ColumnLook(msg("Layer"), 140),
    Column.OP: ColumnLook(msg("Op"), 84),
    Column.OUTPUT: ColumnLook(msg("Output"), 92),
    Column.PARAMETERS: ColumnLook(msg("Parameters"), 84, is_number=True),
    Column.BITS: ColumnLook(msg("Bits"), 88),
    Column.SIZE: ColumnLook(msg("Size"), 76, is_number=True),
    Column.VERDICT: ColumnLook(msg("Verdict"), 112),
}

_PLAN_COLUMNS: Final = (Column.NAME, Column.OP, Column.BITS, Column.SIZE)
COLUMNS: Final = {
    Step.MODEL: (Column.NAME, Column.OP, Column.OUTPUT, Column.PARAMETERS),
    Step.CHECK: (Column.NAME, Column.OP, Column.OUTPUT, Column.VERDICT),
    Step.QUANTIZE: _PLAN_COLUMNS,
    Step.CONVERT: _PLAN_COLUMNS,
}
"""Steps that show the table; the plan's steps list only the layers that can be quantized."""
PLAN_STEPS: Final = frozenset({Step.QUANTIZE, Step.CONVERT})
