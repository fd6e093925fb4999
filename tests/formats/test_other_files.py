"""Files that are no ONNX models are told what they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.formats.conftest import Refused
from tests.formats.models import conv_model


@pytest.mark.parametrize(
    ("head", "what", "hint"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer", "git lfs pull"),
        (b"PK\x03\x04" + bytes(60), "zip archive, such as PyTorch writes", "torch.onnx.export"),
        (b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.", "Python pickle", "torch.onnx.export"),
        (b"\x1c\x00\x00\x00TFL3" + bytes(60), "TensorFlow Lite", "ONNX"),
        (b"GGUF\x03\x00\x00\x00" + bytes(60), "GGUF", "Hugging Face"),
        (b"\x40\x00\x00\x00\x00\x00\x00\x00" + b'{"w":{"dtype":"F32"}}', "safetensors", "ONNX"),
        (b"\x89HDF\r\n\x1a\n" + bytes(60), "HDF5", "tf2onnx"),
        (b"\n<!DOCTYPE html><html><body>404", "web page", "Download the file itself"),
        (b"\x1f\x8b\x08\x00" + bytes(60), "compressed archive", "Unpack"),
        (b'{"nodes": []}', "JSON", "lies beside it"),
        ("# 模型\nsome notes".encode(), "text file", "model file"),
        (bytes(4096), "nothing but zeros", "again"),
    ],
)
@pytest.mark.parametrize("suffix", [".onnx", ".model", ""])
def test_other_files_are_told_what_they_are(
    refused: Refused, tmp_path: Path, head: bytes, what: str, hint: str, suffix: str
) -> None:
    path = tmp_path / f"model{suffix}"
    path.write_bytes(head)
    error = refused(path)
    assert what in str(error.what)
    assert hint in str(error.hint)


def test_a_converted_model_is_told_to_be_run(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "model.mnn"
    head = "20000000 1c002400 08000000 0c001000 14000500 06001800 1c000700 00002000 1c000000 00000300"
    path.write_bytes(bytes.fromhex(head) + bytes(80))  # as MNN 3.6.1 writes: root offset, vtable, table
    assert "MNN model" in str(refused(path).what)


def test_a_file_of_no_known_kind_names_the_kinds_that_are(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "model.xyz"
    path.write_bytes(bytes(range(255, 0, -1)) * 4)
    error = refused(path)
    assert str(error.what) == "This is no model of a kind that is known here"
    assert "ONNX" in str(error.hint)


def test_garbage_with_the_right_suffix_is_damaged_onnx(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(bytes(range(255, 0, -1)) * 4)
    assert "This is not an ONNX model, or it is damaged" in str(refused(path).what)


def test_missing_folder_and_empty_are_told_apart(refused: Refused, tmp_path: Path) -> None:
    assert "no such file" in str(refused(tmp_path / "absent.onnx").what)
    assert "folder" in str(refused(tmp_path).what)
    (tmp_path / "empty.onnx").touch()
    assert "empty" in str(refused(tmp_path / "empty.onnx").what)
    assert "cannot be read" in str(refused(tmp_path / ("n" * 300)).what)
    assert "cannot be read" in str(refused(tmp_path / "nul\0.onnx").what)
    os.mkfifo(tmp_path / "pipe.onnx")
    assert "pipe" in str(refused(tmp_path / "pipe.onnx").what)


def test_an_unreadable_file_says_why(refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(conv_model().SerializeToString())

    def denied(self: Path, *args: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", denied)  # tests may run as root, whom no mode bits stop
    assert str(refused(path).what) == "The file cannot be read: Permission denied"
