"""Weights outside the model file are used only where they can be trusted."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import onnx
import pytest

from tests.formats.conftest import Open, Refused
from tests.formats.models import conv_model, external_weight
from workbench.core.graph import WeightData

EXTERNAL: dict[str, tuple[onnx.TensorProto, str]] = {
    "missing": (external_weight("other.bin"), "The external data file other.bin of tensor w is missing"),
    "short": (external_weight("w.bin", 100), "file w.bin is too short: tensor w ends at byte 532 of 500"),
    "offset beyond": (external_weight("w.bin", 1 << 40), "is too short: tensor w ends at byte"),
    "negative offset": (external_weight("w.bin", -8), "has the external offset -8, which is no position in a file"),
    "offset in words": (external_weight("w.bin", "zero"), "Tensor w has the external offset zero"),
    "offset beyond 64 bits": (external_weight("w.bin", "9" * 40), "which is no position in a file"),
    "length of another shape": (
        external_weight("w.bin", 0, 400),
        "Tensor w (float32[4, 3, 3, 3]) takes 432 bytes, but its external data has 400",
    ),
    "no location": (external_weight(""), "Tensor w is external, but the model does not say in which file"),
    "absolute": (external_weight("/etc/passwd"), "Tensor w asks for /etc/passwd, which is outside the model's folder"),
    "drive": (external_weight("C:\\w.bin"), "which is outside the model's folder"),
    "share": (external_weight("\\\\host\\w.bin"), "which is outside the model's folder"),
    "up with a backslash": (external_weight("..\\w.bin"), "which is outside the model's folder"),
    "up and down again": (external_weight("sub/../../folder/w.bin"), "which is outside the model's folder"),
    "link that leaves": (external_weight("link.bin"), "Tensor w asks for link.bin, which is outside the"),
    "folder": (external_weight("sub"), "The external data file sub cannot be read: not a regular file"),
    "socket": (external_weight("socket"), "The external data file socket cannot be read: not a regular file"),
    "loop of links": (external_weight("loop"), "The external data file loop cannot be read"),
    "name too long": (external_weight("n" * 5000), "cannot be read"),
    "file as a folder": (external_weight("w.bin/inner"), "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXTERNAL)
def test_external_data_that_cannot_be_trusted_is_refused(refused: Refused, tmp_path: Path, name: str) -> None:
    weight, what = EXTERNAL[name]
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "w.bin").write_bytes(bytes(500))
    (tmp_path / "outside.bin").write_bytes(bytes(500))
    (folder / "link.bin").symlink_to(tmp_path / "outside.bin")
    (folder / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(folder, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{here}/socket")  # a short path: AF_UNIX takes 108 bytes
        os.close(here)
    path = folder / "model.onnx"
    path.write_bytes(conv_model(weight).SerializeToString())
    assert what in str(refused(path).what)


def test_external_weights_are_located(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "w.bin").write_bytes(bytes(1000))
    path = tmp_path / "model.onnx"
    path.write_bytes(conv_model(external_weight("sub/w.bin", 500)).SerializeToString())
    read = opened(path)
    assert read.graph.initializers[0].data == WeightData("sub/w.bin", 500, 432)
    assert read.external_files == ("sub/w.bin",)
    assert read.bytes == path.stat().st_size + 1000


def test_external_data_without_a_length_is_measured_by_its_shape(opened: Open, tmp_path: Path) -> None:
    weight = external_weight("w.bin")
    del weight.external_data[1:]
    (tmp_path / "w.bin").write_bytes(bytes(432))
    path = tmp_path / "model.onnx"
    path.write_bytes(conv_model(weight).SerializeToString())
    assert opened(path).graph.initializers[0].data == WeightData("w.bin", 0, 432)


def test_a_link_into_a_folder_of_blobs_is_followed_as_in_the_hugging_face_cache(opened: Open, tmp_path: Path) -> None:
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "main"
    blobs.mkdir()
    snapshot.mkdir(parents=True)
    (blobs / "aa").write_bytes(conv_model(external_weight("model.onnx_data")).SerializeToString())
    (blobs / "bb").write_bytes(bytes(432))
    (snapshot / "model.onnx").symlink_to("../../blobs/aa")
    (snapshot / "model.onnx_data").symlink_to("../../blobs/bb")
    assert opened(snapshot / "model.onnx").external_files == ("model.onnx_data",)
