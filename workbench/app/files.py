"""Files that are there whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Final

from workbench.core import codec
from workbench.core.errors import BadInput
from workbench.core.messages import msg

_BLOCK_BYTES: Final = 1 << 20
_WAY_OUT: Final = msg("Choose a folder that exists, has room, and that you may write to.")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """What the system refuses in this block is that ``path`` be written: BadInput."""
    try:
        yield
    except OSError as error:
        raise BadInput(
            msg("This file cannot be written: {reason}", reason=error.strerror or str(error)),
            where=str(path),
            hint=_WAY_OUT,
        ) from error


class NewFile:
    """A file under way. ``write`` raises BadInput where the system takes no more."""

    def __init__(self, path: Path, file: FileIO) -> None:
        self._path = path
        self._file = file

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        with writing(self._path):
            while rest:
                rest = rest[self._file.write(rest) :]


@contextmanager
def new_file(path: Path) -> Iterator[NewFile]:
    """A file to write to that becomes ``path`` at the end, unless an exception passes. Raises BadInput."""
    with writing(path):
        handle, name = tempfile.mkstemp(prefix=".workbench-", dir=path.parent)
    temporary = Path(name)
    try:
        with FileIO(handle, "wb") as file:
            yield NewFile(path, file)
        with writing(path):
            temporary.chmod(0o644)
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write ``path`` atomically. Raises BadInput where its folder is missing or cannot be written.

    A lone surrogate (a file name that is not UTF-8) becomes an escape, which in JSON means the same.
    """
    with new_file(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A hidden folder in ``folder`` for files that shall appear together; removed at the end. Raises BadInput."""
    with writing(folder):
        stage = Path(tempfile.mkdtemp(prefix=".workbench-", dir=folder))
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


@contextmanager
def told_as(staged: Path, target: Path) -> Iterator[None]:
    """A fault about a file that was to become ``target``, or one beside it, is about that: people know no stage."""
    try:
        yield
    except BadInput as error:
        if error.where.startswith(str(staged)):
            error.where = error.where.replace(str(staged), str(target), 1)
            error.hint = error.hint or _WAY_OUT
        raise


def put_in_place(stage: Path, targets: Sequence[Path]) -> None:
    """Move each target's file from ``stage``, in this order; a target that has none there is removed.

    Raises BadInput.
    """
    for target in targets:
        made = stage / target.name
        with writing(target):
            if made.exists():
                made.replace(target)
            else:
                target.unlink(missing_ok=True)


def write_document(path: Path, document: object) -> None:
    """Write a JSON document atomically. Raises BadInput."""
    write_text(path, codec.dumps(document, indent=1) + "\n")


def must_be_nameable(paths: Iterable[Path]) -> None:
    """Raises BadInput where the system cannot have a file of such a name (too long)."""
    for path in paths:
        with writing(path), suppress(FileNotFoundError):
            path.lstat()


def must_be_there(path: Path) -> None:
    """Raises BadInput where ``path`` is no file."""
    if not path.is_file():
        raise BadInput(msg("There is no such file"), where=str(path), hint=msg("Check the path."))


def read_text(path: Path) -> str:
    """The text of a file of the user's. Raises BadInput where it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise _unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise BadInput(
            msg("This file is not UTF-8 text"), where=str(path), hint=msg("Name a file that Workbench wrote.")
        ) from error


def copy(source: Path, target: Path) -> None:
    """Copy a file byte by byte; ``target`` appears whole. Raises BadInput."""
    with new_file(target) as file:
        try:
            with source.open("rb") as stream:
                while block := stream.read(_BLOCK_BYTES):
                    file.write(block)
        except OSError as error:
            raise _unreadable(source, error) from error


def _unreadable(path: Path, error: OSError) -> BadInput:
    return BadInput(
        msg("This file cannot be read: {reason}", reason=error.strerror or str(error)),
        where=str(path),
        hint=msg("Check the path and its permissions."),
    )
