"""What each column says of an operator, and what it sorts by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from workbench.core.plan import LayerQuant
from workbench.ui.layers.columns import Column
from workbench.ui.layers.filter import FLOAT_RANK, Facts
from workbench.ui.layers.row import stored_bytes
from workbench.ui.numbers import bytes_text, count_text
from workbench.ui.text import say
from workbench.ui.theme.tokens import SEVERITY
from workbench.ui.widgets.badge import status_word


def quant_text(quant: LayerQuant) -> str:
    """ "float", "4 bit", "4 bit /32 sym": a layer's precision in a chip."""
    return say(quant.label)


def size_of(facts: Facts) -> int:
    """Bytes of the layer's weights at its precision."""
    return stored_bytes(facts.row, facts.quant.bits if facts.row.can_quantize else 0)


TEXTS: Final[dict[Column, Callable[[Facts], str]]] = {
    Column.NAME: lambda facts: facts.row.name,
    Column.OP: lambda facts: facts.row.op,
    Column.OUTPUT: lambda facts: facts.row.output,
    Column.PARAMETERS: lambda facts: count_text(facts.row.parameters) if facts.row.parameters else "",
    Column.BITS: lambda facts: quant_text(facts.quant) if facts.row.can_quantize else "",
    Column.SIZE: lambda facts: bytes_text(size_of(facts)) if facts.row.weight_bytes else "",
    Column.VERDICT: lambda facts: status_word(facts.status),
}

SORT_KEYS: Final[dict[Column, Callable[[Facts], tuple[Any, ...]]]] = {
    Column.NAME: lambda facts: (facts.row.name.casefold(),),
    Column.OP: lambda facts: (facts.row.op.casefold(),),
    Column.OUTPUT: lambda facts: (facts.row.output,),
    Column.PARAMETERS: lambda facts: (facts.row.parameters,),
    Column.BITS: lambda facts: (FLOAT_RANK if facts.quant.is_float else facts.quant.bits, facts.quant.block),
    Column.SIZE: lambda facts: (size_of(facts),),
    Column.VERDICT: lambda facts: (SEVERITY.index(facts.status),),
}
