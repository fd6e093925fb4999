"""The phone's file system: a private folder of this computer that is removed when the phone ends.

A folder is not a sandbox: programs on the phone run with this user's rights and see this
computer's files. What looks like the phone is done by names: the sync service maps every path
below the folder, and the shell's command line has the phone's own paths replaced by theirs in
the folder (so a program that prints such a path prints the folder's).
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final

_PHONE_PATHS: Final = (
    "/data/local/tmp",
    "/sdcard",
    "/storage/emulated/0",
    "/sys/class/thermal",
    "/sys/class/power_supply",
    "/sys/class/kgsl",
    "/sys/devices/system/cpu",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/system/bin",
)
"""What a command line's words are looked through for; everything else is this computer's."""
_PREFIX: Final = "workbench-phone-"
_CLAIM: Final = ".phone/claim"
HOME: Final = "/data/local/tmp"
_FOLDERS: Final = ("/data/local/tmp", "/sdcard", "/storage/emulated/0", "/system/bin", "/sys", "/proc", "/.phone")
# A phone's path begins where no other path goes on, and ends where a word or a folder's name does.
_IN_COMMAND: Final = re.compile(
    r"(?<![\w/.~-])(" + "|".join(map(re.escape, _PHONE_PATHS)) + r")(?=[/\s;'\"&|<>(){}*:,`$]|$)"
)


class PhoneFiles:
    """``root`` is this computer's folder that stands for the phone's ``/``."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix=_PREFIX))
        for folder in _FOLDERS:
            self.path(folder).mkdir(parents=True, exist_ok=True)
        self._claim = _claim(self.root)

    def path(self, phone_path: str) -> Path:
        """Where a path of the phone lies; ``..`` does not lead out of the folder."""
        return self.root / os.path.normpath("/" + phone_path).lstrip("/")

    def in_command(self, command: str) -> str:
        """A shell command with the phone's paths replaced."""
        return _IN_COMMAND.sub(lambda found: f"{self.root}{found[1]}", command)

    def write(self, phone_path: str, text: str, mode: int = 0o644) -> None:
        """Make a file with ``text``."""
        path = self.path(phone_path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def update(self, phone_path: str, text: str) -> None:
        """Replace the contents of a file that somebody may be reading: never half of the old and the new."""
        path = self.path(phone_path)
        part = path.with_name(f".{path.name}.new")
        part.write_text(text, encoding="utf-8")
        part.replace(path)

    def set_value(self, phone_path: str, value: int) -> None:
        """Overwrite a sysfs-like number in place, for readers that keep the file open.

        A shorter number is seen with a second newline for a moment, never mixed with the old one.
        """
        path = self.path(phone_path)
        file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            before = os.fstat(file).st_size
            text = f"{value}\n".encode()
            os.pwrite(file, text.ljust(before, b"\n"), 0)
            os.ftruncate(file, len(text))
        finally:
            os.close(file)

    def remove(self) -> None:
        """Remove the folder. The phone's programs have ended."""
        remove_root(self.root)
        self._claim.close()


def abandoned_roots() -> Iterator[Path]:
    """Folders of phones that were killed: their claim is nobody's any more. Each is claimed while it is dealt with."""
    for root in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with ExitStack() as stack:
            try:
                file = stack.enter_context((root / _CLAIM).open("rb"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue  # alive, being made or removed, or another user's
            yield root


def remove_root(root: Path) -> None:
    """Remove a phone's folder, whatever rights its programs took from its parts."""
    for folder, names, _ in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(root)


def _claim(root: Path) -> BinaryIO:
    """A locked file in ``root``: the lock lasts as long as this process, however it ends."""
    file = (root / "claim").open("xb")
    fcntl.flock(file, fcntl.LOCK_EX)
    (root / "claim").rename(root / _CLAIM)  # locked before it can be found
    return file
