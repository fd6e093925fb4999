"""What a model is good for, measured on labelled data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Top-1 accuracy of ``subject`` ("onnxruntime, float", "MNN, 8 bit"): ``correct`` of ``total`` labels."""

    subject: str
    correct: int
    total: int

    @property
    def percent(self) -> float:
        return 100.0 * self.correct / self.total
