"""What a refusal of bad input looks like."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.end_to_end.command import Ended

GOOD = np.zeros((1, 3, 8, 8), np.float32)


def assert_refused(ended: Ended, *told: str, where: str, kind: str = "bad_input") -> None:
    """Exit code 2, one line that holds every one of ``told``, and a way out."""
    assert ended.code == 2, (ended.out, ended.err)
    error = ended.error
    assert error["kind"] == kind
    assert where in error["where"]
    assert error["hint"]
    for text in told:
        assert text in f"{error['what']} {error['hint']}"


def write_single(path: Path) -> None:
    """One array, as numpy.save does it, under the name of a .npz."""
    np.save(path.with_suffix(".npy"), GOOD)
    path.with_suffix(".npy").rename(path)
