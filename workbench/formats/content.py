"""What a file is by its first bytes, for the sentence that says why it cannot be opened."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.messages import Message, msg

HEAD_BYTES: Final = 4096


def _is_text(head: bytes) -> bool:
    try:
        head[:-4].decode("utf-8")  # a character may be cut in two at the end
    except UnicodeDecodeError:
        return False
    return not any(byte < 32 and byte not in b"\t\n\r\f" for byte in head)


def _is_mnn(head: bytes) -> bool:
    """A flatbuffer without an identifier: its root table lies just behind a small vtable."""
    if len(head) < 64:
        return False
    root = int.from_bytes(head[:4], "little")
    if not 8 <= root < 256 or root % 4 or root + 4 > len(head):
        return False
    vtable = root - int.from_bytes(head[root : root + 4], "little", signed=True)
    if not 4 <= vtable < root:
        return False
    size = int.from_bytes(head[vtable : vtable + 2], "little")
    return 4 <= size <= root and size % 2 == 0


_KINDS: Final[tuple[tuple[Callable[[bytes], bool], Message, Message], ...]] = (
    (
        lambda head: head.startswith(b"version https://git-lfs"),
        msg("This is a Git LFS pointer, not the model itself"),
        msg("Fetch the model: git lfs pull."),
    ),
    (
        lambda head: head.startswith(b"PK\x03\x04"),
        msg("This is a zip archive, such as PyTorch writes (.pt, .pth)"),
        msg("Export the model to ONNX: torch.onnx.export."),
    ),
    (
        lambda head: head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"),
        msg("This is a Python pickle, such as PyTorch writes (.pt, .pth)"),
        msg("Export the model to ONNX: torch.onnx.export."),
    ),
    (
        lambda head: head[4:8] == b"TFL3",
        msg("This is a TensorFlow Lite model"),
        msg("Convert it to ONNX first, or install a plugin that opens it."),
    ),
    (
        lambda head: head.startswith(b"GGUF"),
        msg("This is a GGUF file of a language model"),
        msg("Open the model's Hugging Face folder instead."),
    ),
    (
        lambda head: head[8:10] == b'{"' and int.from_bytes(head[:8], "little") < 1 << 32,
        msg("This is a safetensors file: weights without a graph"),
        msg("Export the model to ONNX with the code that defines it."),
    ),
    (
        lambda head: head.startswith(b"\x89HDF\r\n"),
        msg("This is an HDF5 file, such as Keras writes"),
        msg("Convert it to ONNX first: tf2onnx."),
    ),
    (
        lambda head: head.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html")),
        msg("This is a web page, not a model"),
        msg("Download the file itself; the link led to a page about it."),
    ),
    (
        lambda head: head.startswith((b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!")),
        msg("This is a compressed archive"),
        msg("Unpack it and open the model inside."),
    ),
    (
        lambda head: head.lstrip()[:1] in (b"{", b"[") and _is_text(head),
        msg("This is a JSON text, not a model"),
        msg("Open the model file that lies beside it."),
    ),
    (
        _is_text,
        msg("This is a text file, not a model"),
        msg("Open the model file itself."),
    ),
    (
        lambda head: not any(head),
        msg("This file holds nothing but zeros"),
        msg("Copy or download it again."),
    ),
    (
        _is_mnn,
        msg("This looks like an MNN model, which is converted already"),
        msg("Run it: workbench run FILE."),
    ),
)


def foreign(head: bytes) -> tuple[Message, Message] | None:
    """(what, hint) for a file of a well-known kind that no importer opens; None for an unknown kind."""
    for is_kind, what, hint in _KINDS:
        if is_kind(head):
            return what, hint
    return None


def read_head(path: Path) -> bytes:
    """The first HEAD_BYTES of a model file. Raises BadInput for what is no readable, filled file."""
    where = str(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise BadInput(
                msg("This is a folder, not a model file"), where=where, hint=msg("Open the model file inside it.")
            )
        if not stat.S_ISREG(mode):  # opening a pipe would wait for its writer
            raise BadInput(
                msg("This is a device or a pipe, not a model file"), where=where, hint=msg("Copy it to a file first.")
            )
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except FileNotFoundError as error:
        raise BadInput(msg("There is no such file"), where=where, hint=msg("Check the path.")) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(
            msg("The file cannot be read: {reason}", reason=reason),
            where=where,
            hint=msg("Check its permissions, or copy it to this computer."),
        ) from error
    if not head:
        raise BadInput(msg("The file is empty"), where=where, hint=msg("Copy or download it again."))
    return head
