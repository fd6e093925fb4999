"""How MNN folds a BatchNormalization into the weights before it, in float32 and in its order.

Standard library and numpy only: workers import this.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def normalization_factors(scale: NDArray[Any], variance: NDArray[Any], epsilon: float) -> NDArray[np.float32]:
    """What each output channel's weights are multiplied by, (channels,)."""
    deviation = np.sqrt(variance.astype(np.float32) + np.float32(epsilon))
    return np.asarray(scale.astype(np.float32) / deviation, np.float32)
