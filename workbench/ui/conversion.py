"""What came of a conversion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.plan import QuantPlan

if TYPE_CHECKING:
    from workbench.engines.convert import ConvertReport


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion that ended with an answer, yes or no, and the plan it was of."""

    plan: QuantPlan
    report: ConvertReport
