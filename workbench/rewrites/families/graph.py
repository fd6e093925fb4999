"""What makes every graph plainer before rules look at its nodes: for the whole model, not for a node."""

from __future__ import annotations

from typing import Final

from workbench.core.messages import msg
from workbench.rewrites.rule import Rule, whole_model

FUNCTIONS: Final = Rule(
    "graph/functions", (), msg("The model's own functions are written where they are called"), whole_model
)
OPSET: Final = Rule("graph/opset", (), msg("Operators are brought to a newer version of ONNX"), whole_model)
CONSTANTS: Final = Rule(
    "graph/constants", (), msg("What does not depend on the inputs is computed beforehand"), whole_model
)
RULES: Final = (FUNCTIONS, OPSET, CONSTANTS)
