from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from workbench.children.serve import Refusal
from workbench.engines.arrays import load_arrays, read_npz, save_arrays

HEADER = 30  # of an entry of a zip file, before its name and what else is told of it


def test_arrays_of_any_name_come_back(tmp_path: Path) -> None:
    arrays = {"a/b": np.arange(3), "": np.zeros((0, 2)), "é:0": np.array(True)}
    files = save_arrays(tmp_path, "case0.in", arrays)
    assert [Path(file).parent for file in files.values()] == [tmp_path] * 3
    back = load_arrays(files)
    assert list(back) == list(arrays)
    assert all(np.array_equal(back[name], array) for name, array in arrays.items())


def with_broken_compression(file: Path) -> None:
    content = bytearray(file.read_bytes())
    name, extra = struct.unpack_from("<HH", content, HEADER - 4)
    content[HEADER + name + extra] = 0xFF  # a kind of block that deflate does not have
    file.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        with_broken_compression,
        lambda file: file.write_bytes(file.read_bytes()[:-40]),
        lambda file: file.write_bytes(b"\x80\x04}."),
        lambda file: file.unlink(),
        lambda file: np.savez(file, x=np.array([{}], dtype=object)),
    ],
    ids=["compression", "cut off", "pickle", "gone", "objects"],
)
def test_a_file_that_holds_no_plain_arrays_is_refused(damage, tmp_path: Path) -> None:
    file = tmp_path / "in.npz"
    np.savez_compressed(file, x=np.random.default_rng(0).random((100, 100)))
    assert read_npz(file, "bad_inputs")["x"].shape == (100, 100)
    damage(file)
    with pytest.raises(Refusal, match=r"^it is not a \.npz file") as refused:
        read_npz(file, "bad_inputs")
    assert refused.value.kind == "bad_inputs"
